import CellGraphics

/// The parts of a pane's lowest row: time, progress bar, and a label where the pane has no title row.
///
/// The parts keep their places whatever is said in them, also under a pointer that drags the bar.
struct BarRow: Equatable {
  let field: CellRect
  /// Where the progress bar itself is drawn and clicked on.
  let track: CellRect
  let label: CellRect

  /// - Parameters:
  ///   - row: all of it.
  ///   - fieldColumns: what the time takes, without the space behind it.
  ///   - labelColumns: what the label takes, without the space before it; 0 for none.
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
