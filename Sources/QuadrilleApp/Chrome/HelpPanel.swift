import CellGraphics
import Terminal

/// Position of the help on the screen: above the status row, with a border if there is room.
struct HelpPanel {
  let layout: HelpLayout
  /// True if a border is drawn.
  let hasFrame: Bool
  private let columns: Int
  private let rows: Int

  init(_ help: HelpText, columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    hasFrame = rows >= 6
    layout = HelpLayout(help, columns: columns - 4, rows: hasFrame ? rows - 3 : rows - 1)
  }

  var pageCount: Int { layout.pages.count }

  func title(page: Int) -> TerminalText {
    guard pageCount > 1 else { return "Keys" }
    let turn: TerminalText = page + 1 < pageCount ? "page down: more" : "page up: back"
    return "Keys \(min(page + 1, pageCount))/\(pageCount)  \(turn)  q: close"
  }

  /// The cells of the panel.
  func rect(page: Int) -> CellRect {
    let width = min(columns, max(layout.width + 4, title(page: page).columns + 6))
    let height = min(max(1, rows - 1), layout.height + (hasFrame ? 2 : 0))
    return CellRect(x: (columns - width) / 2, y: max(0, (rows - 1 - height) / 2), width: width, height: height)
  }
}
