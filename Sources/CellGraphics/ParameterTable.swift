/// The bytes of `;0` … `;255`, each in a word that can be stored with one instruction.
///
/// `@unchecked Sendable`: the memory is written only in `init` and read afterwards; the single instance is never freed.
final class ParameterTable: @unchecked Sendable {
  static let shared = ParameterTable()

  let words: UnsafePointer<UInt32>

  private init() {
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    for value in 0..<256 {
      var word = UInt32(UInt8(ascii: ";"))
      for (n, digit) in String(value).utf8.enumerated() { word |= UInt32(digit) << (8 * (n + 1)) }
      (words + value).initialize(to: word.littleEndian)
    }
    self.words = UnsafePointer(words)
  }

  /// Returns the number of bytes used in the word.
  @inline(__always)
  static func length(_ value: UInt32) -> Int { 2 + (value > 9 ? 1 : 0) + (value > 99 ? 1 : 0) }
}
