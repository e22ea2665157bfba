import CellGraphics

/// The parts of a pane's lowest row: time, progress bar, and a label if the pane has no title row.
///
/// The parts keep their places whatever they show, even while the bar is being dragged.
struct BarRow: Equatable {
  let field: CellRect
  /// Cells of the progress bar itself, for drawing and clicks.
  let track: CellRect
  let label: CellRect

  /// - Parameters:
  ///   - row: The whole row.
  ///   - fieldColumns: Width of the time, without the space after it.
  ///   - labelColumns: Width of the label, without the space before it; 0 for none.
  init(_ row: CellRect, fieldColumns: Int, labelColumns: Int = 0) {
    let left = fieldColumns > 0 ? min(row.width, fieldColumns + 1) : 0
    let right = labelColumns > 0 ? min(row.width - left, labelColumns + 2) : 0
    func part(_ x: Int, _ width: Int) -> CellRect {
      CellRect(x: row.x + x, y: row.y, width: max(0, width), height: row.height)
    }
    field = part(0, min(fieldColumns, row.width))
    track = part(left, row.width - left - right)
    label = part(row.width - right + 1, right - 2)
  }
}
