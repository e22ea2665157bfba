import Playback

/// The languages that the user's locale names.
public enum UserLanguages {
  /// Of LANGUAGE, LC_ALL, LC_MESSAGES and LANG, in the order in which programs choose messages by them.
  public static func tags(environment: [String: String]) -> [LanguageTag] {
    let list = environment["LANGUAGE"].map { $0.split(separator: ":").map(String.init) } ?? []
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return (list + [locale].compactMap { $0 }).compactMap { LanguageTag($0) }
  }
}
