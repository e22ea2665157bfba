import CellGraphics
import Glibc

/// What the terminal can do, as far as the environment and terminfo tell; `TerminalProbe` learns the rest.
public struct TerminalCapabilities: Equatable, Sendable {
  /// A program between this one and the terminal that answers queries for itself.
  public enum Multiplexer: Hashable, Sendable {
    case tmux, screen, mosh

    /// Bytes that have it send others to the terminal as they are; nil where it does not.
    ///
    /// tmux does so with `allow-passthrough on` only.
    func passage(of bytes: [UInt8]) -> [UInt8]? {
      let escape: UInt8 = 0x1B
      let end: [UInt8] = [escape, UInt8(ascii: "\\")]
      switch self {
      case .tmux: return [escape] + Array("Ptmux;".utf8) + bytes.flatMap { $0 == escape ? [escape, escape] : [$0] } + end
      case .screen: return [escape, UInt8(ascii: "P")] + bytes + end
      case .mosh: return nil
      }
    }
  }

  /// The way from a multiplexer on this machine to a terminal on another, of which the multiplexer's own answers tell nothing.
  public enum HiddenLink: Hashable, Sendable {
    /// A stream, such as ssh's: what is passed on reaches the terminal, and its answers come back.
    case stream
    /// mosh, which answers what is passed on for the terminal and at once.
    case mosh
  }

  public var colorDepth: ColorDepth
  public var glyphSet: GlyphSet
  public var multiplexer: Multiplexer?
  /// The link that the multiplexer hides; nil where the terminal is here, or is asked through the link.
  public let hiddenLink: HiddenLink?
  /// Whether synchronized updates (DECSET 2026) are known; only the terminal's own word counts.
  public var hasSynchronizedUpdates = false
  /// Whether entries 16–255 of the palette are xterm's; only the terminal's own word counts.
  public var hasStandardPalette = false
  /// Whether text may be put into another order than the one in which it is sent, whatever BDSM says: Konsole (22.12) does not know
  /// that, and tmux does not hand it on.
  public var mayOrderText: Bool { isKonsole || multiplexer == .tmux }
  var isKonsole: Bool
  /// Whether REP repeats whole characters, also those of several bytes; only where the terminal tells a name that is known
  /// for it. What terminfo says is of a type, for which many emulators stand in that do not.
  public var repeatsGlyphs = false
  /// Whether the depth is what little is known, so that the terminal may say that it has 24 bits.
  public var mayHaveTrueColor: Bool
  /// Whether the terminal follows xterm, so that unknown queries do no harm.
  public var isXtermLike: Bool
  /// What the user should know about the detection, in one line each.
  public var notices: [TerminalText] = []

  /// Detects what can be known without asking the terminal.
  ///
  /// - Parameters:
  ///   - environment: the process's variables.
  ///   - terminfo: the entry of the terminal's type.
  ///   - requestedDepth: the user's choice of colours, which beats all detection.
  ///   - codeset: the codeset of the environment's locale (`environmentCodeset`).
  public init(
    environment: [String: String], terminfo: TerminfoEntry, requestedDepth: ColorDepth? = nil,
    codeset: String?
  ) {
    isXtermLike = terminfo.isXtermLike
    multiplexer = Self.multiplexer(environment)
    hiddenLink = Self.hiddenLink(environment)
    isKonsole = environment["KONSOLE_VERSION"]?.isEmpty == false
    colorDepth = requestedDepth ?? Self.colorDepth(environment, terminfo)
    mayHaveTrueColor =
      requestedDepth == nil && colorDepth != .mono && colorDepth < .trueColor && multiplexer != .screen
    glyphSet = codeset.map(Self.isUTF8) == true ? .unicode : .ascii
    if let missing = terminfo.missingName {
      notices.append(
        "terminal type '\(missing)' is not in the terminfo database; using '\(terminfo.name)'")
    }
  }

  // MARK: Colours

  private static func colorDepth(_ environment: [String: String], _ terminfo: TerminfoEntry) -> ColorDepth {
    // Source: no-color.org; an empty value does not count.
    if environment["NO_COLOR"]?.isEmpty == false { return .mono }
    let term = (environment["TERM"] ?? terminfo.name).lowercased()
    let base = term.prefix { $0 != "-" }
    // These are what their names say, whatever COLORTERM a login carried along.
    if base.hasPrefix("vt") && base.dropFirst(2).allSatisfy(\.isNumber) && !term.contains("color") {
      return .mono
    }
    if base == "dumb" || base == "unknown" { return .mono }
    if base == "linux" { return .ansi8 }

    let byTerminfo = terminfoDepth(terminfo, term)
    // GNU screen 4 knows 256 colours at most; COLORTERM and the rest speak of the terminal around it.
    let isInScreen = environment["TMUX"] == nil && (environment["STY"] != nil || base == "screen")
    if isInScreen { return min(byTerminfo, .palette256) }
    if byTerminfo == .trueColor || promisesTrueColor(environment, term) { return .trueColor }
    if environment["TERM_PROGRAM"] == "Apple_Terminal" { return max(byTerminfo, .palette256) }
    return byTerminfo
  }

  private static func terminfoDepth(_ terminfo: TerminfoEntry, _ term: String) -> ColorDepth {
    let colors = terminfo.number("colors") ?? 0
    if term.hasSuffix("-direct") || terminfo.flag("RGB") || terminfo.flag("Tc") || terminfo.has("RGB")
      || terminfo.number("RGB") != nil || colors > 1 << 16
    {
      return .trueColor
    }
    if colors >= 256 || term.contains("256color") { return .palette256 }
    if colors >= 16 { return .ansi16 }
    return colors >= 8 ? .ansi8 : .mono
  }

  private static func promisesTrueColor(_ environment: [String: String], _ term: String) -> Bool {
    if let value = environment["COLORTERM"]?.lowercased(), ["truecolor", "24bit"].contains(value) {
      return true
    }
    let programs: Set<String> = [
      "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "mintty", "WarpTerminal", "zed",
    ]
    if let program = environment["TERM_PROGRAM"], programs.contains(program) { return true }
    // VTE from 0.36 on.
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }), version >= 3600 { return true }
    if environment["KONSOLE_VERSION"] != nil || environment["WT_SESSION"] != nil { return true }
    let names = ["xterm-kitty", "alacritty", "foot", "contour", "xterm-ghostty", "ghostty", "wezterm", "rio"]
    return names.contains { term == $0 || term.hasPrefix($0 + "-") }
  }

  // MARK: What is in between, and what text it takes

  private static func multiplexer(_ environment: [String: String]) -> Multiplexer? {
    let term = environment["TERM"] ?? ""
    if environment["TMUX"]?.isEmpty == false || term.hasPrefix("tmux") { return .tmux }
    if environment["STY"]?.isEmpty == false || term.hasPrefix("screen") { return .screen }
    return nil
  }

  /// What `hiddenLink` is.
  public static func hiddenLink(_ environment: [String: String]) -> HiddenLink? {
    let isSet = { (name: String) in environment[name]?.isEmpty == false }
    guard ["TMUX", "STY"].contains(where: isSet), ["SSH_CONNECTION", "SSH_TTY"].contains(where: isSet) else { return nil }
    // mosh 1.2–1.4 sets it for what it starts, a multiplexer among that, which hands it on.
    return isSet("NCURSES_NO_UTF8_ACS") ? .mosh : .stream
  }

  /// The codeset of the locale that the environment names, as `nl_langinfo` calls it; nil when it is unknown.
  ///
  /// Changes nothing of the process's own locale.
  public static func environmentCodeset() -> String? {
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else {
      // The locale is not installed here, but its name may say what the terminal expects.
      let values = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { (name: String) in
        getenv(name).map { String(cString: $0) }
      }
      return codeset(named: values.first { !$0.isEmpty })
    }
    defer { freelocale(locale) }
    return nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
  }

  /// Whether a codeset is UTF-8, which has several spellings.
  package static func isUTF8(_ codeset: String) -> Bool { codeset.uppercased().filter { $0 != "-" && $0 != "_" } == "UTF8" }

  /// The codeset in a locale's name: `UTF-8` in `de_DE.UTF-8@euro`.
  package static func codeset(named name: String?) -> String? {
    guard let name, let dot = name.firstIndex(of: ".") else { return nil }
    return String(name[name.index(after: dot)...].prefix { $0 != "@" })
  }
}
