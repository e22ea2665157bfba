import Glibc
import Movies
import Playback

/// Typed paths: names are literal, except for a leading `~`, the home folder. A name that does not exist may be one that a
/// terminal has quoted, escaped or written as a URL, as many do with a file that is dropped on them.
enum TypedPath {
  /// The path meant literally.
  static func expanded(_ text: String, home: String?) -> String {
    guard let home, text == "~" || text.hasPrefix("~/") else { return text }
    return home + text.dropFirst()
  }

  /// The paths that may be meant, the most literal first.
  static func readings(_ text: String, home: String?) -> [String] {
    var readings = [expanded(text, home: home)]
    let word = shellWord(text)
    if let word, word != text { readings.append(text.first == "~" ? expanded(word, home: home) : word) }
    for url in [text, word ?? text] where url.lowercased().hasPrefix("file:") {
      if let path = FileAddress.path(url), !readings.contains(path) { readings.append(path) }
    }
    return readings
  }

  /// The first reading that exists; the literal one if none does. May block on disk access.
  static func existing(_ readings: [String]) -> String {
    readings.first { FolderListing.Entry(path: $0) != nil } ?? readings.first ?? ""
  }

  /// The text as a shell reads it, if it is a single word with surrounding spaces at most; nil otherwise.
  private static func shellWord(_ text: String) -> String? {
    var word = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while rest.first == " " { rest.removeFirst() }
    var quote: Unicode.Scalar?
    while let scalar = rest.popFirst() {
      switch (scalar, quote) {
      case ("'", nil), ("\"", nil): quote = scalar
      case (_, let open?) where scalar == open: quote = nil
      case ("\\", nil):
        guard let escaped = rest.popFirst() else { return nil }
        word.append(escaped)
      case ("\\", "\""):
        guard let next = rest.first else { return nil }
        word.append("\"\\$`".unicodeScalars.contains(next) ? rest.removeFirst() : scalar)
      case (" ", nil):
        guard rest.allSatisfy({ $0 == " " }) else { return nil }
        rest = rest.dropFirst(rest.count)
      default: word.append(scalar)
      }
    }
    return quote == nil && !word.isEmpty ? String(word) : nil
  }

  /// The user's home folder, from the environment.
  static var home: String? {
    guard let name = getenv("HOME"), name.pointee != 0 else { return nil }
    return Asset.path(ofBytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }
}
