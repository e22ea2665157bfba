import CellGraphics
import Pixels
import Testing

@testable import Terminal

@Suite(.timeLimit(.minutes(20))) struct TerminfoEntryTests {
  @Test func delaysAreTakenOut() {
    let entry = TerminfoEntry(
      name: "x", strings: ["clear": Array("\u{1B}[J$<50>".utf8), "a": Array("$<5/>b$<2*>c$<x>$".utf8)])
    #expect(entry.string("clear") == Array("\u{1B}[J".utf8))
    #expect(entry.string("a") == Array("bc$<x>$".utf8))
    #expect(entry.string("none").isEmpty)
  }

  @Test(arguments: [
    ("xterm-256color", true, true), ("tmux-256color", true, true), ("screen", true, true),
    ("linux", false, true),
    ("vt100", false, true), ("ansi", false, true), ("vt52", false, false),
  ])
  func kinds(name: String, isXtermLike: Bool, isECMA48: Bool) throws {
    let entry = try TerminfoEntry.load(name)
    #expect(entry.name == name)
    #expect(entry.missingName == nil)
    #expect(entry.isXtermLike == isXtermLike)
    #expect(entry.isECMA48 == isECMA48)
  }

  @Test(
    arguments: [
      ("nonsense", "ansi"), ("xterm-ghosty", "xterm"), ("foot-nonsense", "foot"), ("tmux-nonsense", "tmux"),
      ("nonsense-kitty", "xterm-256color"), (nil, "ansi"), ("", "ansi"),
    ] as [(String?, String)])
  func unknownNames(asked: String?, found: String) throws {
    let entry = try TerminfoEntry.load(asked)
    // Some systems have more entries than others.
    #expect(entry.name == found || entry.name == "xterm-256color" || entry.name.hasPrefix("tmux"))
    #expect(entry.missingName == (asked?.isEmpty == false ? asked : nil))
    #expect(entry.isECMA48)
  }

  @Test func keysOfRealEntries() throws {
    #expect(try TerminfoEntry.load("linux").keys[Array("\u{1B}[[A".utf8)] == KeyStroke(.function(1)))
    #expect(try TerminfoEntry.load("linux").keys[Array("\u{1B}[M".utf8)] == nil)
    #expect(
      try TerminfoEntry.load("xterm-256color").keys[Array("\u{1B}[1;2D".utf8)] == KeyStroke(.left, .shift))
    #expect(try TerminfoEntry.load("vt100").keys[Array("\u{1B}OA".utf8)] == KeyStroke(.up))
    // What terminfo says and what the parser knows by itself agree on xterm.
    let entry = try TerminfoEntry.load("xterm-256color")
    for (bytes, stroke) in entry.keys {
      var parser = InputParser()
      #expect(parser.feed(bytes, at: 0).map(\.keyStroke) == [stroke], "\(bytes)")
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct TerminalCapabilitiesTests {
  private func depth(_ environment: [String: String], colors: Int? = nil, flags: Set<String> = [])
    -> ColorDepth
  {
    let numbers = colors.map { ["colors": $0] } ?? [:]
    let terminfo = TerminfoEntry(name: environment["TERM"] ?? "ansi", numbers: numbers, flags: flags)
    return TerminalCapabilities(environment: environment, terminfo: terminfo, codeset: "UTF-8").colorDepth
  }

  @Test func colours() {
    #expect(depth(["TERM": "xterm-256color"], colors: 256) == .palette256)
    #expect(depth(["TERM": "xterm-256color", "COLORTERM": "truecolor"], colors: 256) == .trueColor)
    #expect(depth(["TERM": "xterm-256color", "COLORTERM": "24bit"], colors: 256) == .trueColor)
    #expect(depth(["TERM": "xterm", "COLORTERM": "yes"], colors: 8) == .ansi8)
    #expect(depth(["TERM": "xterm-16color"], colors: 16) == .ansi16)
    #expect(depth(["TERM": "xterm-direct"], colors: 1 << 24) == .trueColor)
    #expect(depth(["TERM": "xterm-direct256"], colors: 1 << 24, flags: ["RGB"]) == .trueColor)
    #expect(
      depth(["TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"], colors: 256) == .mono)
    #expect(depth(["TERM": "xterm-256color", "NO_COLOR": ""], colors: 256) == .palette256)
    #expect(depth(["TERM": "linux", "COLORTERM": "truecolor"], colors: 8) == .ansi8)
    #expect(depth(["TERM": "vt100", "COLORTERM": "truecolor"]) == .mono)
    #expect(depth(["TERM": "dumb"]) == .mono)
    #expect(depth(["TERM": "xterm-kitty"], colors: 256) == .trueColor)
    #expect(depth(["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], colors: 256) == .trueColor)
    #expect(depth(["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], colors: 256) == .palette256)
    #expect(depth(["TERM": "xterm-256color", "VTE_VERSION": "6800"], colors: 256) == .trueColor)
    #expect(depth(["TERM": "stterm-256color"]) == .palette256)
  }

  @Test func coloursThroughMultiplexers() {
    let truecolor = ["COLORTERM": "truecolor"]
    let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux,1,0"]
    #expect(depth(tmux, colors: 256) == .palette256)
    #expect(depth(tmux.merging(truecolor) { $1 }, colors: 256) == .trueColor)
    #expect(depth(["TERM": "screen", "STY": "1.x"].merging(truecolor) { $1 }, colors: 8) == .ansi8)
    #expect(
      depth(["TERM": "screen.xterm-256color", "COLORTERM": "truecolor", "STY": "1"], colors: 256)
        == .palette256)
    #expect(depth(["TERM": "screen", "TMUX": "x", "COLORTERM": "truecolor"], colors: 8) == .trueColor)
  }

  @Test func theUsersWordCounts() throws {
    let capabilities = TerminalCapabilities(
      environment: ["TERM": "vt100", "NO_COLOR": "1"], terminfo: try .load("vt100"),
      requestedDepth: .palette256,
      codeset: nil)
    #expect(capabilities.colorDepth == .palette256)
    #expect(capabilities.glyphSet == .ascii)
    #expect(capabilities.notices.isEmpty)
    let unknown = try TerminfoEntry.load("nonsense")
    #expect(TerminalCapabilities(environment: [:], terminfo: unknown, codeset: "utf8").notices.count == 1)
  }

  @Test func codesets() {
    #expect(TerminalCapabilities.codeset(named: "de_DE.UTF-8@euro") == "UTF-8")
    #expect(TerminalCapabilities.codeset(named: "C.utf8") == "utf8")
    #expect(TerminalCapabilities.codeset(named: "C") == nil)
    #expect(TerminalCapabilities.codeset(named: nil) == nil)
  }

  @Test func whoIsInBetween() throws {
    let terminfo = try TerminfoEntry.load("xterm")
    let multiplexer = { (environment: [String: String]) in
      TerminalCapabilities(environment: environment, terminfo: terminfo, codeset: nil).multiplexer
    }
    let hiddenLink = { (environment: [String: String]) in
      TerminalCapabilities(environment: environment, terminfo: terminfo, codeset: nil).hiddenLink
    }
    // tmux on the other end answers through the link.
    #expect(hiddenLink(["TMUX": "/tmp/x", "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"]) == .stream)
    #expect(hiddenLink(["TMUX": "/tmp/x"]) == nil && hiddenLink(["TERM": "tmux", "SSH_TTY": "/dev/pts/1"]) == nil)
    let mosh = ["SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22", "NCURSES_NO_UTF8_ACS": "1"]
    #expect(hiddenLink(mosh.merging(["TMUX": "/tmp/x"]) { $1 }) == .mosh && hiddenLink(mosh) == nil)
    #expect(multiplexer([:]) == nil)
    #expect(multiplexer(["TMUX": "/tmp/x"]) == .tmux)
    #expect(multiplexer(["TERM": "tmux"]) == .tmux)
    #expect(multiplexer(["STY": "12.pts"]) == .screen)
    #expect(multiplexer(["TERM": "screen-256color"]) == .screen)
    let mayOrderText = { (environment: [String: String]) in
      TerminalCapabilities(environment: environment, terminfo: terminfo, codeset: nil).mayOrderText
    }
    #expect(mayOrderText(["TMUX": "/tmp/x"]) && mayOrderText(["KONSOLE_VERSION": "221203"]))
    #expect(!mayOrderText([:]) && !mayOrderText(["KONSOLE_VERSION": "", "VTE_VERSION": "7006"]))
  }
}

@Suite(.timeLimit(.minutes(20))) struct TerminalProbeTests {
  private func probe(_ term: String, _ more: [String: String] = [:], codeset: String? = "UTF-8") throws -> TerminalProbe {
    let environment = ["TERM": term].merging(more) { $1 }
    return TerminalProbe(
      TerminalCapabilities(environment: environment, terminfo: try .load(term), codeset: codeset), at: 1000)
  }

  @Test func asksOnlyWhatTheTerminalMayKnow() throws {
    let xterm = String(decoding: try probe("xterm").query, as: UTF8.self)
    #expect(xterm.contains("\u{1B}[?2026$p") && xterm.contains("\u{1B}[>q"))
    #expect(!xterm.contains("é"))
    #expect(xterm.hasSuffix("\u{1B}[c"))
    #expect(try probe("linux").query == Array("\u{1B}[c".utf8))
    #expect(String(decoding: try probe("vt100", codeset: nil).query, as: UTF8.self).contains("é\u{1B}[6n"))
  }

  @Test func synchronizedUpdatesOnTheTerminalsWordOnly() throws {
    for (state, isKnown) in [
      (TerminalReply.ModeState.unknown, false), (.set, true), (.reset, true), (.permanentlyReset, false),
    ] {
      var probe = try probe("xterm")
      probe.receive(.privateMode(2026, state), at: 2000)
      #expect(probe.capabilities.hasSynchronizedUpdates == isKnown)
    }
  }

  /// Many say that they are an xterm and repeat one byte of a block, or nothing.
  @Test func glyphsAreRepeatedByThoseThatAreKnownForIt() throws {
    for (answer, repeats) in [
      ("XTerm(379)", true), ("XTerm(1000)", true), ("XTerm(357)", true), ("XTerm(356)", false), ("XTerm", false),
      ("XTerm()", false),
      ("XTerminator(400)", false), ("xterm.js(5.5.0)", false), ("libvterm(0.3)", false), ("tmux 3.5", true),
      ("tmux 3.5a", true), ("tmux 3.10", true), ("tmux 4", true), ("tmux 3.4", false), ("tmux 3.3a", false),
      ("tmux next-3.6", false), ("tmux 3", false), ("kitty(0.35.2)", true), ("foot(1.16.2)", true), ("VTE(7200)", true),
      ("WezTerm 20230408-112425-69ae8472", true), ("Konsole 22.12.3", true), ("ghostty 1.0.1", true), ("", false),
      ("(400)", false), ("XTerm(99999999999999999999999999)", false), ("\u{1B}[31mXTerm(400)", false),
    ] {
      var probe = try probe("xterm-256color")
      #expect(!probe.capabilities.repeatsGlyphs)
      let changed = probe.receive(.version(answer), at: 2000)
      #expect(probe.capabilities.repeatsGlyphs == repeats && changed == repeats, "\(answer)")
      #expect(probe.capabilities.mayOrderText == answer.hasPrefix("Konsole"))
    }
    // Whoever says nothing is not known.
    var silent = try probe("xterm-256color")
    silent.receive(.primaryAttributes([64, 1, 2]), at: 2000)
    #expect(silent.isFinished && !silent.capabilities.repeatsGlyphs)
  }

  @Test func shapesByNameAndVersion() throws {
    for (answer, shapes) in [
      ("ghostty 1.1.3", CellShapes.sextants), ("ghostty 1.2.0", .all), ("foot(1.19.0)", .sextants), ("foot(1.20.0)", .all),
      ("kitty(0.26.5)", .sextants), ("kitty(0.40.0)", .all), ("VTE(7402)", .sextants), ("VTE(7802)", .all),
      ("WezTerm 20240203-110809-5046fc22", .sextants), ("XTerm(379)", .blocks), ("tmux 3.5a", .blocks), ("iTerm2 3.5.0", .blocks),
    ] {
      var probe = try probe("xterm-256color")
      #expect(probe.capabilities.cellShapes == .blocks)
      probe.receive(.version(answer), at: 2000)
      #expect(probe.capabilities.cellShapes == shapes, "\(answer)")
    }
    var alacritty = try probe("xterm-256color", ["TERM": "alacritty"])
    alacritty.receive(.secondaryAttributes([0, 1202, 1]), at: 2000)
    #expect(alacritty.capabilities.cellShapes == .blocks)
    alacritty.receive(.secondaryAttributes([0, 1301, 1]), at: 2000)
    #expect(alacritty.capabilities.cellShapes == .sextants)
    // Its font has few glyphs.
    #expect(try probe("xterm-256color", ["TERM": "linux"]).capabilities.cellShapes == nil)
    #expect(try probe("xterm-256color", ["VTE_VERSION": "7800"]).capabilities.cellShapes == .all)
    #expect(try probe("xterm-256color", ["VTE_VERSION": "7800", "TMUX": "/tmp/x"]).capabilities.cellShapes == .blocks)
  }

  /// Through ssh no variable tells of 24 bits: what the terminal draws with does.
  @Test func trueColorOnTheTerminalsWord() throws {
    for (answer, depth) in [
      ([0, 48, 2, 17, 34, 52], ColorDepth.trueColor), ([48, 2, 17, 34, 52], .trueColor),
      ([0, 48, 5, 234], .palette256), ([0], .palette256), ([48, 2, 17, 34], .palette256),
    ] {
      var probe = try probe("xterm-256color")
      #expect(probe.capabilities.colorDepth == .palette256)
      #expect(String(decoding: probe.query, as: UTF8.self).contains("\u{1B}[48;2;17;34;52m\u{1B}P$qm\u{1B}\\\u{1B}[m"))
      let changed = probe.receive(.graphicRendition(answer), at: 2000)
      #expect(probe.capabilities.colorDepth == depth && changed == (depth == .trueColor), "\(answer)")
    }
    // What the user chose stays.
    let chosen = TerminalCapabilities(
      environment: ["TERM": "xterm-256color"], terminfo: try .load("xterm-256color"), requestedDepth: .palette256,
      codeset: "UTF-8")
    var probe = TerminalProbe(chosen, at: 1000)
    #expect(!String(decoding: probe.query, as: UTF8.self).contains("$qm"))
    probe.receive(.graphicRendition([0, 48, 2, 17, 34, 52]), at: 2000)
    #expect(probe.capabilities.colorDepth == .palette256)
    // Nor are those asked who are known to have none.
    #expect(try !String(decoding: self.probe("vt220").query, as: UTF8.self).contains("$qm"))
  }

  @Test func aPaletteIsStandardWhereAllThatIsAskedForIs() throws {
    let xterm: [TerminalReply] = [
      .paletteColor(59, red: 95, green: 95, blue: 95), .paletteColor(110, red: 135, green: 175, blue: 215),
      .paletteColor(242, red: 108, green: 108, blue: 108),
    ]
    var probe = try probe("xterm-256color")
    for reply in xterm {
      #expect(!probe.capabilities.hasStandardPalette)
      probe.receive(reply, at: 2000)
    }
    #expect(probe.capabilities.hasStandardPalette)
    var other = try self.probe("xterm-256color")
    for reply in [.paletteColor(59, red: 51, green: 51, blue: 51)] + xterm.dropFirst() { other.receive(reply, at: 2000) }
    #expect(!other.capabilities.hasStandardPalette)
  }

  @Test func blocksWithoutAUTF8Locale() throws {
    var probe = try probe("xterm", codeset: "ANSI_X3.4-1968")
    #expect(probe.capabilities.glyphSet == .ascii)
    #expect(probe.expectsCursorReport)
    let changed = probe.receive(.cursorPosition(row: 1, column: 2), at: 2000)
    #expect(changed)
    #expect(probe.capabilities.glyphSet == .unicode)
    var latin = try self.probe("xterm", codeset: nil)
    latin.receive(.cursorPosition(row: 1, column: 4), at: 2000)
    #expect(latin.capabilities.glyphSet == .ascii)
    #expect(try self.probe("xterm").expectsCursorReport == false)
  }

  @Test func theFenceEndsIt() throws {
    var probe = try probe("xterm", codeset: nil)
    let end: UInt64 = 2_000_001_000
    #expect(probe.deadline == end)
    #expect(probe.roundTrip == nil)
    probe.receive(.primaryAttributes([62, 1]), at: 51_000)
    #expect(probe.isFinished)
    #expect(probe.roundTrip == 50_000)
    #expect(probe.deadline == nil)
    #expect(!probe.expectsCursorReport)
    var silent = try self.probe("xterm", codeset: nil)
    silent.expire(at: end)
    #expect(silent.isFinished)
    #expect(silent.capabilities.glyphSet == .ascii)
  }

  @Test func multiplexersBehindSSH() throws {
    var tmux = try probe("xterm")
    tmux.receive(.secondaryAttributes([84, 0, 0]), at: 2000)
    #expect(tmux.capabilities.multiplexer == .tmux)
    var mosh = try probe("xterm")
    mosh.receive(.secondaryAttributes([1, 10, 0]), at: 2000)
    mosh.receive(.primaryAttributes([62]), at: 2000)
    #expect(mosh.capabilities.multiplexer == .mosh)
    var xterm = try probe("xterm")
    xterm.receive(.secondaryAttributes([41, 379, 0]), at: 2000)
    xterm.receive(.primaryAttributes([64, 1, 2]), at: 2000)
    #expect(xterm.capabilities.multiplexer == nil)
  }
}
