/// Base64 (RFC 4648) with padding.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends encoded bytes.
  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
    let count = (bytes.count + 2) / 3 * 4
    let start = text.count
    text.reserveCapacity(start + count)
    digits.withUnsafeBufferPointer { digits in
      var index = 0
      while index + 3 <= bytes.count {
        let word = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
        for shift: UInt32 in [18, 12, 6, 0] { text.append(digits[Int(word >> shift & 63)]) }
        index += 3
      }
      let rest = bytes.count - index
      guard rest > 0 else { return }
      let word = UInt32(bytes[index]) << 16 | (rest == 2 ? UInt32(bytes[index + 1]) << 8 : 0)
      text.append(digits[Int(word >> 18 & 63)])
      text.append(digits[Int(word >> 12 & 63)])
      text.append(rest == 2 ? digits[Int(word >> 6 & 63)] : UInt8(ascii: "="))
      text.append(UInt8(ascii: "="))
    }
  }

  static func encoded(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    Array(text.utf8).withUnsafeBufferPointer { append($0, to: &result) }
    return result
  }
}
