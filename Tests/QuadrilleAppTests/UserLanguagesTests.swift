import Testing

@testable import QuadrilleApp

/// The user's languages, as the locale names them.
@Suite(.timeLimit(.minutes(20))) struct UserLanguagesTests {
  @Test func languages() {
    func tags(_ environment: [String: String]) -> [String] { UserLanguages.tags(environment: environment).map(\.description) }
    #expect(tags(["LANG": "de_AT.UTF-8"]) == ["de-AT"] && tags(["LANG": "C"]) == [] && tags([:]) == [])
    #expect(tags(["LANGUAGE": "fr:en", "LC_MESSAGES": "de_DE", "LANG": "it_IT"]) == ["fr", "en", "de-DE"])
    #expect(tags(["LC_ALL": "es_ES", "LC_MESSAGES": "de_DE"]) == ["es-ES"] && tags(["LC_ALL": "", "LANG": "it"]) == ["it"])
  }

  @Test(arguments: [
    ("cs_CZ.ISO-8859-2", "ISO-8859-2"), ("ru_RU.KOI8-R", "KOI8-R"), ("de_DE.ISO-8859-15@euro", "ISO-8859-15"),
    ("de_DE.UTF-8", nil), ("de_DE.utf8", nil), ("C", nil), ("de_DE", nil), ("x.", nil), ("x.no such", nil), ("", nil),
  ] as [(String, String?)])
  func encodings(locale: String, encoding: String?) {
    #expect(UserLanguages.encoding(environment: ["LANG": locale]) == encoding)
    #expect(UserLanguages.encoding(environment: ["LANG": "C.UTF-8", "LC_CTYPE": locale]) == (locale.isEmpty ? nil : encoding))
  }
}
