import Pixels
import Terminal

/// The line that is being typed.
extension ChromePainter {
  /// Columns that a label leaves at the least for what is typed; else a shorter one is taken.
  private static let leastRoom = 20

  /// - Parameter window: a row as wide as the screen.
  func drawLine(of prompt: Prompt, in window: CompositorWindow) {
    let labels = prompt.labels
    let label = labels.first { $0.columns + Self.leastRoom <= columns } ?? labels[labels.count - 1]
    let used = window.put(label, row: 0, column: 1, maxColumns: columns - 2, style: theme.status)
    let left = 1 + used
    let room = max(2, columns - left - 1)
    let view = LineView(prompt.editor, room: room)
    window.fill(PixelRect(x: left, y: 0, width: room, height: 1), theme.input)
    var column = left + window.put(view.before, row: 0, column: left, style: theme.input)
    column += window.put(view.cursor, row: 0, column: column, style: theme.cursor)
    window.put(view.after, row: 0, column: column, style: theme.input)
    // Signs in the margins say that there is more.
    if view.isCut.left { window.put("<", row: 0, column: left - 1, style: theme.status) }
    if view.isCut.right { window.put(">", row: 0, column: left + room, style: theme.status) }
    if let objection = prompt.objection { drawAbovePrompt(objection, row: window.rect.y) }
  }

  /// A sentence in the rows above what is being typed.
  private func drawAbovePrompt(_ text: TerminalText, row: Int) {
    let lines = Self.wrapped(text, width: columns - 2).prefix(max(0, min(3, row)))
    guard !lines.isEmpty else { return }
    let window = compositor.layer(PixelRect(x: 0, y: row - lines.count, width: columns, height: lines.count))
    window.erase(theme.error)
    for (i, line) in lines.enumerated() { window.put(line, row: i, column: 1, style: theme.error) }
    floating.append(window)
  }
}
