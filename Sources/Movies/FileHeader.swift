import Playback

/// The first key of Quadrille's own files, `quadrille`, which gives their kind.
package enum FileHeader {
  /// The value of the key, as words separated by single spaces. YAML comments and markers may come before the key.
  ///
  /// Nil if there is no such first key, or if this is not a readable regular file.
  package static func value(of path: String) -> String? {
    guard InputText.isRegularFile(path), let bytes = try? InputText.beginning(of: path, limit: 4096) else { return nil }
    let text = InputText.plain(bytes)
    // A quick check: most other files need not be decoded as text.
    guard text.firstRange(of: "quadrille:".utf8) != nil else { return nil }
    for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: { " \t".contains($0) })
      guard let first = words.first, first.first != "#", !first.hasPrefix("---"), first.first != "%" else { continue }
      guard first == "quadrille:" else { return nil }
      return String(words.dropFirst().joined(separator: " ").drop { $0 == "\"" || $0 == "'" })
    }
    return nil
  }
}
