import TerminalHarness

/// A part of the screen with frames.
struct FrameArea {
  var columns: Range<Int>
  var rows: Range<Int>

  /// The middle of each of four panes in two rows and two columns.
  static let quarters: [FrameArea] = [0, 1].flatMap { row in
    [0, 1].map { column in
      let left = column * Workbench.columns / 2, top = row * Workbench.rows / 2
      return FrameArea(
        columns: (left + Workbench.columns / 8)..<(left + Workbench.columns * 3 / 8),
        rows: (top + Workbench.rows / 8)..<(top + Workbench.rows * 3 / 8))
    }
  }

  /// The middle of a pane that fills the screen.
  static let middle = FrameArea(
    columns: (Workbench.columns / 4)..<(Workbench.columns * 3 / 4), rows: (Workbench.rows / 4)..<(Workbench.rows * 3 / 4))

  /// All of the screen.
  static let screen = FrameArea(columns: 0..<Workbench.columns, rows: 0..<Workbench.rows)

  /// Four panes in two rows and two columns, with a column between them and a row below.
  static let panes: [FrameArea] = [0, 1].flatMap { row in
    [0, 1].map { column in
      let width = (Workbench.columns - 1) / 2, left = column * (width + 1)
      let height = (Workbench.rows - 1) / 2, top = row * height
      return FrameArea(
        columns: left..<(column == 0 ? width + 1 : Workbench.columns), rows: top..<(top + height + (row == 0 ? 1 : 2)))
    }
  }

  /// Returns true if there is a frame: more than a tenth of the cells are not black. Over a slow link most may have one colour.
  func hasFrame(_ screen: EmulatorScreen) -> Bool {
    let black = RGB(0, 0, 0)
    var colored = 0
    for row in rows {
      for column in columns {
        guard let (upper, lower) = screen.halves(column: column, row: row) else { continue }
        if upper != black || lower != black { colored += 1 }
      }
    }
    return colored * 10 > rows.count * columns.count
  }

  /// Returns a number that changes when the area looks different.
  func digest(_ screen: EmulatorScreen) -> Int {
    var hasher = Hasher()
    for row in rows {
      for column in columns {
        let cell = screen[column: column, row: row]
        hasher.combine(cell.code)
        hasher.combine(cell.foreground)
        hasher.combine(cell.background)
      }
    }
    return hasher.finalize()
  }
}
