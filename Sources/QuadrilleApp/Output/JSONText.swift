import FoundationEssentials
import PlainText

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
      if scalar != "\n", scalar.steersTerminals {
        result.append(contentsOf: scalar.escapedForJSON.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
