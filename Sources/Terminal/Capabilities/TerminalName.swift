import Pixels

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

  /// The shapes of cells that terminals draw themselves, and the versions since which they do; empty if they always have since
  /// they report their names.
  private static let shapes: [String: [(CellShapes, since: [Int])]] = [
    "ghostty": [(.sextants, []), (.all, [1, 2])],
    "foot": [(.sextants, []), (.all, [1, 20])],
    "kitty": [(.sextants, []), (.all, [0, 40])],
    // 0.78 is reported as 7800.
    "VTE": [(.sextants, []), (.all, [7800])],
    "WezTerm": [(.sextants, [])],
    "alacritty": [(.sextants, [0, 13])],
  ]

  /// The shapes of cells that the terminal is known to have besides blocks.
  var cellShapes: CellShapes {
    let known = Self.shapes[name] ?? []
    return known.last { !version.lexicographicallyPrecedes($0.since) }?.0 ?? .blocks
  }

  /// True if the terminal is known to display inline images as iTerm2 does. That of VS Code does so only with sixels.
  func hasITerm(hasSixel: Bool) -> Bool {
    ["iTerm2", "WezTerm", "mintty"].contains(name) || (name == "xterm.js" && hasSixel)
  }

  /// True if the terminal is known to repeat whole characters.
  var repeatsGlyphs: Bool {
    guard let least = Self.repeating[name] else { return false }
    return !version.lexicographicallyPrecedes(least)
  }
}
