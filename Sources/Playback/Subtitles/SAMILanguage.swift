import Libav

/// A language of a SAMI file with several: the class of its paragraphs.
package struct SAMILanguage: Hashable, Sendable {
  /// The name of the class, in lower case.
  private let name: String
  /// The display name; nil if the file gives none. Untrusted text.
  let title: String?
  /// The language tag as it is in the file. Untrusted text.
  let language: String
  /// The classes of the file's other languages.
  private var others: Set<String> = []

  /// The maximum number of languages in a file.
  private static let maxCount = 16

  /// Returns the languages of a file, in the order of its style sheet; empty if paragraphs have fewer than two, and for
  /// other formats. Reads packets, which libavformat has in memory, and rewinds.
  ///
  /// - Throws: an error of the layer below.
  static func all(in demuxer: Demuxer) throws -> [SAMILanguage] {
    guard demuxer.formatName == "sami", let stream = demuxer.streams.first?.index else { return [] }
    let stated = Self.stated(in: String(decoding: demuxer.codecHeaders(ofStream: stream), as: UTF8.self))
    guard stated.count > 1 else { return [] }
    // Headers often name languages that the file does not have.
    var used: Set<String> = []
    let packet = try Packet()
    while used.count < stated.count, try demuxer.read(into: packet) == .packet {
      let text = packet.withBytes { String(decoding: $0, as: UTF8.self) }
      used.formUnion(paragraphs(of: text).compactMap(\.name).filter { name in stated.contains { $0.name == name } })
    }
    guard !used.isEmpty else { return [] }
    try demuxer.seekToFirstSubtitle()
    guard used.count > 1 else { return [] }
    return stated.filter { used.contains($0.name) }.map {
      var language = $0
      language.others = used.subtracting([$0.name])
      return language
    }
  }

  /// Returns the classes of a style sheet that state a language: `.ENCC { Name: English; lang: en-US; }`.
  private static func stated(in header: String) -> [SAMILanguage] {
    var languages: [SAMILanguage] = []
    for rule in header.matches(of: #/\.([A-Za-z0-9_\-]+)\s*\{([^}]*)\}/#) where languages.count < maxCount {
      var properties: [String: String] = [:]
      for property in rule.2.split(separator: ";") {
        let parts = property.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix { $0.isWhitespace } }
        guard parts.count == 2 else { continue }
        let value = String(parts[1].reversed().trimmingPrefix { $0.isWhitespace }.reversed())
        properties[parts[0].filter { !$0.isWhitespace }.lowercased()] = value
      }
      let name = rule.1.lowercased()
      guard let language = properties["lang"], !languages.contains(where: { $0.name == name }) else { continue }
      languages.append(SAMILanguage(name: name, title: properties["name"], language: language))
    }
    return languages
  }

  /// Returns the paragraphs of a packet's text, each with the name of its class in lower case; what precedes the first has
  /// no class.
  private static func paragraphs(of text: String) -> [(name: String?, text: Substring)] {
    let starts = text.matches(of: #/<[Pp](?:\s[^>]*)?>/#).map(\.range.lowerBound)
    return zip([text.startIndex] + starts, starts + [text.endIndex]).map { start, end in
      let part = text[start..<end]
      let tag = part.prefixMatch(of: #/<[Pp]\s[^>]*?[Cc][Ll][Aa][Ss][Ss]\s*=\s*["']?([A-Za-z0-9_\-]+)/#)
      return (tag.map { $0.1.lowercased() }, part)
    }
  }

  /// Returns a packet's text without the paragraphs of other languages; nil if it has no others.
  func text(in text: String) -> String? {
    let parts = Self.paragraphs(of: text)
    let own = parts.filter { part in part.name.map { !others.contains($0) } ?? true }
    return own.count > 1 || own.count == parts.count ? own.map(\.text).joined() : nil
  }
}
