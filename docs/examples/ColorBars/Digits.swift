import Playback

/// Four digits of 3 by 5 dots in the bottom two fifths of a frame.
enum Digits {
  static let top = 0.6
  private static let count = 4
  /// The dots of 0 to 9, row by row, starting with the highest of 15 bits.
  private static let dots = [
    0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111, 0b101_101_111_001_001,
    0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_001_001, 0b111_101_111_101_111, 0b111_101_111_001_111,
  ]

  /// Returns true if a number has a dot at (x, y) of the frame, with coordinates from 0 to 1.
  static func isSet(_ x: Double, _ y: Double, of number: Int) -> Bool {
    let (column, row) = (Int(x * Double(4 * count)), Int((y - top) / (1 - top) * 7) - 1)
    guard column % 4 < 3, 0..<5 ~= row else { return false }
    let digit = String(number + 10_000).suffix(count).map { $0.wholeNumberValue ?? 0 }[min(column / 4, count - 1)]
    return dots[digit] >> (14 - 3 * row - column % 4) & 1 == 1
  }

  /// Reads the number in an image of a whole frame; nil if there is none.
  static func number(in image: PixelImage) -> Int? {
    (0..<count).reduce(0 as Int?) { number, place in
      let bits = (0..<15).reduce(0) { bits, dot in
        let x = (Double(4 * place + dot % 3) + 0.5) / Double(4 * count)
        let y = top + (Double(dot / 3) + 1.5) / 7 * (1 - top)
        return bits << 1 | (image[Int(x * Double(image.width)), Int(y * Double(image.height))].green > 127 ? 1 : 0)
      }
      guard let number, let digit = dots.firstIndex(of: bits) else { return nil }
      return number * 10 + digit
    }
  }
}
