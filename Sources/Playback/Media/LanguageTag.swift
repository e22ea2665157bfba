/// The language of a track, or a preferred language, as a BCP 47 tag: "en", "pt-BR", "zh-Hant".
///
/// Containers name languages in several ways ("eng", "fre", "pt_BR"); equal languages have equal tags.
public struct LanguageTag: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The tag, with its language in lower case, as a two-letter code if there is one.
  public let description: String

  /// Parses a tag, an ISO 639 code, or the language of a locale name ("de_AT.UTF-8"); nil if it is none of these.
  public init?(_ text: some StringProtocol) {
    let name = text.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(separator: "_").flatMap { $0.split(separator: "-") }.map { $0.lowercased() }
    guard let first = parts.first, (2...8).contains(first.utf8.count), first.utf8.allSatisfy(Self.isLetter),
      !Self.nothing.contains(first),
      parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isLetterOrDigit) })
    else { return nil }
    description = ([Self.languages.shortCodes[first] ?? first] + parts.dropFirst().map(Self.subtag)).joined(separator: "-")
  }

  /// Parses comma-separated tags; nil if any is invalid or there are none.
  public static func list(_ text: String) -> [LanguageTag]? {
    let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
    let tags = parts.compactMap { LanguageTag($0) }
    return tags.isEmpty || tags.count < parts.count ? nil : tags
  }

  /// Decodes a tag; throws if it is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let tag = LanguageTag(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a language tag")
    }
    self = tag
  }

  /// Encodes the tag as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// The language alone: "pt" for "pt-BR".
  public var language: String { String(description.prefix { $0 != "-" }) }

  /// The language's English name and the rest of the tag: "Portuguese (BR)". The tag itself if the name is unknown.
  public var displayName: String {
    guard let name = Self.languages.names[language] else { return description }
    let rest = description.dropFirst(language.utf8.count + 1)
    return rest.isEmpty ? name : "\(name) (\(rest))"
  }

  /// Returns how well the tag matches a preference: 0 not at all, 1 in the language only, 2 fully.
  ///
  /// "pt-BR" fully matches a preference for "pt"; "pt" matches one for "pt-BR" in the language only.
  public func match(_ wish: LanguageTag) -> Int {
    if description == wish.description || description.hasPrefix("\(wish.description)-") { return 2 }
    return language == wish.language ? 1 : 0
  }

  /// True if the language is in the table of known languages.
  var isKnown: Bool { Self.names[language] != nil }

  /// English names by language.
  static var names: [String: String] { languages.names }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Capitalises scripts, and upper-cases regions.
  private static func subtag(_ text: String) -> String {
    switch text.utf8.count {
    case 2: text.uppercased()
    case 4 where text.utf8.allSatisfy(isLetter): text.prefix(1).uppercased() + text.dropFirst()
    default: text
    }
  }

  /// Codes that denote no language, or several.
  private static let nothing: Set<String> = ["und", "mis", "mul", "zxx", "posix"]

  private static let languages: (shortCodes: [String: String], names: [String: String]) = {
    var shortCodes: [String: String] = [:], names: [String: String] = [:]
    for entry in table.split(separator: "; ") {
      let fields = entry.split(separator: " ", maxSplits: 2)
      guard fields.count == 3 else { continue }
      names[String(fields[0])] = String(fields[2])
      for code in fields[1].split(separator: "/") { shortCodes[String(code)] = String(fields[0]) }
    }
    shortCodes.merge(former) { $1 }
    return (shortCodes, names)
  }()

  /// Deprecated codes and their replacements. Source: the IANA language subtag registry (BCP 47).
  private static let former = [
    "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "mol": "ro", "scc": "sr", "scr": "hr",
  ]

  // Source: ISO 639-2, the languages that have a code of two letters, with both codes of three where they differ; then some of
  // ISO 639-3 that subtitles are in.
  private static let table = """
    aa aar Afar; ab abk Abkhazian; ae ave Avestan; af afr Afrikaans; ak aka Akan; am amh Amharic; an arg Aragonese; \
    ar ara Arabic; as asm Assamese; av ava Avaric; ay aym Aymara; az aze Azerbaijani; ba bak Bashkir; \
    be bel Belarusian; bg bul Bulgarian; bh bih Bihari languages; bi bis Bislama; bm bam Bambara; bn ben Bangla; \
    bo bod/tib Tibetan; br bre Breton; bs bos Bosnian; ca cat Catalan; ce che Chechen; ch cha Chamorro; \
    co cos Corsican; cr cre Cree; cs ces/cze Czech; cu chu Church Slavic; cv chv Chuvash; cy cym/wel Welsh; \
    da dan Danish; de deu/ger German; dv div Divehi; dz dzo Dzongkha; ee ewe Ewe; el ell/gre Greek; en eng English; \
    eo epo Esperanto; es spa Spanish; et est Estonian; eu eus/baq Basque; fa fas/per Persian; ff ful Fulah; \
    fi fin Finnish; fj fij Fijian; fo fao Faroese; fr fra/fre French; fy fry Western Frisian; ga gle Irish; \
    gd gla Gaelic; gl glg Galician; gn grn Guarani; gu guj Gujarati; gv glv Manx; ha hau Hausa; he heb Hebrew; \
    hi hin Hindi; ho hmo Hiri Motu; hr hrv Croatian; ht hat Haitian; hu hun Hungarian; hy hye/arm Armenian; \
    hz her Herero; ia ina Interlingua (International Auxiliary Language Association); id ind Indonesian; \
    ie ile Interlingue; ig ibo Igbo; ii iii Sichuan Yi; ik ipk Inupiaq; io ido Ido; is isl/ice Icelandic; \
    it ita Italian; iu iku Inuktitut; ja jpn Japanese; jv jav Javanese; ka kat/geo Georgian; kg kon Kongo; \
    ki kik Kikuyu; kj kua Kuanyama; kk kaz Kazakh; kl kal Kalaallisut; km khm Central Khmer; kn kan Kannada; \
    ko kor Korean; kr kau Kanuri; ks kas Kashmiri; ku kur Kurdish; kv kom Komi; kw cor Cornish; ky kir Kirghiz; \
    la lat Latin; lb ltz Luxembourgish; lg lug Ganda; li lim Limburgan; ln lin Lingala; lo lao Lao; \
    lt lit Lithuanian; lu lub Luba-Katanga; lv lav Latvian; mg mlg Malagasy; mh mah Marshallese; mi mri/mao Maori; \
    mk mkd/mac Macedonian; ml mal Malayalam; mn mon Mongolian; mr mar Marathi; ms msa/may Malay; mt mlt Maltese; \
    my mya/bur Burmese; na nau Nauru; nb nob Bokmål; nd nde Ndebele; ne nep Nepali; ng ndo Ndonga; nl nld/dut Dutch; \
    nn nno Norwegian Nynorsk; no nor Norwegian; nr nbl Ndebele; nv nav Navajo; ny nya Chichewa; \
    oc oci Occitan (post 1500); oj oji Ojibwa; om orm Oromo; or ori Oriya; os oss Ossetian; pa pan Panjabi; \
    pi pli Pali; pl pol Polish; ps pus Pushto; pt por Portuguese; qu que Quechua; rm roh Romansh; rn run Rundi; \
    ro ron/rum Romanian; ru rus Russian; rw kin Kinyarwanda; sa san Sanskrit; sc srd Sardinian; sd snd Sindhi; \
    se sme Northern Sami; sg sag Sango; si sin Sinhala; sk slk/slo Slovak; sl slv Slovenian; sm smo Samoan; \
    sn sna Shona; so som Somali; sq sqi/alb Albanian; sr srp Serbian; ss ssw Swati; st sot Sotho; su sun Sundanese; \
    sv swe Swedish; sw swa Swahili; ta tam Tamil; te tel Telugu; tg tgk Tajik; th tha Thai; ti tir Tigrinya; \
    tk tuk Turkmen; tl tgl Tagalog; tn tsn Tswana; to ton Tonga (Tonga Islands); tr tur Turkish; ts tso Tsonga; \
    tt tat Tatar; tw twi Twi; ty tah Tahitian; ug uig Uighur; uk ukr Ukrainian; ur urd Urdu; uz uzb Uzbek; \
    ve ven Venda; vi vie Vietnamese; vo vol Volapük; wa wln Walloon; wo wol Wolof; xh xho Xhosa; yi yid Yiddish; \
    yo yor Yoruba; za zha Zhuang; zh zho/chi Chinese; zu zul Zulu; \
    ast ast Asturian; ceb ceb Cebuano; cmn cmn Mandarin; fil fil Filipino; gsw gsw Swiss German; haw haw Hawaiian; nds nds Low German; \
    scn scn Sicilian; yue yue Cantonese
    """
}
