import CNcurses
import Glibc

extension TerminfoEntry {
  private static let capabilities =
    ["cup", "smcup", "rmcup", "civis", "cnorm", "sgr0", "clear", "smam", "rmam", "kmous", "ech", "RGB", "setrgbf"]
    + keyCapabilities.map(\.0)

  /// Reads the entry of `term`, or of the nearest type in the database.
  ///
  /// A missing name (a new terminal on an older machine) is replaced by its family's, otherwise
  /// by `xterm-256color` for terminals known to follow xterm, otherwise by `ansi` or `vt100`; see `missingName`.
  /// Throws `TerminalError.damagedTerminfo` for a damaged entry, which is not safe to pass to ncurses, and
  /// `TerminalError.noTerminfo` if there is no database at all.
  public static func load(_ term: String?) throws -> TerminfoEntry {
    let term = term.flatMap { $0.isEmpty ? nil : $0 } ?? "ansi"
    if let entry = try read(term, insteadOf: nil) { return entry }
    for name in substitutes(for: term) {
      if let entry = try read(name, insteadOf: term) { return entry }
    }
    throw TerminalError.noTerminfo(term)
  }

  /// Names to try if `term` is unknown, best first.
  static func substitutes(for term: String) -> [String] {
    let lower = term.lowercased()
    var names: [String] = []
    // foo-256color without an entry may still have one as foo.
    var shorter = Substring(lower)
    while let hyphen = shorter.lastIndex(of: "-") {
      shorter = shorter[..<hyphen]
      names.append(String(shorter))
    }
    if lower.hasPrefix("tmux") { names += ["tmux-256color", "screen-256color", "screen"] }
    if lower.hasPrefix("screen") { names += ["screen-256color", "screen"] }
    let followers = [
      "xterm", "alacritty", "foot", "kitty", "wezterm", "ghostty", "rio", "contour", "st", "stterm",
      "konsole",
      "gnome", "vte", "mintty", "iterm", "putty", "rxvt", "mlterm", "mosh", "tmux", "screen", "warp",
      "nsterm",
    ]
    let words = lower.split { $0 == "-" || $0 == "." || $0 == "+" }
    if words.contains(where: { followers.contains(String($0)) || $0.hasPrefix("iterm") }) {
      names += ["xterm-256color", "xterm"]
    }
    return names + ["ansi", "vt100"]
  }

  private static func read(_ name: String, insteadOf missing: String?) throws -> TerminfoEntry? {
    if let path = TerminfoFile.damaged(name) { throw TerminalError.damagedTerminfo(path) }
    return try Ncurses.exclusively {
      let former = qd_select_terminfo(nil)
      var status: Int32 = 0
      errno = 0
      let result = setupterm(name, -1, &status)
      let code = errno
      defer { qd_free_terminfo(qd_select_terminfo(former)) }
      guard !qd_is_error(result) else {
        if TerminalError.tellsWant(code) { throw TerminalError.system("reading the terminfo database", code: code) }
        return nil
      }
      var strings: [String: [UInt8]] = [:]
      for capability in capabilities {
        if let value = qd_terminfo_string(capability) {
          strings[capability] = Array(String(cString: value).utf8)
        }
      }
      var numbers: [String: Int] = [:]
      for capability in ["colors", "cols", "lines", "RGB"] {
        let value = tigetnum(capability)
        if value >= 0 { numbers[capability] = Int(value) }
      }
      let flags = ["am", "xenl", "bce", "RGB", "Tc"].filter { (flag: String) in tigetflag(flag) > 0 }
      return TerminfoEntry(
        name: name, missingName: missing, strings: strings, numbers: numbers, flags: Set(flags))
    }
  }
}
