/// The text and settings of a WebVTT cue.
///
/// Source: WebVTT, 6.4 (cue text) and 6.3 (settings). Ruby text and names of voices are omitted. Classes of the default
/// colours set the text's colour.
struct WebVTTCue {
  private(set) var lines: [SubtitleLine] = []
  private(set) var placement = SubtitlePlacement()

  /// An open tag, and the style before it.
  private struct OpenTag {
    var name: Substring
    var style: SubtitleStyle
  }

  private var open: [OpenTag] = []
  /// The maximum nesting depth of tags; deeper ones are ignored.
  private static let maxOpen = 64
  private var text = StyledLines()

  /// - Returns: nil if nothing is visible.
  init?(_ source: String, settings: String?) {
    read(source[...])
    lines = text.end()
    guard !lines.isEmpty else { return nil }
    for setting in (settings ?? "").split(whereSeparator: \.isWhitespace) { apply(setting) }
  }

  // MARK: - Text

  private mutating func read(_ source: Substring) {
    var rest = source
    while let character = rest.popFirst() {
      switch character {
      case "<":
        let tag = rest.prefix { $0 != ">" }
        rest = rest[tag.endIndex...].dropFirst()
        self.tag(tag)
      case "&":
        let name = rest.prefix(32).prefix { $0 != ";" }
        if rest.dropFirst(name.count).first == ";", let value = Self.entity(name) {
          append(value)
          rest = rest.dropFirst(name.count + 1)
        } else {
          append("&")
        }
      // Other line separators and form feeds are text.
      case "\n", "\r\n", "\r": text.endLine()
      default: append(String(character))
      }
    }
  }

  private mutating func append(_ more: String) {
    if !open.contains(where: { $0.name == "rt" }) { text.append(more) }
  }

  private mutating func tag(_ tag: Substring) {
    if tag.first == "/" {
      let name = tag.dropFirst().prefix { $0.isLetter }
      // Closing a tag closes those within it.
      guard let index = open.lastIndex(where: { $0.name == name || (name == "ruby" && $0.name == "rt") }) else { return }
      text.style = open[index].style
      open.removeSubrange(index...)
      return
    }
    let classes = tag.prefix { !$0.isWhitespace }.split(separator: ".", omittingEmptySubsequences: false)
    guard let name = classes.first, ["b", "i", "u", "c", "v", "lang", "ruby", "rt"].contains(name) else { return }
    guard open.count < Self.maxOpen else { return }
    open.append(OpenTag(name: name, style: text.style))
    switch name {
    case "b": text.style.isBold = true
    case "i": text.style.isItalic = true
    case "u": text.style.isUnderlined = true
    default: break
    }
    for color in classes.dropFirst().compactMap({ Self.colors[String($0)] }) { text.style.color = color }
  }

  private static func entity(_ name: Substring) -> String? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "nbsp": return "\u{A0}"
    case "quot": return "\""
    case "apos": return "'"
    // Direction marks: the viewer handles text direction.
    case "lrm": return "\u{200E}"
    case "rlm": return "\u{200F}"
    default:
      guard name.first == "#" else { return nil }
      let digits = name.dropFirst()
      let value = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return value.flatMap { Unicode.Scalar($0) }.map { String($0) }
    }
  }

  /// Source: WebVTT, 5.1 (default text colours); white is the default anyway.
  private static let colors: [String: SubtitleStyle.Color] = [
    "lime": .init(red: 0, green: 255, blue: 0), "cyan": .init(red: 0, green: 255, blue: 255),
    "red": .init(red: 255, green: 0, blue: 0), "yellow": .init(red: 255, green: 255, blue: 0),
    "magenta": .init(red: 255, green: 0, blue: 255), "blue": .init(red: 0, green: 0, blue: 255),
    "black": .init(red: 0, green: 0, blue: 0),
  ]

  // MARK: - Settings

  private mutating func apply(_ setting: Substring) {
    guard let colon = setting.firstIndex(of: ":") else { return }
    let parts = setting[setting.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
    guard let value = parts.first else { return }
    switch setting[..<colon] {
    case "align":
      switch value {
      case "start", "left": placement.horizontal = .left
      case "end", "right": placement.horizontal = .right
      case "center", "middle": placement.horizontal = .center
      default: break
      }
      if placement.x == nil, placement.horizontal != .center { placement.x = placement.horizontal == .left ? 0 : 1 }
    case "position":
      guard let percent = Self.percent(value) else { break }
      placement.x = percent
      switch parts.dropFirst().first {
      case "line-left", "start": placement.horizontal = .left
      case "center", "middle": placement.horizontal = .center
      case "line-right", "end": placement.horizontal = .right
      default: break
      }
    case "line": setLine(value, alignment: parts.dropFirst().first)
    default: break
    }
  }

  private mutating func setLine(_ value: Substring, alignment: Substring?) {
    if let percent = Self.percent(value) {
      placement.height = .fraction(percent)
      // The cue's first line is there, except at the very bottom.
      placement.vertical = percent < 0.9 ? .top : .bottom
    } else if let row = Int(value) {
      placement.height = .row(row)
      placement.vertical = row < 0 ? .bottom : .top
    }
    switch alignment {
    case "start": placement.vertical = .top
    case "center": placement.vertical = .middle
    case "end": placement.vertical = .bottom
    default: break
    }
  }

  private static func percent(_ text: Substring) -> Double? {
    guard text.last == "%", let value = Double(text.dropLast()), (0...100).contains(value) else { return nil }
    return value / 100
  }
}
