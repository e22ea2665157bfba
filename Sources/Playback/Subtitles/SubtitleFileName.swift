import Libav

/// The properties of subtitles given by a file's name, relative to a clip's.
struct SubtitleFileName: Hashable, Sendable {
  var language: LanguageTag?
  /// True if the subtitles are forced.
  var isForced = false
  /// True if the subtitles also describe sounds.
  var isForHearingImpaired = false

  /// Extensions of subtitle files.
  static let endings: Set<String> = ["srt", "vtt", "ass", "ssa", "sub", "smi", "sami", "mpl", "jss", "stl", "rt", "usf", "sup", "scc", "idx"]

  /// Creates properties with only a language.
  init(language: LanguageTag?) { self.language = language }

  /// - Returns: nil if it does not belong to the clip: `clip.srt`, `clip.mp4.srt`, `clip.en.ass`, `clip.English.srt` and
  ///   `clip.pt-BR.forced.srt` belong to `clip.mp4`, `clip2.srt` does not.
  init?(_ name: String, ofClip clip: String) {
    let stem = Self.stem(ofClip: clip)
    guard SubtitleFile.isNamed(name), name.hasPrefix(stem), let dot = name.lastIndex(of: ".") else { return nil }
    let rest = name[..<dot].dropFirst(stem.count)
    guard rest.isEmpty || rest.first == "." else { return nil }
    // In `clip.mkv.srt`, the first part is the clip's extension.
    let ending = clip.dropFirst(stem.count + 1).lowercased()
    let parts = rest.split(separator: ".").filter { $0.lowercased() != ending }
    // The "hi" of "hi-IN" is no mark for the hearing impaired.
    let words = Set(parts.filter { $0.lowercased() == "hi" || LanguageTag(known: $0)?.language != "hi" }.flatMap { Self.words($0) })
    isForced = !words.isDisjoint(with: ["forced", "foreign"])
    // If nothing else names a language, "hi" is Hindi.
    let languages = parts.indices.filter { parts[$0].lowercased() != "hi" }.compactMap { i in
      Self.regionalTag(i > 0 ? parts[i - 1] : "", parts[i]) ?? Self.language(of: parts[i])
    }
    isForHearingImpaired = !words.isDisjoint(with: ["sdh", "cc"]) || (words.contains("hi") && !languages.isEmpty)
    // It is at the end, since what comes before may be words of a title.
    language = languages.last ?? parts.last { $0.lowercased() == "hi" }.flatMap { LanguageTag($0) }
  }

  /// The part of a clip's name that begins the names of its subtitle files.
  static func stem(ofClip clip: String) -> Substring { clip.lastIndex(of: ".").map { clip[..<$0] } ?? clip[...] }

  /// The stems of the clips that a subtitle file can belong to: `a.en`, `a` for `a.en.srt`.
  static func stems(of name: String) -> some Sequence<Substring> {
    sequence(first: stem(ofClip: name)) { stem in stem.lastIndex(of: ".").map { stem[..<$0] } }
  }

  /// Returns the regional language given by two parts: `pt.br`, `zh.tw`; nil if they give none.
  private static func regionalTag(_ language: Substring, _ region: Substring) -> LanguageTag? {
    let text = "\(language)-\(region)".lowercased()
    return regionalTags.contains(text) ? LanguageTag(known: text) : nil
  }

  /// Regions used in file names; the region codes alone would be Breton, Twi, Catalan, Ukrainian.
  private static let regionalTags: Set<String> = [
    "de-at", "de-ch", "de-de", "en-au", "en-ca", "en-gb", "en-uk", "en-us", "es-ar", "es-es", "es-mx", "fr-be", "fr-ca", "fr-ch", "fr-fr",
    "it-ch", "it-it", "nl-be", "nl-nl", "pt-br", "pt-pt", "zh-cn", "zh-hk", "zh-sg", "zh-tw",
  ]

  /// Returns the language of a part, given as a tag or a name: "pt-BR", "English (SDH)"; nil if it gives none.
  private static func language(of part: Substring) -> LanguageTag? {
    if let tag = LanguageTag(known: part) { return tag }
    let words = words(part)
    // "Bahasa" means a language, which the next word names.
    let names = words.filter { $0 != "bahasa" }
    guard let tag = (names + words).lazy.compactMap({ LanguageTag(named: $0) }).first else { return nil }
    guard tag.language == "zh" else { return tag }
    return words.contains("simplified") ? LanguageTag("zh-Hans") : words.contains("traditional") ? LanguageTag("zh-Hant") : tag
  }

  private static func words(_ part: Substring) -> [String] {
    part.lowercased().split { " _-()[]+,".contains($0) }.map(String.init)
  }

  /// Removes the names of image files that belong to an index: `clip.sub` next to `clip.idx`.
  private static func withoutParts(_ names: [String]) -> [String] {
    let indexes = Set(names.filter { $0.lowercased().hasSuffix(".idx") }.map { $0.dropLast(4) })
    return names.filter { !$0.lowercased().hasSuffix(".sub") || !indexes.contains($0.dropLast(4)) }
  }

  /// Returns true if a file has nothing but the clip's name before its ending: `clip.srt`, `clip.mp4.srt`.
  private static func isBare(_ name: String, _ clip: String) -> Bool {
    let base = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return base == clip || base == clip.lastIndex(of: ".").map { clip[..<$0] } ?? clip[...]
  }

  /// The maximum number of subtitle files per clip, and of matching names examined.
  private static let maxFiles = 64
  private static let maxNames = 1024

  /// Returns the subtitle files next to a clip that belong to it: first those with its exact name, then by name; none if
  /// the folder cannot be listed. May block on disk access.
  static func files(besideClip path: String) -> [(path: String, name: SubtitleFileName)] {
    let folder = FileName.folder(of: path)
    let clip = FileName.base(of: path)
    let listing = try? FolderListing.read(folder.isEmpty ? "." : folder, limit: maxNames) { SubtitleFileName($0, ofClip: clip) != nil }
    // A subtitle file may be played by itself.
    let found = withoutParts((listing?.entries ?? []).filter { !$0.isFolder }.map(\.name)).filter { $0 != clip }
    let names = found.sorted { first, second in
      let parts = [first, second].map { $0.count { $0 == "." } }
      let areBare = [first, second].map { isBare($0, clip) }
      return areBare[0] != areBare[1] ? areBare[0] : areBare[0] && parts[0] != parts[1] ? parts[0] < parts[1] : first < second
    }.prefix(maxFiles)
    return names.compactMap { name in
      SubtitleFileName(name, ofClip: clip).map { (folder + name, $0) }
    }
  }
}
