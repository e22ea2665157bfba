import Libav

/// The properties of subtitles given by a file's name, relative to a clip's.
struct SubtitleFileName: Hashable, Sendable {
  var language: LanguageTag?
  /// True if the subtitles are forced.
  var isForced = false
  /// True if the subtitles also describe sounds.
  var isForHearingImpaired = false

  /// Endings of files that hold subtitles.
  static let endings: Set<String> = ["srt", "vtt", "ass", "ssa", "sub", "smi", "sami", "mpl", "jss", "stl", "rt", "usf", "sup", "scc", "idx"]

  /// One that says nothing but a language.
  init(language: LanguageTag?) { self.language = language }

  /// - Returns: nil where it does not belong to the clip: `clip.srt`, `clip.mp4.srt`, `clip.en.ass`, `clip.English.srt` and
  ///   `clip.pt-BR.forced.srt` belong to `clip.mp4`, `clip2.srt` does not.
  init?(_ name: String, ofClip clip: String) {
    let stem = clip.lastIndex(of: ".").map { clip[..<$0] } ?? clip[...]
    guard SubtitleFile.isNamed(name), name.hasPrefix(stem), let dot = name.lastIndex(of: ".") else { return nil }
    let rest = name[..<dot].dropFirst(stem.count)
    guard rest.isEmpty || rest.first == "." else { return nil }
    // In `clip.mkv.srt` the first part is the clip's.
    let ending = clip.dropFirst(stem.count + 1).lowercased()
    let parts = rest.split(separator: ".").filter { $0.lowercased() != ending }
    // The "hi" of "hi-IN" is no mark.
    let words = Set(parts.filter { $0.lowercased() == "hi" || LanguageTag(known: $0)?.language != "hi" }.flatMap { Self.words($0) })
    isForced = !words.isDisjoint(with: ["forced", "foreign"])
    // If nothing else names a language, "hi" is Hindi.
    let languages = parts.indices.filter { parts[$0].lowercased() != "hi" }.compactMap { i in
      Self.regionalTag(i > 0 ? parts[i - 1] : "", parts[i]) ?? Self.language(of: parts[i])
    }
    isForHearingImpaired = !words.isDisjoint(with: ["sdh", "cc"]) || (words.contains("hi") && !languages.isEmpty)
    // It stands at the end: what comes before may be words of a title.
    language = languages.last ?? parts.last { $0.lowercased() == "hi" }.flatMap { LanguageTag($0) }
  }

  /// The language of a region that two parts name: `pt.br`, `zh.tw`; nil where they do not.
  private static func regionalTag(_ language: Substring, _ region: Substring) -> LanguageTag? {
    let text = "\(language)-\(region)".lowercased()
    return regionalTags.contains(text) ? LanguageTag(known: text) : nil
  }

  /// Regions that are told apart in names of files; the region alone would be Breton, Twi, Catalan, Ukrainian.
  private static let regionalTags: Set<String> = [
    "de-at", "de-ch", "de-de", "en-au", "en-ca", "en-gb", "en-uk", "en-us", "es-ar", "es-es", "es-mx", "fr-be", "fr-ca", "fr-ch", "fr-fr",
    "it-ch", "it-it", "nl-be", "nl-nl", "pt-br", "pt-pt", "zh-cn", "zh-hk", "zh-sg", "zh-tw",
  ]

  /// The language that a part names, by a tag or by what people call it: "pt-BR", "English (SDH)"; nil where it names none.
  private static func language(of part: Substring) -> LanguageTag? {
    if let tag = LanguageTag(known: part) { return tag }
    let words = words(part)
    // "Bahasa" is a language, which one the next word says.
    let names = words.filter { $0 != "bahasa" }
    guard let tag = (names + words).lazy.compactMap({ LanguageTag(named: $0) }).first else { return nil }
    guard tag.language == "zh" else { return tag }
    return words.contains("simplified") ? LanguageTag("zh-Hans") : words.contains("traditional") ? LanguageTag("zh-Hant") : tag
  }

  private static func words(_ part: Substring) -> [String] {
    part.lowercased().split { " _-()[]+,".contains($0) }.map(String.init)
  }

  /// Names without those of images that an index beside them belongs to: `clip.sub` beside `clip.idx`.
  private static func withoutParts(_ names: [String]) -> [String] {
    let indexes = Set(names.filter { $0.lowercased().hasSuffix(".idx") }.map { $0.dropLast(4) })
    return names.filter { !$0.lowercased().hasSuffix(".sub") || !indexes.contains($0.dropLast(4)) }
  }

  /// Returns true if a file has nothing but the clip's name before its ending: `clip.srt`, `clip.mp4.srt`.
  private static func isBare(_ name: String, _ clip: String) -> Bool {
    let base = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return base == clip || base == clip.lastIndex(of: ".").map { clip[..<$0] } ?? clip[...]
  }

  /// Files of a clip that are taken at the most, and names of such that are looked at.
  private static let maxFiles = 64
  private static let maxNames = 1024

  /// The files of subtitles beside a clip that belong to it: the ones that have its very name first, then in the order of their names;
  /// none where the folder cannot be listed. May block for as long as a disk does.
  static func files(besideClip path: String) -> [(path: String, name: SubtitleFileName)] {
    let folder = FileName.folder(of: path)
    let clip = FileName.base(of: path)
    let listing = try? FolderListing.read(folder.isEmpty ? "." : folder, limit: maxNames) { SubtitleFileName($0, ofClip: clip) != nil }
    let names = withoutParts((listing?.entries ?? []).filter { !$0.isFolder }.map(\.name)).sorted { first, second in
      let parts = [first, second].map { $0.count { $0 == "." } }
      let areBare = [first, second].map { isBare($0, clip) }
      return areBare[0] != areBare[1] ? areBare[0] : areBare[0] && parts[0] != parts[1] ? parts[0] < parts[1] : first < second
    }.prefix(maxFiles)
    return names.compactMap { name in
      SubtitleFileName(name, ofClip: clip).map { (folder + name, $0) }
    }
  }
}
