import PlainText
import YAML

/// Writes scalars as YAML.
package enum YAMLText {
  private static let plainBytes = Set("_./+-: ".utf8).union(48...57).union(65...90).union(97...122)

  /// The text as a value after "key: ": without quotes if possible, else quoted, with invisible characters escaped.
  package static func value(_ text: String) -> String {
    if isPlain(text) { return text }
    // Single-quoted text escapes only single quotes.
    let isSeen = !text.unicodeScalars.contains { $0.steersTerminals }
    return isSeen && text.utf8.contains(UInt8(ascii: "\"")) ? "'\(text.replacing("'", with: "''"))'" : quoted(text)
  }

  /// A number in its shortest form.
  static func number(_ number: Double) -> String {
    number.rounded() == number && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= 256 else { return false }
    guard text.utf8.allSatisfy(plainBytes.contains) else { return false }
    // Dashes, dots and colons have a meaning in YAML in some places.
    let isNumber = first == UInt8(ascii: "-") && text.utf8.dropFirst().first.map { (48...57).contains($0) } == true
    guard isNumber || first == UInt8(ascii: "/") || (48...57).contains(first) || (first | 0x20 >= 97 && first | 0x20 <= 122)
    else {
      return false
    }
    if last == UInt8(ascii: " ") || last == UInt8(ascii: ":") || text.contains(": ") { return false }
    let word = text.lowercased()
    return YAMLNode.flag(word) == nil && word != "null"
  }

  /// The text in double quotes, with everything escaped that YAML would not read as text.
  static func quoted(_ text: String) -> String {
    text.quoted { scalar in
      guard scalar.steersTerminals || scalar.value == 0xFEFF else { return nil }
      let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
      return "\\" + letter + String(scalar.value, digits: width, radix: 16, uppercase: true)
    }
  }
}
