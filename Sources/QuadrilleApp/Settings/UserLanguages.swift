import Playback
import Terminal

/// The languages of the user's locale.
public enum UserLanguages {
  /// From LANGUAGE, LC_ALL, LC_MESSAGES and LANG, in the order in which programs choose messages.
  public static func tags(environment: [String: String]) -> [LanguageTag] {
    let list = environment["LANGUAGE"].map { $0.split(separator: ":").map(String.init) } ?? []
    return (list + [locale("LC_MESSAGES", environment)].compactMap { $0 }).compactMap { LanguageTag($0) }
  }

  /// The encoding of the user's locale, as named by iconv; nil if it is UTF-8 or unspecified.
  public static func encoding(environment: [String: String]) -> String? {
    guard let name = TerminalCapabilities.codeset(named: locale("LC_CTYPE", environment)), !TerminalCapabilities.isUTF8(name),
      SubtitleFile.isEncoding(name)
    else { return nil }
    return name
  }

  private static func locale(_ category: String, _ environment: [String: String]) -> String? {
    ["LC_ALL", category, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }
}
