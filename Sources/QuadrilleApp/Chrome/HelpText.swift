import Terminal

/// What the help panel tells: the keys as they are bound now, and what the signs around the frames mean.
struct HelpText {
  /// Keys and what they do. Keys that do one thing each of a pair or more are told apart by their places: the third of
  /// three goes with the third of three meanings.
  struct Entry {
    /// The keys of each thing that is done, and what that is when it stands alone.
    var parts: [(keys: [TerminalText], meaning: TerminalText)]
    /// What all of them do, when they stand in one line.
    var meaning: TerminalText

    /// Stands between the keys, and between the meanings, of two things.
    static let divider: TerminalText = " · "

    var keys: TerminalText { parts.map { $0.keys.joined(separator: " ") }.joined(separator: Self.divider) }
  }

  struct Group {
    var heading: TerminalText
    var entries: [Entry]
  }

  let groups: [Group]

  init(_ keys: KeyMap, theme: ChromeTheme) {
    var described: Set<Command> = [.nothing]
    func entry(_ meaning: TerminalText, _ parts: (Command, TerminalText)...) -> Entry {
      described.formUnion(parts.map(\.0))
      let named = parts.map { (keys: keys.keys(for: $0.0).map { TerminalText($0) }, meaning: $0.1) }
        .filter { !$0.keys.isEmpty }
      return Entry(parts: named, meaning: named.count == parts.count ? meaning : named.first?.meaning ?? meaning)
    }
    func range(_ meaning: TerminalText, _ commands: [(Int, Command)]) -> Entry {
      let (names, covered) = Self.ranges(keys, commands)
      described.formUnion(covered)
      return Entry(parts: names.isEmpty ? [] : [(names.map { TerminalText($0) }, meaning)], meaning: meaning)
    }
    func note(_ sign: TerminalText, _ meaning: TerminalText) -> Entry {
      Entry(parts: [([sign], meaning)], meaning: meaning)
    }
    func sign(_ state: PaneModel.State, _ meaning: TerminalText) -> Entry {
      note("\(theme.sign(state))", meaning)
    }
    let playing = [
      entry("play, pause", (.playPause, "play, pause")),
      entry(
        "backwards · stop · forwards", (.shuttle(-1), "backwards (again: ×2)"), (.shuttle(0), "stop"),
        (.shuttle(1), "forwards (again: ×2)")),
      entry("slower · faster", (.speed(1 / 1.1), "slower by a tenth"), (.speed(1.1), "faster by a tenth")),
      entry("half · double speed", (.speed(0.5), "half the speed"), (.speed(2), "double the speed")),
      entry("normal speed", (.normalSpeed, "normal speed")),
      entry("A-B loop: A, B, off", (.loopPoint, "A-B loop: A, B, off")),
      entry("repeat the list, the clip, off", (.loop, "repeat the list, the clip, off")),
    ]
    func pair(_ step: TerminalText, _ back: Command, _ on: Command) -> Entry {
      entry("\(step) back · on", (back, "\(step) back"), (on, "\(step) on"))
    }
    let moving = [
      pair("5 seconds", .seek(-5), .seek(5)), pair("1 second", .seek(-1), .seek(1)),
      pair("1 minute", .seek(-60), .seek(60)), pair("10 minutes", .seek(-600), .seek(600)),
      pair("1 chapter", .chapter(-1), .chapter(1)),
      entry("list of chapters", (.chapterList, "list of chapters")),
      pair("1 frame", .step(-1), .step(1)),
      entry("beginning · end", (.start, "beginning"), (.end, "end")),
      range("tenths of the clip", (0...9).map { ($0, .position(percent: Double(10 * $0))) }),
      entry("go to a time or #frame", (.goTo, "go to a time or #frame")),
    ]
    let panes = [
      entry("next · previous pane", (.focusNext, "next pane"), (.focusPrevious, "previous pane")),
      range("focus a pane", (1...PlayOptions.maxPanes).map { ($0, .focus($0)) }),
      entry("steer all panes or one", (.link, "steer all panes or one")),
      entry("align the panes, or not", (.align, "align panes, or not")),
      entry("the focused pane only", (.zoom, "the focused pane only")),
      entry("hide titles and bars", (.chrome, "hide titles and bars")),
      entry("fit, fill, stretch", (.gravity, "fit, fill, stretch")),
      entry("open · close a clip", (.open, "open a clip"), (.close, "close the clip")),
    ]
    let lists = [
      pair("1 clip", .clip(-1), .clip(1)),
      entry("list of clips", (.clipList, "list of clips")), entry("any order, or the list's", (.shuffle, "any order, or the list's")),
    ]
    let tracks = [
      entry("list of tracks", (.trackList, "list of tracks")),
      entry("next video · sound track", (.video, "next video track"), (.sound, "next sound track")),
      entry("choose subtitles, or none", (.subtitles, "choose subtitles, or none")),
      entry("hide subtitles", (.hideSubtitles, "hide subtitles")), entry("find words in them", (.find, "find words in them")),
      entry(
        "subtitles 0.1 s sooner · later", (.subtitleDelay(-0.1), "subtitles 0.1 s sooner"),
        (.subtitleDelay(0.1), "subtitles 0.1 s later")),
    ]
    let movies = [
      entry("in · out: a piece's ends", (.markIn, "the piece begins here"), (.markOut, "the piece ends here")),
      entry("add · take away a piece", (.addPiece, "add the piece"), (.undoPiece, "take the last away")),
      entry("the movie, or what was there", (.movie, "the movie, or what was there")),
      entry("write movie or story", (.writeMovie, "write movie or story")),
    ]
    let program = [
      entry("save the frame as PNG", (.save, "save the frame as PNG")), entry("figures", (.info, "figures")),
      entry("these keys", (.help, "these keys")), entry("repaint the screen", (.redraw, "repaint the screen")),
      entry("suspend (fg goes on)", (.suspend, "suspend (fg goes on)")), entry("quit", (.quit, "quit")),
    ]
    let mouse = [
      note("click", "focus a pane"), note("on a bar", "go there, drag to look"), note("wheel", "1 second back, on"),
    ]
    let isASCII = theme.glyphSet == .ascii
    let signs = [
      sign(.playing, "plays"), sign(.reversing, "plays backwards"), sign(.paused, "is paused"),
      sign(.waiting(.opening), "waits for frames"), sign(.ended, "has ended"), sign(.failed(""), "cannot be played"),
      note("\(theme.aboutSign)", "not exact (yet)"), note(isASCII ? "|" : "│", "bar: a chapter"),
      note("[ ]", "bar: the A-B loop"), note("{ }", "bar: in and out"),
    ]
    // Keys of the settings file that do what no line above tells.
    let others = keys.bindings.values.filter { !described.contains($0) }.map(\.description)
    let rest = Set(others).sorted().compactMap { name in
      Command(name).map { entry("\(name)", ($0, "\(name)")) }
    }
    groups = [
      Group(heading: "Playing", entries: playing), Group(heading: "Moving", entries: moving),
      Group(heading: "Panes", entries: panes), Group(heading: "Lists of clips", entries: lists),
      Group(heading: "Tracks", entries: tracks),
      Group(heading: "Making a movie", entries: movies), Group(heading: "Program", entries: program),
      Group(heading: "Your keys", entries: rest), Group(heading: "Mouse", entries: mouse),
      Group(heading: "Signs", entries: signs),
    ].map { Group(heading: $0.heading, entries: $0.entries.filter { !$0.parts.isEmpty }) }
      .filter { !$0.entries.isEmpty }
  }

  /// Names for keys that end in the number of what they do, such as "f1–f4", and the commands that such names cover
  /// completely; other keys are told by themselves.
  private static func ranges(_ keys: KeyMap, _ commands: [(Int, Command)]) -> ([String], Set<Command>) {
    guard let first = commands.first, let last = commands.last else { return ([], []) }
    let names = commands.map { number, command in
      keys.keys(for: command).map { (stem: $0.dropLast(), isNumbered: $0.last == "\(number)".last) }
    }
    func isEverywhere(_ stem: Substring) -> Bool {
      names.allSatisfy { $0.contains { $0.isNumbered && $0.stem == stem } }
    }
    let stems = names[0].filter { $0.isNumbered && isEverywhere($0.stem) }.map(\.stem)
    let covered = zip(commands, names).filter { _, names in
      names.allSatisfy { $0.isNumbered && stems.contains($0.stem) }
    }
    return (stems.map { "\($0)\(first.0)–\($0)\(last.0)" }, Set(covered.map { $0.0.1 }))
  }
}
