import CUtf8proc
import Glibc

extension LanguageTag {
  /// Creates the tag of a language from its name in English or in the language itself: "German", "Deutsch", "francais".
  /// Ignores case and accents. Nil if the name is unknown.
  init?(named word: some StringProtocol) {
    guard let tag = Self.tagsByName[Self.folded(word)] else { return nil }
    self.init(tag)
  }

  /// Creates a tag only for a known language.
  init?(known text: some StringProtocol) {
    self.init(text)
    guard isKnown else { return nil }
  }

  /// Tags by folded name.
  private static let tagsByName: [String: String] = {
    var tags: [String: String] = [:]
    for (tag, name) in names where !name.contains(" ") { tags[folded(name)] = tag }
    for entry in endonyms.split(separator: "; ") {
      let words = entry.split(separator: " ")
      for word in words.dropFirst() { tags[folded(word)] = String(words[0]) }
    }
    return tags
  }()

  /// Removes case and accents.
  private static func folded(_ word: some StringProtocol) -> String {
    let options = UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_STRIPMARK.rawValue | UTF8PROC_CASEFOLD.rawValue
    let bytes = Array(word.utf8)
    var result: UnsafeMutablePointer<UInt8>?
    let count = utf8proc_map(bytes, bytes.count, &result, utf8proc_option_t(options))
    guard count >= 0, let result else { return word.lowercased() }
    defer { free(result) }
    return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
  }

  // Native names of languages, and other words in use for them. Source: the Unicode CLDR, names of languages.
  private static let endonyms = """
    ar العربية arabi; be беларуская; bg български; bn বাংলা bengali; bs bosanski; ca català; cs čeština česky cesky; cy cymraeg; da dansk; \
    de deutsch; el ελληνικά ellinika; es español castellano castilian; et eesti; eu euskara; fa فارسی farsi; fi suomi; fil filipino; \
    fr français; ga gaeilge; gl galego; he עברית ivrit; hi हिन्दी; hr hrvatski; hu magyar; hy հայերեն; id bahasa indonesia; is íslenska; it italiano; \
    ja 日本語 nihongo; ka ქართული; kk қазақша; km khmer ខ្មែរ; ko 한국어 hangul; lt lietuvių; lv latviešu; mk македонски; ml മലയാളം; \
    ms melayu malaysia; nb norsk bokmal; nl nederlands flemish vlaams; nn nynorsk; pa punjabi; pl polski; pt português; pt-BR brazilian brasileiro; \
    ro română; ru русский; sk slovenčina slovensky; sl slovenščina; sq shqip; sr српски srpski; sv svenska; ta தமிழ்; te తెలుగు; th ไทย; \
    tl pilipino; tr türkçe; uk українська; ur اردو; vi việt tiếng; yue cantonese; zh 中文 mandarin; zh-Hans 简体 简体中文 chs; zh-Hant 繁體 繁體中文 繁体 cht
    """
}
