import Pixels
import Terminal

/// The panel with the keys and signs.
extension ChromePainter {
  /// How the help is laid out in the present size: within a frame, above the status line.
  private var helpLayout: HelpLayout {
    HelpLayout(help, columns: columns - 4, rows: hasRoomForFrame ? rows - 3 : rows - 1)
  }

  private var hasRoomForFrame: Bool { rows >= 6 }

  /// Pages that the help takes in the present size.
  var helpPageCount: Int { helpLayout.pages.count }

  func drawHelp(page: Int) {
    let layout = helpLayout
    guard let lines = layout.pages.indices.contains(page) ? layout.pages[page] : layout.pages.last else { return }
    let title: TerminalText =
      layout.pages.count > 1
      ? "Keys \(min(page + 1, layout.pages.count))/\(layout.pages.count)  page down: more  q: close" : "Keys"
    let inset = hasRoomForFrame ? 1 : 0
    let width = min(columns, max(layout.width + 4, title.columns + 6))
    let height = min(max(1, rows - 1), layout.height + 2 * inset)
    let window = compositor.layer(
      PixelRect(x: (columns - width) / 2, y: max(0, (rows - 1 - height) / 2), width: width, height: height))
    window.erase(theme.panel)
    if inset > 0 { window.box(theme.panel, title: title) }
    var x = 2
    for (column, widths) in zip(lines, layout.widths) {
      for (i, line) in column.enumerated() { draw(line, widths, in: window, row: inset + i, column: x) }
      x += widths.sum + HelpLayout.columnGap
    }
    floating.append(window)
  }

  private func draw(_ line: HelpLayout.Line, _ widths: HelpLayout.Widths, in window: CompositorWindow, row: Int, column: Int) {
    switch line {
    case .blank: break
    case .heading(let text):
      window.put(text, row: row, column: column, maxColumns: widths.sum, style: theme.panelHeading)
    case .entry(let keys, let meaning):
      let divider = HelpText.Entry.divider
      var x = column
      for (i, part) in keys.split(by: divider).enumerated() {
        if i > 0 { x += window.put(divider, row: row, column: x, style: theme.panel) }
        x += window.put(part, row: row, column: x, style: theme.panelKey)
      }
      window.put(meaning, row: row, column: column + widths.keys + HelpLayout.keyGap, style: theme.panel)
    }
  }
}
