import PlainText
import Playback

/// An opaque sRGB colour of a transition.
public typealias MovieColor = VideoColor

/// Colours in movie files.
extension VideoColor {
  private static let names: [(name: String, color: MovieColor)] = [
    ("black", .black), ("white", .white), ("red", MovieColor(red: 255, green: 0, blue: 0)),
    ("green", MovieColor(red: 0, green: 128, blue: 0)), ("blue", MovieColor(red: 0, green: 0, blue: 255)),
    ("yellow", MovieColor(red: 255, green: 255, blue: 0)), ("gray", MovieColor(red: 128, green: 128, blue: 128)),
  ]

  /// Reads a name, or six hexadecimal digits with or without a leading "#".
  init?(_ text: String) {
    if let named = Self.names.first(where: { $0.name == text.lowercased() }) {
      self = named.color
      return
    }
    let digits = text.utf8.first == UInt8(ascii: "#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  /// The name, or six hexadecimal digits.
  var text: String {
    if let named = Self.names.first(where: { $0.color == self }) { return named.name }
    return String(hexadecimal: [red, green, blue])
  }
}
