import Terminal

/// The lines of the help panel, made from the keys as they are bound now.
struct HelpText {
  struct Line: Equatable {
    var keys: TerminalText
    var meaning: TerminalText
  }

  let lines: [Line]

  init(_ keys: KeyMap) {
    func names(_ commands: Command...) -> TerminalText {
      var shown: [String] = []
      for command in commands {
        for name in keys.keys(for: command) where !shown.contains(name) { shown.append(name) }
      }
      return TerminalText(shown.joined(separator: " "))
    }
    let all: [(TerminalText, TerminalText)] = [
      (names(.playPause), "play, pause"),
      (names(.seek(-5), .seek(5)), "5 seconds back, on"),
      (names(.seek(-1), .seek(1)), "1 second back, on"),
      (names(.seek(-60), .seek(60)), "1 minute back, on"),
      (names(.seek(-600), .seek(600)), "10 minutes back, on"),
      (names(.step(-1), .step(1)), "1 picture back, on"),
      (names(.speed(1 / 1.1), .speed(1.1)), "slower, faster by a tenth"),
      (names(.speed(0.5), .speed(2)), "half, twice the speed"),
      (names(.normalSpeed), "normal speed"),
      (names(.shuttle(-1), .shuttle(0), .shuttle(1)), "backwards, stop, forwards; again: faster"),
      (names(.start, .end), "beginning, end"),
      (names(.fraction(0), .fraction(0.9)), "0…9 tenths of the clip"),
      (names(.goTo), "go to a time or #frame"),
      (names(.focusNext, .focusPrevious), "focus the next, previous pane"),
      (names(.focus(1), .focus(2), .focus(3), .focus(4)), "focus pane 1…4"),
      (names(.link), "steer all panes together, or one"),
      (names(.align), "align the panes as they are now"),
      (names(.zoom), "only the focused pane"),
      (names(.gravity), "fit, fill, stretch"),
      (names(.loopPoint), "A-B loop: begin, end, off"),
      (names(.loop), "repeat the clip"),
      (names(.open, .close), "open, close a clip"),
      (names(.save), "save the picture as PNG"),
      (names(.info), "figures"),
      (names(.redraw), "repaint the screen"),
      (names(.suspend), "stop the program (fg goes on)"),
      (names(.help), "these keys"),
      (names(.quit), "quit"),
      ("mouse", "click: focus; bar: seek; wheel: scrub"),
    ]
    lines = all.filter { !$0.0.isEmpty }.map { Line(keys: $0.0, meaning: $0.1) }
  }

  /// The same, with keys on several lines where they take more than `width` columns.
  func lines(keyWidth width: Int) -> [Line] {
    lines.flatMap { line in
      ChromePainter.lines(of: line.keys.words, width: width).enumerated().map { Line(keys: $1, meaning: $0 == 0 ? line.meaning : "") }
    }
  }
}
