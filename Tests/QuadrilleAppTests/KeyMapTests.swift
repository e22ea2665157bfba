import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct KeyMapTests {
  private let keys = KeyMap.standard

  private func command(_ name: String) -> Command? { KeyStroke(name).flatMap(keys.command(for:)) }

  @Test func keysDoWhatTheManualSays() {
    let expected: [(String, Command)] = [
      ("space", .playPause), ("left", .seek(-5)), ("right", .seek(5)), ("up", .seek(60)),
      ("down", .seek(-60)),
      ("shift-left", .seek(-1)), ("shift-right", .seek(1)), (",", .step(-1)), (".", .step(1)),
      ("[", .speed(1 / 1.1)), ("]", .speed(1.1)), ("{", .speed(0.5)), ("}", .speed(2)),
      ("backspace", .normalSpeed), ("home", .start), ("end", .end), ("tab", .focusNext),
      ("shift-tab", .focusPrevious), ("a", .link), ("z", .zoom), ("g", .gravity), ("b", .loopPoint),
      ("L", .loop),
      ("pageup", .chapter(1)), ("pagedown", .chapter(-1)), ("@", .chapter(1)), ("!", .chapter(-1)),
      ("alt-up", .seek(600)), ("alt-down", .seek(-600)), ("v", .subtitles), ("V", .hideSubtitles),
      ("x", .subtitleDelay(-0.1)), ("X", .subtitleDelay(0.1)),
      ("j", .shuttle(-1)), ("k", .shuttle(0)), ("l", .shuttle(1)),
      ("=", .align), ("o", .open), ("c", .close), ("t", .goTo), ("s", .save), ("i", .info), ("?", .help), ("q", .quit),
      ("C", .chapterList), ("P", .clipList), ("(", .clip(-1)), (")", .clip(1)), ("S", .shuffle), ("T", .trackList), ("_", .video),
      ("#", .sound), ("/", .find), ("n", .focusNext), ("N", .focusPrevious), ("^", .start), ("$", .end), ("p", .playPause),
      ("<", .seek(-1)), (">", .seek(1)), ("h", .help),
      ("I", .markIn), ("O", .markOut), ("A", .addPiece), ("u", .undoPiece), ("*", .movie), ("W", .writeMovie),
      ("Z", .magnify(1)), ("Y", .magnifyFit), ("w", .wipe), ("d", .difference), ("f", .flicker), ("F", .flickerFaster),
      ("r", .reference), ("\\", .compareSwap), ("|", .compareNext), ("U", .compareList), ("E", .eventList), ("M", .metric), ("G", .syncPoint),
      ("alt-,", .nudge(-1)), ("alt-.", .nudge(1)), (";", .nudge(-1)), (":", .nudge(1)), ("alt-<", .nudge(-10)), ("alt->", .nudge(10)),
      ("alt-s", .saveView), ("%", .saveView), ("'", .probe), ("H", .scope), ("D", .frameFacts),
      ("ctrl-c", .quit), ("ctrl-z", .suspend), ("ctrl-l", .redraw),
    ]
    for (name, wanted) in expected { #expect(command(name) == wanted, "\(name)") }
    for digit in 0...9 { #expect(command("\(digit)") == .position(percent: Double(10 * digit))) }
    for number in 1...4 {
      #expect(command("f\(number)") == .focus(number) && command("alt-\(number)") == .focus(number))
    }
    #expect(command("e") == nil && command("f5") == nil && command("y") == .chrome)
    #expect(command("shift-up") == nil && command("shift-down") == nil)
  }

  @Test func everyBindingHasNamesThatAreReadBack() {
    for (stroke, command) in keys.bindings {
      #expect(KeyStroke(stroke.description) == stroke, "\(stroke)")
      #expect(Command(command.description) == command, "\(command)")
    }
  }

  /// The Linux console and the VT100 send no shifted or Alt arrows, and the VT100 no Home, End or F5 and more.
  @Test func everyCommandHasAKeyThatAllTerminalsSend() {
    func isPlain(_ stroke: KeyStroke) -> Bool {
      switch (stroke.key, stroke.modifiers) {
      case (.character(let scalar), []): scalar.isASCII
      case (.character, .ctrl), (.tab, []), (.enter, []), (.backspace, []), (.escape, []): true
      case (.left, []), (.right, []), (.up, []), (.down, []): true
      case (.function(let number), []): number <= 4
      default: false
      }
    }
    // Others lead to the same place.
    let spared: Set<Command> = [.seek(600), .seek(-600), .nudge(10), .nudge(-10)]
    for command in Set(keys.bindings.values).subtracting(spared) {
      #expect(keys.bindings.contains { $0.value == command && isPlain($0.key) }, "\(command)")
    }
  }

  @Test func bindingAnewAndTakingAway() throws {
    var keys = KeyMap.standard
    let x = try #require(KeyStroke("x"))
    let space = try #require(KeyStroke("space"))
    keys.bind(x, to: .playPause)
    keys.bind(space, to: .nothing)
    #expect(keys.command(for: x) == .playPause && keys.command(for: space) == nil)
    #expect(keys.keys(for: .playPause) == ["p", "x"])
    #expect(KeyMap.standard.keys(for: .playPause) == ["p", "space"])
  }

  @Test func namesForPeople() {
    #expect(keys.keys(for: .seek(-5)) == ["←"])
    #expect(Set(keys.keys(for: .seek(-1))) == ["<", "shift-←"])
    #expect(keys.keys(for: .nothing).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(20))) struct CommandTests {
  @Test(arguments: [
    ("quit", Command.quit), ("pause", .playPause), ("seek -2.5", .seek(-2.5)), ("seek\t10", .seek(10)),
    ("  step   -3 ", .step(-3)), ("speed 1.25", .speed(1.25)), ("speed-reset", .normalSpeed),
    ("position 37.5", .position(percent: 37.5)), ("focus 4", .focus(4)), ("none", .nothing), ("ab-loop", .loopPoint),
  ])
  func reads(text: String, command: Command) {
    #expect(Command(text) == command && Command(command.description) == command)
  }

  @Test(arguments: [
    "", " ", "seek", "seek x", "seek nan", "seek inf", "seek 1e9", "seek 1 2", "step 0", "step 1.5",
    "step 9999999",
    "speed 0", "speed -1", "speed 17", "position -1", "position 101", "focus 0", "focus 5", "quit 1", "Quit",
    "fly",
  ])
  func refuses(text: String) { #expect(Command(text) == nil) }

  @Test(arguments: Command.Name.allCases) func everyNameHasAHandlerAndIsRead(name: Command.Name) throws {
    #expect(CommandTable.handler(name) != nil)
    let command = try #require(Command(name.rawValue) ?? Command("\(name.rawValue) 1"))
    #expect(command.name == name && Command(command.description) == command)
    #expect(Command(name.rawValue) == nil || Command("\(name.rawValue) 1") == nil)
  }

  @Test func commandsThatTakeClipsElsewhereEndAnAlignment() {
    let moving: Set<Command.Name> = [.pause, .seek, .step, .speed, .speedReset, .shuttle, .start, .end, .position, .chapter]
    for name in Command.Name.allCases { #expect(CommandTable.handler(name)?.movesClips == moving.contains(name), "\(name)") }
  }
}
