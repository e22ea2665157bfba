import Pixels
import Terminal

/// The line that is being typed, in the lowest row or over the frame.
extension ChromePainter {
  /// Columns that a label leaves at the least for what is typed; else a shorter one is taken.
  private static let leastRoom = 20

  /// Draws the line into a window of one row, and above it why what was typed before did not do.
  func draw(_ prompt: Prompt, in window: CompositorWindow) {
    let width = window.rect.width
    let label = prompt.labels.first { $0.columns + Self.leastRoom <= width } ?? prompt.labels[prompt.labels.count - 1]
    let left = 1 + window.put(label, row: 0, column: 1, maxColumns: width - 2, style: theme.status)
    let room = max(2, width - left - 1)
    let view = LineView(prompt.editor, room: room)
    window.fill(PixelRect(x: left, y: 0, width: room, height: 1), theme.input)
    var column = left + window.put(view.before, row: 0, column: left, style: theme.input)
    column += window.put(view.cursor, row: 0, column: column, style: theme.cursor)
    window.put(view.after, row: 0, column: column, style: theme.input)
    // Signs in the margins say that there is more.
    if view.isCut.left { window.put("<", row: 0, column: left - 1, style: theme.status) }
    if view.isCut.right { window.put(">", row: 0, column: left + room, style: theme.status) }
    if let objection = prompt.objection { draw(objection, above: window.rect.y) }
  }

  /// A sentence in the rows above what is being typed.
  private func draw(_ text: TerminalText, above row: Int) {
    let lines = Self.wrapped(text, width: columns - 2).prefix(max(0, min(3, row)))
    guard !lines.isEmpty else { return }
    let window = compositor.layer(PixelRect(x: 0, y: row - lines.count, width: columns, height: lines.count))
    window.erase(theme.error)
    for (i, line) in lines.enumerated() { window.put(line, row: i, column: 1, style: theme.error) }
    floating.append(window)
  }
}
