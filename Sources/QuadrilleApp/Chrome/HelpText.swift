import Terminal

/// The contents of the help panel: the current key bindings and the meaning of the signs around the frames.
struct HelpText {
  /// Keys and what they do. If an entry has several actions, keys and meanings correspond by position: the third of
  /// three keys has the third of three meanings.
  struct Entry {
    /// The keys of each action, and its meaning when shown on its own line.
    var parts: [(keys: [TerminalText], meaning: TerminalText)]
    /// The meaning of all actions when shown on one line.
    var meaning: TerminalText

    /// The separator between the keys, and between the meanings, of two actions.
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
        "reverse · stop · play", (.shuttle(-1), "reverse (again: ×2)"), (.shuttle(0), "stop"),
        (.shuttle(1), "forward (again: ×2)")),
      entry("slower · faster", (.speed(1 / 1.1), "slower by a tenth"), (.speed(1.1), "faster by a tenth")),
      entry("half · double speed", (.speed(0.5), "half speed"), (.speed(2), "double speed")),
      entry("normal speed", (.normalSpeed, "normal speed")),
      entry("A-B loop: A, B, off", (.loopPoint, "A-B loop: A, B, off")),
      entry("repeat list, clip, off", (.loop, "repeat list, clip, off")),
    ]
    func pair(_ step: TerminalText, _ back: Command, _ forward: Command) -> Entry {
      entry("\(step) back · forward", (back, "\(step) back"), (forward, "\(step) forward"))
    }
    let moving = [
      pair("5 s", .seek(-5), .seek(5)), pair("1 s", .seek(-1), .seek(1)),
      pair("1 min", .seek(-60), .seek(60)), pair("10 min", .seek(-600), .seek(600)),
      entry("previous · next chapter", (.chapter(-1), "previous chapter"), (.chapter(1), "next chapter")),
      entry("list of chapters", (.chapterList, "list of chapters")),
      pair("1 frame", .step(-1), .step(1)),
      entry("start · end", (.start, "start"), (.end, "end")),
      range("tenths of the clip", (0...9).map { ($0, .position(percent: Double(10 * $0))) }),
      entry("go to a time or #frame", (.goTo, "go to a time or #frame")),
    ]
    let panes = [
      entry("next · previous pane", (.focusNext, "next pane"), (.focusPrevious, "previous pane")),
      range("focus a pane", (1...PlayOptions.maxPanes).map { ($0, .focus($0)) }),
      entry("control all or one", (.link, "control all or one")),
      entry("align panes, frames, off", (.align, "align panes, frames, off")),
      entry("show one pane or all", (.zoom, "show one pane or all")),
      entry("hide titles and bars", (.chrome, "hide titles and bars")),
      entry("fit, fill, stretch", (.gravity, "fit, fill, stretch")),
      entry("coarse or finer cells, or pixels", (.cells, "coarse or finer cells, or pixels")),
      entry("magnify · whole frame", (.magnify(1), "magnify: 1:1 to 8:1"), (.magnifyFit, "whole frame")),
      entry("open · close a clip", (.open, "open a clip"), (.close, "close the clip")),
      entry("open the clip again", (.reopen, "open the clip again")),
    ]
    let comparing = [
      entry("wipe · difference", (.wipe, "wipe"), (.difference, "difference")),
      entry("flicker · automatic", (.flicker, "flicker"), (.flickerFaster, "automatic flicker")),
      entry("swap sides · next clip", (.compareSwap, "swap sides"), (.compareNext, "compare the next clip")),
      entry("make it the reference", (.reference, "make it the reference")),
      entry("other ways, settings", (.compareList, "other ways, settings")),
      entry("metric: PSNR, SSIM, VMAF …", (.metric, "metric: PSNR, SSIM, VMAF …")),
      entry("dropped frames, events", (.eventList, "dropped frames, events")),
      entry("these frames belong together", (.syncPoint, "these frames belong together")),
      entry("pixel values", (.probe, "pixel values")),
      entry("frame facts, packets", (.frameFacts, "frame facts, packets")),
      entry("histogram, waveform", (.scope, "histogram, waveform")),
      entry("nudge back · forward", (.nudge(-1), "nudge 1 frame back"), (.nudge(1), "nudge 1 frame forward")),
      entry("nudge 10 back · forward", (.nudge(-10), "nudge 10 back"), (.nudge(10), "nudge 10 forward")),
      entry("blind test: vote · end", (.vote, "blind test: vote"), (.reveal, "blind test: end")),
    ]
    let lists = [
      entry("previous · next clip", (.clip(-1), "previous clip"), (.clip(1), "next clip")),
      entry("list of clips", (.clipList, "list of clips")), entry("shuffle on, off", (.shuffle, "shuffle on, off")),
    ]
    let tracks = [
      entry("list of tracks", (.trackList, "list of tracks")),
      entry("next video · sound track", (.video, "next video track"), (.sound, "next sound track")),
      entry("mute", (.mute, "mute")), entry("quieter · louder", (.volume(-2), "quieter"), (.volume(2), "louder")),
      entry("sound earlier · later", (.soundDelay(-0.1), "sound earlier"), (.soundDelay(0.1), "sound later")),
      entry("choose subtitles", (.subtitles, "choose subtitles")),
      entry("hide subtitles", (.hideSubtitles, "hide subtitles")), entry("search subtitles", (.find, "search subtitles")),
      entry(
        "subtitles earlier · later", (.subtitleDelay(-0.1), "subtitles earlier"), (.subtitleDelay(0.1), "subtitles later")),
    ]
    let movies = [
      entry("in point · out point", (.markIn, "set the in point"), (.markOut, "set the out point")),
      entry("add · remove a piece", (.addPiece, "add the piece"), (.undoPiece, "remove the last piece")),
      entry("show or hide movie", (.movie, "show or hide movie")),
      entry("write movie or story", (.writeMovie, "write movie or story")),
    ]
    let program = [
      entry("save the frame as PNG", (.save, "save the frame as PNG")),
      entry("save the part shown", (.saveView, "save the part shown")), entry("statistics", (.info, "statistics")),
      entry("these keys", (.help, "these keys")), entry("redraw the screen", (.redraw, "redraw the screen")),
      entry("suspend (fg resumes)", (.suspend, "suspend (fg resumes)")), entry("quit", (.quit, "quit")),
    ]
    let mouse = [
      note("click", "focus a pane"), note("on a bar", "seek, drag to scrub"), note("wheel", "1 s back, forward"),
      note("ctrl-wheel", "magnify"), note("right button", "drag the part shown"), note("double click", "centre the part shown"),
    ]
    let isASCII = theme.glyphSet == .ascii
    let signs = [
      sign(.playing, "playing"), sign(.reversing, "playing backwards"), sign(.paused, "paused"),
      sign(.waiting(.opening), "waiting for frames"), sign(.ended, "ended"), sign(.failed(""), "cannot be played"),
      note("\(theme.aboutSign)", "not exact (yet)"), note(isASCII ? "|" : "│", "bar: a chapter"),
      note("[ ]", "bar: A-B loop"), note("{ }", "bar: in and out"),
    ]
    // Keys from the settings file whose commands are not listed above.
    let others = keys.bindings.values.filter { !described.contains($0) }.map(\.description)
    let rest = Set(others).sorted().compactMap { name in
      Command(name).map { entry("\(name)", ($0, "\(name)")) }
    }
    groups = [
      Group(heading: "Playing", entries: playing), Group(heading: "Panes", entries: panes),
      Group(heading: "Moving", entries: moving), Group(heading: "Lists of clips", entries: lists),
      Group(heading: "Comparing", entries: comparing), Group(heading: "Tracks", entries: tracks),
      Group(heading: "Making a movie", entries: movies), Group(heading: "Program", entries: program),
      Group(heading: "Your keys", entries: rest), Group(heading: "Mouse", entries: mouse),
      Group(heading: "Signs", entries: signs),
    ].map { Group(heading: $0.heading, entries: $0.entries.filter { !$0.parts.isEmpty }) }
      .filter { !$0.entries.isEmpty }
  }

  /// Names for numbered ranges of keys, such as "f1–f4", and the commands that these names cover completely. Other keys
  /// are listed individually.
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
