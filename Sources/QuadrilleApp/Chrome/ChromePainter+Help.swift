import Terminal

/// The help panel.
extension ChromePainter {
  func drawHelp(page: Int) {
    let panel = HelpPanel(help, columns: columns, rows: rows)
    let layout = panel.layout
    guard let lines = layout.pages.indices.contains(page) ? layout.pages[page] : layout.pages.last else { return }
    let window = compositor.layer(panel.rect(page: page))
    window.erase(theme.panel)
    if panel.hasFrame { window.box(theme.panel, title: panel.title(page: page)) }
    let top = panel.hasFrame ? 1 : 0
    var x = 2
    for (column, widths) in zip(lines, layout.widths) {
      for (i, line) in column.enumerated() { draw(line, widths, in: window, row: top + i, column: x) }
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
