/// A terminal's name and version from its XTVERSION reply: `XTerm(379)`, `tmux 3.5a`.
///
/// Untrusted; used only in comparisons.
struct TerminalName: Equatable {
  let name: String
  /// The leading numeric components of the version; empty if there are none.
  let version: [Int]

  init(_ answer: String) {
    let name = answer.prefix { $0 != "(" && $0 != " " }
    self.name = String(name)
    var numbers: [Int] = []
    for part in answer.dropFirst(name.count + 1).split(separator: ".", omittingEmptySubsequences: false) {
      let digits = part.prefix { ("0"..."9").contains($0) }
      guard let number = Int(digits) else { break }
      numbers.append(number)
      if digits.count < part.count { break }
    }
    version = numbers
  }

  /// Versions since which terminals repeat whole characters (REP), even multibyte ones; empty if they always have since they
  /// report their names. Others repeat one byte of a half block, or nothing.
  private static let repeating: [String: [Int]] = [
    "foot": [], "ghostty": [], "kitty": [], "Konsole": [], "tmux": [3, 5], "VTE": [], "WezTerm": [], "XTerm": [357],
  ]

  /// True if the terminal is known to repeat whole characters.
  var repeatsGlyphs: Bool {
    guard let least = Self.repeating[name] else { return false }
    return !version.lexicographicallyPrecedes(least)
  }
}
