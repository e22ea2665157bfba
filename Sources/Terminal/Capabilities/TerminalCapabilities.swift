import CellGraphics
import Glibc
import Pixels

/// Terminal capabilities, as far as the environment and terminfo determine them; `TerminalProbe` adds the rest.
public struct TerminalCapabilities: Equatable, Sendable {
  /// A program between this one and the terminal that answers queries itself.
  public enum Multiplexer: String, Hashable, Sendable {
    case tmux, screen, mosh

    /// Wraps bytes so that the multiplexer passes them to the terminal unchanged; nil if it cannot.
    ///
    /// tmux does so only with `allow-passthrough on`.
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

  /// The link from a multiplexer on this machine to a remote terminal, hidden by the multiplexer's own replies.
  public enum HiddenLink: Hashable, Sendable {
    /// A stream such as ssh's: passed-through bytes reach the terminal, and its replies come back.
    case stream
    /// mosh, which answers passed-through queries itself, at once.
    case mosh
  }

  public var colorDepth: ColorDepth
  public var glyphSet: GlyphSet
  public var multiplexer: Multiplexer?
  /// The link hidden by the multiplexer; nil if the terminal is local or replies through the link.
  public let hiddenLink: HiddenLink?
  /// True if synchronized updates (DECSET 2026) are supported, as confirmed by the terminal.
  public var hasSynchronizedUpdates = false
  /// True if palette entries 16–255 are xterm's, as confirmed by the terminal.
  public var hasStandardPalette = false
  /// True if the terminal may reorder text regardless of BDSM: Konsole (22.12) does not support it, and tmux does not pass it
  /// on.
  public var mayOrderText: Bool { isKonsole || multiplexer == .tmux }
  var isKonsole: Bool
  let isAlacritty: Bool
  /// True if REP repeats whole characters, even multibyte ones; only for terminals known by name to do so. Terminfo describes a
  /// type used by many emulators, some of which do not.
  public var repeatsGlyphs = false
  /// The finest shapes of cells that the terminal is known to have; nil if its font may lack even blocks.
  public var cellShapes: CellShapes?
  /// The images in pixels that the terminal displays.
  public var graphics = TerminalGraphics()
  /// True if the colour depth is a guess, so that the terminal may report 24-bit colour.
  public var mayHaveTrueColor: Bool
  /// True if the terminal follows xterm, so that unknown queries do no harm.
  public var isXtermLike: Bool
  /// Notices to the user about the detection, one line each.
  public var notices: [TerminalText] = []

  /// Detects what can be known without querying the terminal.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - terminfo: The entry of the terminal type.
  ///   - requestedDepth: The user's choice of colours, which overrides detection.
  ///   - codeset: The codeset of the environment's locale (`environmentCodeset`).
  public init(
    environment: [String: String], terminfo: TerminfoEntry, requestedDepth: ColorDepth? = nil,
    codeset: String?
  ) {
    isXtermLike = terminfo.isXtermLike
    multiplexer = Self.multiplexer(environment)
    hiddenLink = Self.hiddenLink(environment)
    isAlacritty = environment["TERM"]?.hasPrefix("alacritty") == true
    isKonsole = environment["KONSOLE_VERSION"]?.isEmpty == false
    colorDepth = requestedDepth ?? Self.colorDepth(environment, terminfo)
    mayHaveTrueColor =
      requestedDepth == nil && colorDepth != .mono && colorDepth < .trueColor && multiplexer != .screen
    glyphSet = codeset.map(Self.isUTF8) == true ? .unicode : .ascii
    cellShapes = Self.cellShapes(environment, multiplexer)
    // Variables may be those of the terminal in which a multiplexer was started.
    graphics.hasITerm = multiplexer == nil && TerminalGraphics.hasITerm(environment)
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
    // These have the colours of their names, whatever COLORTERM a login has inherited.
    if base.hasPrefix("vt") && base.dropFirst(2).allSatisfy(\.isNumber) && !term.contains("color") {
      return .mono
    }
    if base == "dumb" || base == "unknown" { return .mono }
    if base == "linux" { return .ansi8 }

    let byTerminfo = terminfoDepth(terminfo, term)
    // GNU screen 4 supports at most 256 colours; COLORTERM etc. describe the terminal around it.
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
    // VTE since 0.36.
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }), version >= 3600 { return true }
    if environment["KONSOLE_VERSION"] != nil || environment["WT_SESSION"] != nil { return true }
    let names = ["xterm-kitty", "alacritty", "foot", "contour", "xterm-ghostty", "ghostty", "wezterm", "rio"]
    return names.contains { term == $0 || term.hasPrefix($0 + "-") }
  }

  // MARK: Cells

  private static func cellShapes(_ environment: [String: String], _ multiplexer: Multiplexer?) -> CellShapes? {
    let term = environment["TERM"] ?? ""
    // The console's fonts have 256 or 512 glyphs.
    if term == "linux" || term.hasPrefix("linux-") { return nil }
    // Variables may be those of the terminal in which the multiplexer was started, not of the one that shows it.
    guard multiplexer == nil else { return .blocks }
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return TerminalName("VTE(\(version))").cellShapes }
    if environment["WT_SESSION"]?.isEmpty == false { return .sextants }
    let program = environment["TERM_PROGRAM"] ?? "", version = environment["TERM_PROGRAM_VERSION"] ?? ""
    let named = TerminalName("\(program)(\(version))").cellShapes
    if named != .blocks { return named }
    // Without a version, what all of them have had for long.
    let names = ["alacritty": CellShapes.blocks, "foot": .sextants, "xterm-kitty": .sextants, "xterm-ghostty": .sextants, "wezterm": .sextants]
    return names.first { term == $0.key || term.hasPrefix($0.key + "-") }?.value ?? .blocks
  }

  // MARK: Multiplexers and text encoding

  private static func multiplexer(_ environment: [String: String]) -> Multiplexer? {
    let term = environment["TERM"] ?? ""
    if environment["TMUX"]?.isEmpty == false || term.hasPrefix("tmux") { return .tmux }
    if environment["STY"]?.isEmpty == false || term.hasPrefix("screen") { return .screen }
    return nil
  }

  /// Detects the hidden link; see `hiddenLink`.
  public static func hiddenLink(_ environment: [String: String]) -> HiddenLink? {
    let isSet = { (name: String) in environment[name]?.isEmpty == false }
    guard ["TMUX", "STY"].contains(where: isSet), ["SSH_CONNECTION", "SSH_TTY"].contains(where: isSet) else { return nil }
    // mosh 1.2–1.4 sets it for its children; a multiplexer among them passes it on.
    return isSet("NCURSES_NO_UTF8_ACS") ? .mosh : .stream
  }

  /// The codeset of the environment's locale, as in `nl_langinfo`; nil if unknown.
  ///
  /// Does not change the process's locale.
  public static func environmentCodeset() -> String? {
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else {
      // The locale is not installed here, but its name may indicate what the terminal expects.
      let values = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { (name: String) in
        getenv(name).map { String(cString: $0) }
      }
      return codeset(named: values.first { !$0.isEmpty })
    }
    defer { freelocale(locale) }
    return nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
  }

  /// Returns true if a codeset is UTF-8, in any spelling.
  package static func isUTF8(_ codeset: String) -> Bool { codeset.uppercased().filter { $0 != "-" && $0 != "_" } == "UTF8" }

  /// The codeset in a locale name: `UTF-8` in `de_DE.UTF-8@euro`.
  package static func codeset(named name: String?) -> String? {
    guard let name, let dot = name.firstIndex(of: ".") else { return nil }
    return String(name[name.index(after: dot)...].prefix { $0 != "@" })
  }
}
