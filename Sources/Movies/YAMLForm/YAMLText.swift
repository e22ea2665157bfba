import PlainText
import YAML

/// Text as YAML carries it.
enum YAMLText {
  private static let plainBytes = Set("_./+-: ".utf8).union(48...57).union(65...90).union(97...122)

  /// The text as a value behind "key: ": without quotes where it can be, else with all escaped that is not seen.
  static func value(_ text: String) -> String {
    if isPlain(text) { return text }
    // Between single quotes nothing is escaped but they themselves.
    let isSeen = !text.unicodeScalars.contains { $0.steersTerminals }
    return isSeen && text.utf8.contains(UInt8(ascii: "\"")) ? "'\(text.replacing("'", with: "''"))'" : quoted(text)
  }

  /// A number as people write it.
  static func number(_ number: Double) -> String {
    number.rounded() == number && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= 256 else { return false }
    guard text.utf8.allSatisfy(plainBytes.contains) else { return false }
    // Dashes, dots and colons mean something to YAML at some places.
    let isNumber = first == UInt8(ascii: "-") && text.utf8.dropFirst().first.map { (48...57).contains($0) } == true
    guard isNumber || first == UInt8(ascii: "/") || (48...57).contains(first) || (first | 0x20 >= 97 && first | 0x20 <= 122)
    else {
      return false
    }
    if last == UInt8(ascii: " ") || last == UInt8(ascii: ":") || text.contains(": ") { return false }
    let word = text.lowercased()
    return YAMLNode.flag(word) == nil && word != "null"
  }

  /// The text in quotes: whatever it holds, it is nothing else.
  static func quoted(_ text: String) -> String {
    text.quoted { scalar in
      guard scalar.steersTerminals || scalar.value == 0xFEFF else { return nil }
      let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
      return "\\" + letter + String(scalar.value, digits: width, radix: 16, uppercase: true)
    }
  }
}
