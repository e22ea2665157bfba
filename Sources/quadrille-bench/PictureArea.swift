import TerminalHarness

/// A part of the screen where pictures are.
struct PictureArea {
  var columns: Range<Int>
  var rows: Range<Int>

  /// Amid each of four panes in two rows and two columns.
  static let quarters: [PictureArea] = [0, 1].flatMap { row in
    [0, 1].map { column in
      let left = column * Workbench.columns / 2, top = row * Workbench.rows / 2
      return PictureArea(
        columns: (left + Workbench.columns / 8)..<(left + Workbench.columns * 3 / 8),
        rows: (top + Workbench.rows / 8)..<(top + Workbench.rows * 3 / 8))
    }
  }

  /// Amid a pane that fills the screen.
  static let middle = PictureArea(
    columns: (Workbench.columns / 4)..<(Workbench.columns * 3 / 4), rows: (Workbench.rows / 4)..<(Workbench.rows * 3 / 4))

  /// Whether there is a picture: half blocks in more than a tenth of the cells.
  func hasPicture(_ screen: TerminalScreen) -> Bool {
    var blocks = 0
    for row in rows {
      for column in columns {
        let code = screen[column: column, row: row].code
        if code == 0x2580 || code == 0x2584 { blocks += 1 }
      }
    }
    return blocks * 10 > rows.count * columns.count
  }

  /// A number that is another when the area looks different.
  func digest(_ screen: TerminalScreen) -> Int {
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
