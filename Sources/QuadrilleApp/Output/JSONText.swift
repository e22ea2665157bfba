import FoundationEssentials
import PlainText

/// JSON text that is safe to display.
enum JSONText {
  /// Encodes with sorted keys. The text has no control characters, and decoding restores the original strings.
  ///
  /// `JSONEncoder` escapes only what JSON requires: up to U+001F.
  static func encoded(_ value: some Encodable, isPretty: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Line ends occur only between values.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar != "\n", scalar.steersTerminals {
        result.append(contentsOf: scalar.escapedForJSON.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
