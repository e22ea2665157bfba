/// A small bitmap font for times: digits, ':', '.' and '-', 5 by 7 pixels, in integer scales.
enum DigitFont {
  private static let width = 5
  private static let height = 7
  /// Pixels between two glyphs.
  private static let tracking = 1

  /// Rows of a glyph from the top, with the leftmost pixel in the highest of five bits.
  private static let glyphs: [Character: [UInt8]] = [
    "0": [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    "3": [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
    "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    "6": [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ":": [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000],
    ".": [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100],
    "-": [0b00000, 0b00000, 0b00000, 0b01110, 0b00000, 0b00000, 0b00000],
  ]

  /// Scale of times below frames of a given width: about 14 pixels high below frames of 320.
  static func scale(tileWidth: Int) -> Int { max(1, (tileWidth + 40) / 160) }

  /// Pixels above and below times.
  static func space(scale: Int) -> Int { 2 * scale }

  /// Height of the row of times below frames of a given width.
  static func rowHeight(tileWidth: Int) -> Int {
    let scale = scale(tileWidth: tileWidth)
    return height * scale + space(scale: scale)
  }

  static func width(of text: String, scale: Int) -> Int {
    max(0, text.count * (width + tracking) - tracking) * scale
  }

  /// Calls `set` for each pixel of a text that starts at the top left; characters without a glyph are spaces.
  static func draw(_ text: String, x: Int, y: Int, scale: Int, set: (_ x: Int, _ y: Int) -> Void) {
    for (i, character) in text.enumerated() {
      let left = x + i * (width + tracking) * scale
      for (row, bits) in (glyphs[character] ?? []).enumerated() {
        for column in 0..<width where bits & (0b10000 >> column) != 0 {
          for dy in 0..<scale {
            for dx in 0..<scale { set(left + column * scale + dx, y + row * scale + dy) }
          }
        }
      }
    }
  }
}
