import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct LanguageTagTests {
  @Test(arguments: [
    ("eng", "en"), ("en", "en"), ("EN", "en"), ("fre", "fr"), ("fra", "fr"), ("ger", "de"), ("deu", "de"),
    ("pt_BR", "pt-BR"), ("pt-br", "pt-BR"), ("zh-hant", "zh-Hant"), ("zh-hans-cn", "zh-Hans-CN"), ("chi", "zh"),
    ("de_AT.UTF-8", "de-AT"), ("sr_RS@latin", "sr-RS"), ("en_US.UTF-8", "en-US"), ("tlh", "tlh"), ("gsw", "gsw"),
    ("es-419", "es-419"), ("iw", "he"), ("iw_IL", "he-IL"), ("in", "id"), ("ji", "yi"), ("jw", "jv"), ("mo", "ro"), ("scr", "hr"),
  ])
  func manyNamesAreOneTag(text: String, tag: String) {
    #expect(LanguageTag(text)?.description == tag)
  }

  @Test(arguments: ["", "und", "mul", "zxx", "mis", "C", "C.UTF-8", "POSIX", "e", "en us", "12", "\u{1B}[31m", "en-", "languageless"])
  func whatNamesNoLanguage(text: String) {
    #expect(LanguageTag(text) == (text == "en-" ? LanguageTag("en") : nil))
  }

  @Test func names() {
    #expect(LanguageTag("eng")?.displayName == "English")
    #expect(LanguageTag("pt-BR")?.displayName == "Portuguese (BR)")
    #expect(LanguageTag("zul")?.displayName == "Zulu" && LanguageTag("aar")?.displayName == "Afar")
    #expect(LanguageTag("tlh")?.displayName == "tlh")
  }

  @Test func wishesAreMet() throws {
    func match(_ tag: String, _ wish: String) throws -> Int {
      try #require(LanguageTag(tag)).match(try #require(LanguageTag(wish)))
    }
    #expect(try match("eng", "en") == 2 && match("pt-BR", "pt") == 2 && match("pt-BR", "pt-BR") == 2)
    #expect(try match("pt", "pt-BR") == 1 && match("pt-PT", "pt-BR") == 1)
    #expect(try match("en", "de") == 0 && match("eng", "enm") == 0)
  }

  @Test func lists() {
    #expect(LanguageTag.list("en,pt-BR")?.map(\.description) == ["en", "pt-BR"])
    #expect(LanguageTag.list("ger, fre")?.map(\.description) == ["de", "fr"])
    #expect(LanguageTag.list("") == nil && LanguageTag.list("en,nothing at all") == nil)
  }
}
