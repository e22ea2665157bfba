import Playback

/// The first key of the program's own files, `quadrille`, which says what they are.
enum FileHeader {
  /// What stands behind it, in words with one space between them; comments and marks of YAML may come before it. Nil where
  /// the first key is another, or there is none, and for what is no regular file that can be read.
  static func value(of path: String) -> String? {
    guard InputText.isRegularFile(path), let bytes = try? InputText.beginning(of: path, limit: 4096) else { return nil }
    // Most files of other kinds need not be looked at as text.
    guard bytes.firstRange(of: "quadrille:".utf8) != nil else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: { " \t\u{FEFF}".contains($0) })
      guard let first = words.first, first.first != "#", !first.hasPrefix("---"), first.first != "%" else { continue }
      guard first == "quadrille:" else { return nil }
      return String(words.dropFirst().joined(separator: " ").drop { $0 == "\"" || $0 == "'" })
    }
    return nil
  }
}
