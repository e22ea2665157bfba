/// Collects lines of styled text from a cue's markup, piece by piece.
struct StyledLines {
  private var lines: [SubtitleLine] = []
  private var spans: [SubtitleSpan] = []
  private var text = ""

  /// The style of text appended from here on.
  var style: SubtitleStyle {
    willSet { if newValue != style { endSpan() } }
  }

  init(style: SubtitleStyle = SubtitleStyle()) { self.style = style }

  mutating func append(_ more: some StringProtocol) { text += more }

  mutating func endLine() {
    endSpan()
    lines.append(SubtitleLine(spans))
    spans = []
  }

  private mutating func endSpan() {
    if !text.isEmpty { spans.append(SubtitleSpan(text, style)) }
    text = ""
  }

  /// Ends the last line; returns the lines without leading and trailing blank ones.
  mutating func end() -> [SubtitleLine] {
    endLine()
    func isBlank(_ line: SubtitleLine) -> Bool { line.text.allSatisfy(\.isWhitespace) }
    guard let first = lines.firstIndex(where: { !isBlank($0) }), let last = lines.lastIndex(where: { !isBlank($0) }) else { return [] }
    return Array(lines[first...last])
  }
}
