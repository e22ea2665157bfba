import PlainText

/// Percent-encoding (RFC 3986).
enum PercentCoding {
  /// Returns the text with its percent-encoded bytes decoded; what is not UTF-8 then is repaired.
  static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = hexByte(rest.prefix(2)) {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text with every byte encoded that may not stand in a path or query, and a percent sign that encodes nothing.
  static func encoded(_ text: Substring) -> String {
    var result: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      let isKept = byte == UInt8(ascii: "%") ? hexByte(rest.prefix(2)) != nil : isAllowed(byte)
      if isKept {
        result.append(byte)
      } else {
        result += "%\(String(byte, digits: 2, radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func hexByte(_ digits: Substring.UTF8View.SubSequence) -> UInt8? {
    let text = Substring(digits)
    guard digits.count == 2, text.allSatisfy(\.isHexDigit) else { return nil }
    return UInt8(text, radix: 16)
  }

  /// True for RFC 3986's unreserved characters and delimiters that a path or query may contain.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
    }
  }
}
