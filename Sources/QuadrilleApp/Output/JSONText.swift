import FoundationEssentials

/// Values as JSON text that is safe to look at.
enum JSONText {
  /// Encodes with sorted keys. Nothing in the text steers a terminal, and a decoder gets the strings as they were.
  ///
  /// The encoder itself escapes only what JSON wants to be escaped: up to U+001F.
  static func encoded(_ value: some Encodable, isPretty: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Line ends stand between the values only.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard scalar != "\n", steers(scalar) else {
        result.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? .init() {
        let digits = String(unit, radix: 16)
        result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
      }
    }
    return String(result)
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}
