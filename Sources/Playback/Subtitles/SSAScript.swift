/// The header of an SSA or ASS script: its styles, and the size that positions refer to.
///
/// libavcodec turns all text subtitles but WebVTT's into lines of such a script. Everything may be missing or nonsense.
struct SSAScript {
  /// A named style.
  struct Style: Equatable {
    var text = SubtitleStyle()
    var alignment = SSAAlignment.bottomCenter
  }

  /// The wrapping of long lines, which decides what a soft line break is.
  enum Wrapping: Equatable {
    /// Lines are wrapped where they are too long.
    case automatic
    /// Lines end where the author broke them.
    case none

    /// - Parameter number: the number in the file.
    init(_ number: Int) { self = number == 2 ? .none : .automatic }
  }

  private(set) var styles: [String: Style] = [:]
  /// The width and height that positions refer to.
  private(set) var size: (width: Double, height: Double)
  /// The wrapping of lines that do not state their own.
  private(set) var wrapping = Wrapping.automatic
  private var fields: [String] = []
  /// True if alignments are numbered as in SSA, before ASS.
  private var isOld = false

  init(_ header: String) {
    size = Self.defaultSize
    var section = ""
    var width: Double?, height: Double?
    for line in header.split(whereSeparator: \.isNewline) {
      if line.first == "[" {
        section = line.lowercased()
        isOld = section.hasPrefix("[v4 styles]")
        continue
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].trimmed.lowercased(), value = line[line.index(after: colon)...].trimmed
      switch (section.hasPrefix("[v4"), key) {
      case (false, "playresx"): width = Self.length(value)
      case (false, "playresy"): height = Self.length(value)
      case (false, "wrapstyle"): wrapping = Int(value).map(Wrapping.init) ?? .automatic
      case (true, "format"): fields = value.split(separator: ",").map { $0.trimmed.lowercased() }
      case (true, "style"): addStyle(value)
      default: break
      }
    }
    size = Self.size(width, height)
  }

  private static let defaultSize = (width: 384.0, height: 288.0)

  private static func length(_ value: Substring) -> Double? {
    Double(value).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  /// Returns the size for the sides that a script states. As in libass, a single side implies the other: that of a 4:3
  /// frame, or of 1280 × 1024.
  private static func size(_ width: Double?, _ height: Double?) -> (width: Double, height: Double) {
    switch (width, height) {
    case (let width?, let height?): (width, height)
    case (let width?, nil): (width, width == 1280 ? 1024 : width * 3 / 4)
    case (nil, let height?): (height == 1024 ? 1280 : height * 4 / 3, height)
    case (nil, nil): defaultSize
    }
  }

  /// Returns the style with a name; the plain one if there is none.
  func style(_ name: String) -> Style {
    styles[name] ?? styles[String(name.drop { $0 == "*" })] ?? styles["Default"] ?? Style()
  }

  private mutating func addStyle(_ line: Substring) {
    let values = line.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    var named: [String: Substring] = [:]
    for (field, value) in zip(fields, values) { named[field] = value }
    guard let name = named["name"] else { return }
    var style = Style()
    style.text.isBold = Self.isOn(named["bold"])
    style.text.isItalic = Self.isOn(named["italic"])
    style.text.isUnderlined = Self.isOn(named["underline"])
    style.text.color = named["primarycolour"].flatMap { SSAColor($0) }?.shown
    if let number = named["alignment"].flatMap({ Int($0) }) {
      style.alignment = (isOld ? SSAAlignment(old: number) : SSAAlignment(number)) ?? .bottomCenter
    }
    styles[String(name)] = style
  }

  private static func isOn(_ value: Substring?) -> Bool { value.flatMap { Int($0) }.map { $0 != 0 } ?? false }
}

/// The position of text, as a key of a numeric keypad.
struct SSAAlignment: Equatable {
  var horizontal: SubtitlePlacement.Horizontal
  var vertical: SubtitlePlacement.Vertical

  static let bottomCenter = SSAAlignment(horizontal: .center, vertical: .bottom)

  private init(horizontal: SubtitlePlacement.Horizontal, vertical: SubtitlePlacement.Vertical) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  private static let columns: [SubtitlePlacement.Horizontal] = [.left, .center, .right]

  /// Creates an alignment from its number in ASS: 1 to 3 at the bottom, 7 to 9 at the top.
  init?(_ number: Int) {
    guard (1...9).contains(number) else { return nil }
    self.init(
      horizontal: Self.columns[(number - 1) % 3], vertical: number < 4 ? .bottom : number < 7 ? .middle : .top)
  }

  /// Creates an alignment from its number in SSA: 1 to 3, plus 4 at the top, plus 8 in the middle.
  init?(old number: Int) {
    guard (1...11).contains(number), number % 4 != 0 else { return nil }
    self.init(
      horizontal: Self.columns[(number - 1) % 4], vertical: number < 4 ? .bottom : number < 8 ? .top : .middle)
  }
}

/// A colour as SSA writes it: blue, green and red in hexadecimal, or the same as a decimal number.
struct SSAColor {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init?(_ text: Substring) {
    var digits = text.drop { $0 == "&" }
    let value: UInt32?
    if digits.first?.lowercased() == "h" {
      digits = digits.dropFirst().prefix { $0.isHexDigit }
      value = UInt32(digits.suffix(8), radix: 16)
    } else {
      value = Int64(digits).map { UInt32(truncatingIfNeeded: $0) }
    }
    guard let value else { return nil }
    (red, green, blue) = (UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value >> 16 & 0xFF))
  }

  /// The colour to show; nil for white, the default text colour.
  var shown: SubtitleStyle.Color? {
    min(red, green, blue) == 255 ? nil : SubtitleStyle.Color(red: red, green: green, blue: blue)
  }
}

extension Substring {
  /// The text without leading and trailing spaces and tabs.
  var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
