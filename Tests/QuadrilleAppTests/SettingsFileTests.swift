import CellGraphics
import Foundation
import Pixels
import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct SettingsFileTests {
  private func apply(_ text: String) throws -> PlayOptions {
    var options = PlayOptions()
    try SettingsFile.apply(text: text, name: "s.yaml", to: &options)
    return options
  }

  private func error(_ text: String) -> String? {
    do {
      _ = try apply(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func allDefaults() throws {
    let options = try apply(
      """
      # a comment
      defaults:
        paused: true
        loop: yes
        linked: off
        mouse: false
        info: on
        exit-at-end: true
        speed: 1.5
        threads: 3
        layout: column
        gravity: fill
        colors: 256
        cell-aspect: 1:2
      """)
    #expect(options.beginning.isPaused && options.looping == .forever && !options.isLinked && !options.terminal.usesMouse && options.view.showsInfo)
    #expect(options.exitsAtEnd && options.beginning.speed == 1.5 && options.resources.threads == 3 && options.view.layout == .column)
    #expect(
      options.view.gravity == .resizeAspectFill && options.terminal.colors == .palette256 && options.terminal.cellAspect == 0.5)
    for name in SettingsFile.defaultNames { #expect(error("defaults:\n  \(name): [1]\n") != nil, "\(name)") }
  }

  @Test func howOftenClipsArePlayed() throws {
    #expect(try apply("defaults: {loop: 3}").looping == .times(3) && apply("defaults: {loop: 1}").looping == .once)
    #expect(try apply("defaults: {loop: off}").looping == .once)
    for text in ["0", "-1", "2.5", "1000001", "often"] {
      #expect(error("defaults:\n  loop: \(text)\n")?.contains("true, false or a number") == true, "\(text)")
    }
  }

  @Test func coloursByEveryName() throws {
    for depth in ColorDepth.allCases {
      #expect(try apply("defaults:\n  colors: \(depth.rawValue)\n").terminal.colors == depth)
    }
    #expect(try apply("defaults: {colors: auto}").terminal.colors == nil)
    #expect(try apply("defaults: {max-rate: 50k}").terminal.maxRate == 51_200)
    #expect(try apply("defaults: {max-rate: 1.5M}").terminal.maxRate == 3 << 19)
    for quality in ImageQuality.allCases {
      #expect(try apply("defaults: {quality: \(quality.rawValue)}").terminal.quality == quality)
    }
    for cells in CellStyle.allCases {
      #expect(try apply("defaults: {cells: \(cells.rawValue)}").terminal.usualCells == cells)
    }
    for pixels in PixelStyle.allCases {
      #expect(try apply("defaults: {pixels: \(pixels.rawValue)}").terminal.usualPixels == pixels)
    }
    for dithering in Dithering.allCases {
      #expect(try apply("defaults: {dither: \(dithering.rawValue)}").terminal.dithering == dithering)
    }
  }

  @Test func keysAreBoundAnewAndTakenAway() throws {
    let options = try apply(
      "keys:\n  x: seek -2.5\n  space: none\n  \"5\": pause\n  ctrl-t: step 3\n  \"?\": quit\n  \"=\": zoom\n  shift-left: start\n"
    )
    func command(_ name: String) -> Command? { KeyStroke(name).flatMap(options.keys.command(for:)) }
    #expect(command("x") == .seek(-2.5) && command("space") == nil && command("5") == .playPause)
    #expect(command("ctrl-t") == .step(3) && command("?") == .quit && command("=") == .zoom)
    #expect(command("shift-left") == .start && command("q") == .quit)
  }

  /// A digit, `n`, `y` and `~` are numbers, truths and nothing to YAML, and keys to people.
  @Test func keysWithoutQuotesAreKeys() throws {
    let options = try apply("keys:\n  5: pause\n  n: quit\n  y: zoom\n  ~: info\n")
    func command(_ name: String) -> Command? { KeyStroke(name).flatMap(options.keys.command(for:)) }
    #expect(
      command("5") == .playPause && command("n") == .quit && command("y") == .zoom && command("~") == .info)
  }

  @Test(arguments: ["", "\n\n", "# nothing\n", "defaults:\n", "keys:\ndefaults:\n", "---\n...\n"])
  func emptyOnesChangeNothing(text: String) throws {
    let options = try apply(text)
    #expect(options.keys.bindings == KeyMap.standard.bindings && options.beginning.speed == 1)
  }

  @Test(arguments: [
    ("defaults:\n  paused: true\n  speed: fast\n", 3, ["speed", "fast", "0.05"]),
    ("defaults:\n  speed: 17\n", 2, ["speed", "17"]),
    ("defaults:\n  speed: 0\n", 2, ["speed"]),
    ("defaults:\n  speed: .nan\n", 2, ["speed"]),
    ("defaults:\n  threads: 0\n", 2, ["threads"]),
    ("defaults:\n  layout: heap\n", 2, ["layout", "heap", "grid"]),
    ("defaults:\n  gravity: up\n", 2, ["gravity", "up", "stretch"]),
    ("defaults:\n  colors: 7\n", 2, ["colors", "7", "24bit"]), ("defaults:\n  quality: best\n", 2, ["quality", "best", "high"]), ("defaults:\n  dither: some\n", 2, ["dither", "some", "low"]),
    ("defaults:\n  cells: tiny\n", 2, ["cells", "tiny", "octants"]),
    ("defaults:\n  max-rate: 999\n", 2, ["max-rate", "999", "50k"]),
    ("defaults:\n  cell-aspect: wide\n", 2, ["cell-aspect", "wide"]),
    ("defaults:\n  loop: perhaps\n", 2, ["loop", "perhaps"]),
    ("defaults:\n\n  sped: 2\n", 3, ["sped", "speed"]),
    ("keys:\n  hyper-x: quit\n", 2, ["hyper-x"]),
    ("keys:\n  a: quit\n  x: fly away\n", 3, ["x", "fly away"]),
    ("keys:\n  x:\n", 2, ["x"]),
    ("keys:\n  x: [quit]\n", 2, ["x"]),
    ("colours: 8\n", 1, ["colours", "defaults", "keys"]),
    ("defaults: 8\n", 1, ["defaults"]),
    ("- a\n- b\n", 1, ["defaults"]),
    ("just words\n", 1, ["defaults"]),
    ("defaults:\n  speed: 1\n  speed: 2\n", 3, ["speed", "twice"]),
    ("keys:\n  x: quit\n  x: zoom\n", 3, ["x", "twice"]),
    ("defaults:\n  paused: true\ndefaults:\n  loop: true\n", 3, ["defaults", "twice"]),
    ("defaults:\n\tspeed: 1\n", 2, ["YAML"]),
    ("defaults: {\n", 2, ["YAML"]),
    ("# ü\nkeys:\n  x: a\u{1}\u{1B}[31m\n", 3, ["YAML", "control characters"]),
    ("defaults:\n  speed: &a 1\n", 2, ["anchors and aliases"]),
    ("defaults: &a\n  speed: 1\n", 1, ["anchors and aliases"]),
    ("keys:\n  x: quit\n  *: pause\n", 3, []),
    ("defaults:\n  speed: *a\n", 2, ["anchors and aliases"]),
    ("a: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]\n", 1, ["nested"]),
    ("defaults:\n  loop: true\n---\nkeys:\n", 3, ["second document"]),
    ("keys:\n  x: step -9223372036854775808\n", 2, ["step"]),
    ("keys:\n  x: step 9223372036854775808\n", 2, ["step"]),
    ("keys:\n  x: seek 1e400\n", 2, ["seek"]),
    ("keys:\n  \"x\\e[31m\": quit\n", 2, ["x"]),
    ("defaults:\n  speed: \"\\e]0;owned\\a\"\n", 2, ["speed"]),
  ])
  func errorsNameFileLineAndKey(text: String, line: Int, words: [String]) throws {
    let message = try #require(error(text), "no error for \(text)")
    #expect(message.hasPrefix("s.yaml:\(line): "), "\(message)")
    for word in words { #expect(message.contains(word), "\(message)") }
    #expect(message == TerminalText(message).description, "\(message.debugDescription)")
  }

  /// A few bytes that stand for a thousand million nodes, as a value and as a key; and a million brackets.
  @Test(.timeLimit(.minutes(20))) func bombs() throws {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      text += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ") + "]\n"
    }
    #expect(error(text)?.contains("anchors and aliases") ?? false)
    #expect(error(text + "? *a9\n: x\n")?.contains("anchors and aliases") ?? false)
    #expect(error(String(repeating: "[", count: 1_000_000))?.contains("nested") ?? false)
    #expect(error(String(repeating: "? ", count: 500_000))?.contains("nested") ?? false)
  }

  @Test func placeOfTheFile() {
    #expect(
      SettingsFile.path(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/quadrille/settings.yaml")
    #expect(SettingsFile.path(environment: ["HOME": "/h"]) == "/h/.config/quadrille/settings.yaml")
    #expect(
      SettingsFile.path(environment: ["XDG_CONFIG_HOME": "relative", "HOME": "/h"])
        == "/h/.config/quadrille/settings.yaml")
    #expect(SettingsFile.path(environment: [:]) == nil && SettingsFile.path(environment: ["HOME": ""]) == nil)
    // The index and the history follow the same rule.
    let places = [UserFolders.index, UserFolders.history]
    #expect(places.map { $0(["HOME": "/h"]) } == ["/h/.cache/quadrille/index", "/h/.local/state/quadrille/history"])
    #expect(
      places.map { $0(["XDG_CACHE_HOME": "/x", "XDG_STATE_HOME": "/y", "HOME": "/h"]) }
        == ["/x/quadrille/index", "/y/quadrille/history"])
    for home in ["", "relative"] { #expect(places.allSatisfy { $0(["HOME": home]) == nil }) }
  }

  @Test func filesThatCannotBeRead() throws {
    var options = PlayOptions()
    try SettingsFile.apply("/nowhere/at/all.yaml", to: &options)
    #expect(throws: SettingsError.self) { try SettingsFile.apply("/", to: &options) }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("settings-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([0x64, 0xFF, 0xFE, 0x0A]).write(to: URL(fileURLWithPath: path))
    #expect(throws: SettingsError.self) { try SettingsFile.apply(path, to: &options) }
    try Data(repeating: 0x23, count: 2 << 20).write(to: URL(fileURLWithPath: path))
    #expect(throws: SettingsError.self) { try SettingsFile.apply(path, to: &options) }
  }
}

@Suite(.timeLimit(.minutes(20))) struct OptionValueTests {
  @Test func cellAspect() {
    #expect(
      CellAspect("0.5")?.value == 0.5 && CellAspect("1:2")?.value == 0.5 && CellAspect("9:20")?.value == 0.45)
    for text in ["", ":", "1:", ":2", "1:0", "0", "-1", "5", "nan", "inf", "1:2:3", "wide", "1/2"] {
      #expect(CellAspect(text) == nil, "\(text)")
    }
  }

  @Test func gravityNames() {
    #expect(Gravity.allCases.map(\.commandLineName).sorted() == Gravity.commandLineNames.sorted())
    for name in Gravity.commandLineNames { #expect(Gravity(commandLineName: name)?.commandLineName == name) }
    #expect(Gravity(commandLineName: "Fit") == nil && Gravity(commandLineName: "") == nil)
    #expect(PlayOptions().view.gravity.commandLineName == "fit")
  }

  @Test func startPosition() {
    #expect(StartPosition("12.5") == StartPosition("0:12.500") && StartPosition("#250") == .frame(250))
    #expect(
      StartPosition("1:02:03.4") != nil && StartPosition("#0") == .frame(0) && StartPosition(" 5") != nil)
    for text in ["", "#", "#-1", "#1.5", "-5", "x", "1:60", "1:2:3:4", "5s", "#99999999999999999999", "#+1"] {
      #expect(StartPosition(text) == nil, "\(text)")
    }
  }

  @Test func sizes() {
    let sizes = ["0": 0, "65536": 65536, "1K": 1024, "256m": 256 << 20, "1.5G": 3 << 29, "2MiB": 2 << 20, "7b": 7]
    for (text, bytes) in sizes { #expect(ByteCount.parse(text) == bytes, "\(text)") }
    for text in ["", "M", "-1", "+1", "0x10", "1e3", "nan", "inf", "1.2.3", "5 M", "2T", "2000G", "٣"] {
      #expect(ByteCount.parse(text) == nil, "\(text)")
    }
  }

  @Test func threadsAreNeverMoreThanAllowed() {
    for total in -1...64 {
      for panes in 0...4 {
        let budget = ThreadBudget(total: total, panes: panes)
        #expect(budget.workers >= 1 && budget.perDecoder >= 1)
        let decoders = budget.perDecoder > 1 ? max(1, panes) * budget.perDecoder : 0
        #expect(budget.workers + decoders <= max(1, total), "\(total) threads, \(panes) panes: \(budget)")
      }
    }
  }

  @Test func spareThreadsAreUsed() {
    #expect(ThreadBudget(total: 1, panes: 4) == ThreadBudget(total: 1, panes: 1))
    #expect(ThreadBudget(total: 2, panes: 4).workers == 2)
    #expect(ThreadBudget(total: 16, panes: 1).perDecoder == 15)
  }
}
