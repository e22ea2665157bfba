/// A dialogue line of an SSA script: its text, style and position.
///
/// Keeps bold, italic, underlined and coloured text. Drawings are omitted; karaoke, movements, borders, fonts, sizes and
/// effects are ignored.
struct SSALine {
  private(set) var lines: [SubtitleLine] = []
  private(set) var placement = SubtitlePlacement()
  /// Cues of a higher layer cover others.
  private(set) var layer = 0

  private let script: SSAScript
  private let hasComments: Bool
  private let base: SSAScript.Style
  private var text: StyledLines
  private var isDrawing = false
  private var isTransparent = false
  private var alignment: SSAAlignment
  private var isAligned = false
  private var position: (x: Double, y: Double)?
  private var wrapping: SSAScript.Wrapping

  /// Parses the fields that libavcodec writes: ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect, Text.
  ///
  /// - Parameter hasComments: true if text in braces before the first backslash is a comment.
  /// - Returns: nil if nothing is visible.
  init?(_ line: String, of script: SSAScript, hasComments: Bool = true) {
    let fields = line.utf8.split(separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false).map { Substring($0) }
    // Karaoke from Aegisub has a line for each syllable, and many for its movements.
    guard fields.count == 9, fields[7] != "fx" else { return nil }
    self.script = script
    self.hasComments = hasComments
    base = script.style(String(fields[2]))
    text = StyledLines(style: base.text)
    alignment = base.alignment
    wrapping = script.wrapping
    layer = Int(fields[1]) ?? 0
    read(fields[8])
    lines = text.end()
    guard !lines.isEmpty else { return nil }
    placement.horizontal = alignment.horizontal
    placement.vertical = alignment.vertical
    // Margins of styles are a few pixels; a line with its own margins is meant to be narrow.
    let margins = fields[4...5].compactMap { Double($0.trimmed) }.filter { $0 > 0 }.reduce(0, +)
    if margins > 0 { placement.maxWidth = max(0.01, 1 - margins / script.size.width) }
    if let position {
      placement.x = min(max(position.x / script.size.width, 0), 1)
      placement.height = .fraction(min(max(position.y / script.size.height, 0), 1))
    }
  }

  private mutating func read(_ source: Substring) {
    // Scalars, since a mark may combine with the character before it.
    var rest = source.unicodeScalars
    var mayClose = true
    while true {
      let plain = rest.prefix { !Self.isSpecial($0) }
      append(Substring(plain))
      rest = rest[plain.endIndex...]
      guard let scalar = rest.popFirst() else { return }
      switch scalar {
      case "{":
        // An unclosed brace is text.
        guard mayClose, let end = rest.firstIndex(of: "}") else {
          mayClose = false
          append("{")
          continue
        }
        guard hasComments || rest.first == "\\" else {
          append("{")
          continue
        }
        override(Substring(rest[..<end]))
        rest = rest[rest.index(after: end)...]
      case "\\":
        let next = rest.first
        switch next {
        case "N": text.endLine()
        case "n": breakSoftly()
        case "h": append("\u{A0}")
        case "{", "}": append(next.map(String.init) ?? "")
        default:
          append("\\")
          continue
        }
        rest = rest.dropFirst()
      default:
        if scalar == "\r", rest.first == "\n" { rest = rest.dropFirst() }
        text.endLine()
      }
    }
  }

  /// Returns true for what is not text: the start of markup, and line ends.
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "{", "\\", "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Ends the line if the renderer is not to wrap lines by itself; else the break is a space.
  private mutating func breakSoftly() {
    if wrapping == .none { text.endLine() } else { append(" ") }
  }

  private mutating func append(_ more: some StringProtocol) {
    if !isDrawing && !isTransparent { text.append(more) }
  }

  private mutating func override(_ block: Substring) {
    // Text before the first backslash is a comment.
    var open = 0
    for tag in block.split(separator: "\\", omittingEmptySubsequences: false).dropFirst() {
      let isChange = open > 0 || tag.hasPrefix("t(")
      if isChange { open = max(0, open + tag.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }) }
      if !isChange {
        apply(tag)
      } else if let isHidden = Self.hides(tag), !isHidden {
        // Of animations only this matters: that the text becomes visible.
        isTransparent = false
      }
    }
  }

  /// Returns true if a tag makes text completely transparent; nil if it does not affect transparency.
  private static func hides(_ tag: Substring) -> Bool? {
    guard tag.hasPrefix("alpha&") || tag.hasPrefix("1a&") else { return nil }
    return tag.drop { $0 != "&" }.dropFirst(2).prefix(2).uppercased() == "FF"
  }

  private mutating func apply(_ tag: Substring) {
    func number(after name: String) -> Int? {
      tag.hasPrefix(name) ? Int(tag.dropFirst(name.utf8.count).trimmed) : nil
    }
    if let size = number(after: "p") {
      isDrawing = size > 0
    } else if let on = number(after: "b") {
      text.style.isBold = on == 1 || on >= 600
    } else if let on = number(after: "i") {
      text.style.isItalic = on != 0
    } else if let on = number(after: "u") {
      text.style.isUnderlined = on != 0
    } else if let style = number(after: "q") {
      wrapping = SSAScript.Wrapping(style)
    } else if let key = number(after: "an") {
      align(SSAAlignment(key))
    } else if let key = number(after: "a") {
      align(SSAAlignment(old: key))
    } else if tag.hasPrefix("pos(") || tag.hasPrefix("move("), position == nil {
      // Of a movement, this is the start.
      let numbers = tag.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split(separator: ",").prefix(2)
        .compactMap { Double($0.trimmed) }
      if numbers.count == 2, numbers.allSatisfy(\.isFinite) { position = (numbers[0], numbers[1]) }
    } else if tag == "b" || tag == "i" || tag == "u" || tag == "c" || tag == "1c" {
      reset(tag)
    } else if tag.hasPrefix("c&") || tag.hasPrefix("1c&") {
      text.style.color = SSAColor(tag.drop { $0 != "&" })?.shown
    } else if let isHidden = Self.hides(tag) {
      // Only text that is completely invisible is omitted.
      isTransparent = isHidden
    } else if tag.first == "r" {
      let name = tag.dropFirst()
      text.style = name.isEmpty ? base.text : script.styles[String(name)]?.text ?? base.text
      isTransparent = false
    }
  }

  /// Sets the alignment; the first one in a line counts.
  private mutating func align(_ wanted: SSAAlignment?) {
    guard !isAligned, let wanted else { return }
    (alignment, isAligned) = (wanted, true)
  }

  private mutating func reset(_ tag: Substring) {
    switch tag {
    case "b": text.style.isBold = base.text.isBold
    case "i": text.style.isItalic = base.text.isItalic
    case "u": text.style.isUnderlined = base.text.isUnderlined
    default: text.style.color = base.text.color
    }
  }
}
