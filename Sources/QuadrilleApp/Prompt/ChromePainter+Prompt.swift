import CellGraphics
import Terminal

/// The input line, in the lowest row or over the frame.
extension ChromePainter {
  /// Minimum columns for the typed text; if necessary, a shorter label is used.
  private static let minRoom = 20

  /// Draws the line into a window of one row, and above it the reason the previous input was rejected.
  func draw(_ prompt: Prompt, in window: CompositorWindow) {
    let width = window.rect.width
    let label = prompt.labels.first { $0.columns + Self.minRoom <= width } ?? prompt.labels[prompt.labels.count - 1]
    let left = 1 + window.put(label, row: 0, column: 1, maxColumns: width - 2, style: theme.status)
    let room = max(2, width - left - 1)
    let view = LineView(prompt.editor, room: room)
    window.fill(CellRect(x: left, y: 0, width: room, height: 1), theme.input)
    var column = left + window.put(view.before, row: 0, column: left, style: theme.input, isVisual: true)
    column += window.put(view.cursor, row: 0, column: column, style: theme.cursor)
    window.put(view.after, row: 0, column: column, style: theme.input, isVisual: true)
    // Signs in the margins show that there is more text.
    if view.isCut.left { window.put("<", row: 0, column: left - 1, style: theme.status) }
    if view.isCut.right { window.put(">", row: 0, column: left + room, style: theme.status) }
    if let objection = prompt.objection { draw(objection, above: window.rect.y) }
    if let completion = prompt.completion { draw(completion, above: window.rect.y) }
  }

  /// Draws the candidates in columns, over at most half of the screen.
  private func draw(_ completion: PathCompletion, above row: Int) {
    let room = min(row, max(1, rows / 2))
    let labels = completion.candidates.map { $0.label.truncated(to: columns - 2) }
    guard room > 0 else { return }
    let grid = CandidateGrid(
      widths: labels.map(\.columns), selected: completion.selected, columns: columns - 2, rows: room)
    let height = min(room, grid.rows + (grid.more > 0 ? 1 : 0))
    let window = compositor.layer(CellRect(x: 0, y: row - height, width: columns, height: height))
    window.erase(theme.panel)
    for index in grid.shown {
      let (row, column) = grid.place(of: index)
      let style = index == completion.selected
        ? theme.focusedTitle : completion.candidates[index].isFolder ? theme.panelKey : theme.panel
      window.put(labels[index], row: row, column: 1 + column, style: style)
    }
    if grid.more > 0, height > grid.rows {
      let more: TerminalText = "… \(grid.more)\(completion.isCut ? " or more" : "") more"
      window.put(more, row: height - 1, column: 1, style: theme.panelHeading)
    }
    floating.append(window)
  }

  /// Draws a message in the rows above the input line.
  private func draw(_ text: TerminalText, above row: Int) {
    let lines = Self.wrapped(text, width: columns - 2).prefix(max(0, min(3, row)))
    guard !lines.isEmpty else { return }
    let window = compositor.layer(CellRect(x: 0, y: row - lines.count, width: columns, height: lines.count))
    window.erase(theme.error)
    for (i, line) in lines.enumerated() { window.put(line, row: i, column: 1, style: theme.error) }
    floating.append(window)
  }
}
