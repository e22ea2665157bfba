import Foundation
import TerminalHarness
import TestSupport
import Testing

/// The terminal shows the intended grid, whatever has happened before.
@Suite(.timeLimit(.minutes(10))) struct ScreenTests {
  /// Where there is room for one pane only it is the focused one.
  @Test func aSmallWindowShowsTheFocusedPane() throws {
    let clips = try [PlayerClips.short(), PlayerClips.smooth(), "/nowhere/else.mp4"]
    let run = try PlayerRun(["--paused"] + clips, columns: 20, rows: 6)
    try run.wait(for: "1/3 short.mp4")
    try run.waitUntilStill()
    #expect(run.screen.contains("1/3 short.mp4"))
    run.process.send("\t")
    try run.wait(for: "2/3 smooth.mp4")
    run.process.send("\t\t")
    try run.wait(for: "1/3 short.mp4")
    try run.process.resize(columns: 11, rows: 3)
    try run.wait("says so in whole words") { $0.contains("window too") && $0.contains("small") }
    try run.process.resize(columns: 1, rows: 1)
    try run.process.resize(columns: 80, rows: 24)
    try run.wait(for: "3 else.mp4")
    try run.quitAndCompare()
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "screen", "linux", "vt100"])
  func everyTerminalType(term: String) throws {
    let run = try PlayerRun(
      ["--paused", PlayerClips.smooth(), PlayerClips.upright()], columns: 110, rows: 18, term: term)
    try run.waitUntilPaused(panes: 2)
    try run.quitAndCompare()
    run.expectRestored()
  }

  @Test(arguments: ["24bit", "16", "mono"])
  func inTheMidst(depth: String) throws {
    let run = try PlayerRun(["--colors", depth, "--paused", "--start", "7", PlayerClips.smooth()])
    try run.waitUntilPaused()
    try run.quitAndCompare()
  }

  @Test(arguments: ["24bit", "256", "16", "8", "mono"])
  func afterPlaying(depth: String) throws {
    let run = try PlayerRun(
      ["--colors", depth, PlayerClips.smooth(), PlayerClips.upright()], columns: 110, rows: 16)
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    try run.quitAndCompare()
  }

  @Test func afterDropsOnASlowLink() throws {
    let run = try PlayerRun([PlayerClips.smooth(), PlayerClips.upright()], columns: 110) {
      $0.bytesPerSecond = 40_000
      $0.inputDelay = 0.05
      $0.environment["COLORTERM"] = "truecolor"
    }
    try run.wait("it moves") { $0.contains("0:01/") }
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    try run.wait("no loss is shown any more") { !$0.text[0].contains("/s") }
    try run.quitAndCompare()
    let panes = try run.statistics().panes
    #expect(panes.allSatisfy { $0.shown > 0 } && panes.contains { $0.skipped > 0 })
  }

  /// A pane that stands loses nothing, whatever it lost before it was paused.
  @Test func theLossIsThatOfPlayingPanes() throws {
    let run = try PlayerRun([PlayerClips.smooth(), PlayerClips.upright()], columns: 110) {
      $0.bytesPerSecond = 40_000
      $0.inputDelay = 0.05
      $0.environment["COLORTERM"] = "truecolor"
    }
    try run.wait("a loss is shown") { $0.text[0].contains("/s") }
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    #expect(!run.screen.text[0].contains("/s"), "\(run.screen)")
    try run.quitAndCompare()
  }

  @Test func afterATerminalThatDidNotReadForAWhile() throws {
    let run = try PlayerRun([PlayerClips.smooth()])
    try run.waitUntilMoving()
    run.process.pauseReading()
    run.process.run(seconds: 0.5)
    run.process.resumeReading()
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.quitAndCompare()
  }

  @Test(arguments: [true, false])
  func afterManySizes(isPaused: Bool) throws {
    let run = try PlayerRun(
      (isPaused ? ["--paused"] : []) + [PlayerClips.timeline(), PlayerClips.upright(), PlayerClips.smooth()],
      columns: 120, rows: 30)
    try run.wait("it is there") { $0.contains("‖ 0:0") || $0.contains("► 0:0") }
    let sizes = [
      (1, 1), (64, 21), (2, 1), (1, 2), (7, 3), (200, 50), (8, 5), (33, 17), (9, 40), (120, 6), (1, 30),
      (63, 20),
      (81, 25),
    ]
    for (columns, rows) in sizes {
      try run.process.resize(columns: columns, rows: rows)
      // Some of the sizes are met while the one before is still being drawn.
      if columns % 2 == 0 { try run.wait { _ in true } } else { run.process.run(seconds: 0.02) }
    }
    try run.process.resize(columns: 121, rows: 31)
    try run.wait("three panes") { $0.contains("timeline.mp4") && $0.contains("smooth.mp4") }
    if !isPaused { run.process.send(" ") }
    try run.waitUntilPaused(panes: 3)
    try run.quitAndCompare()
  }

  @Test(arguments: [
    (1, 1, "w"), (1, 2, "w"), (7, 4, "small"), (8, 5, "‖"), (200, 3, "window too small"), (5, 60, "windo"),
  ])
  func tinyWindows(columns: Int, rows: Int, text: String) throws {
    let run = try PlayerRun(["--paused", PlayerClips.short()], columns: columns, rows: rows)
    // Whatever fits is shown, be it some letters of a sentence.
    try run.wait(for: text)
    try run.quitAndCompare()
  }

  @Test func aWindowThatIsTooSmallSaysSo() throws {
    let run = try PlayerRun(["--paused", PlayerClips.short()], columns: 30, rows: 3)
    try run.wait(for: "too small")
    try run.process.resize(columns: 64, rows: 21)
    try run.waitUntilPaused()
    try run.waitUntilStill()
    #expect(!run.screen.contains("too small") && run.frameNumber() == 0)
    try run.process.resize(columns: 20, rows: 2)
    try run.wait(for: "too small")
    try run.quitAndCompare()
  }

  @Test func withPanelsAndPrompts() throws {
    let run = try PlayerRun(
      ["--paused", PlayerClips.timeline(), PlayerClips.upright()], columns: 110, rows: 30)
    try run.waitUntilPaused(panes: 2)
    run.process.send("?")
    try run.wait(for: "A-B loop: A, B, off")
    // A key that does something else closes the help and does it.
    run.process.send("i")
    try run.wait("figures without the help") { $0.contains("decoded") && !$0.contains("A-B loop: A") }
    run.process.send("\u{C}")
    try run.waitUntilStill()
    #expect(run.screen.contains("decoded"))
    run.process.send("?")
    try run.wait(for: "A-B loop: A, B, off")
    run.process.send("q")
    try run.wait("the help is gone") { !$0.contains("A-B loop: A") }
    try run.quitAndCompare()
  }

  @Test func zoomedAndBack() throws {
    let clips = try [PlayerClips.short(), PlayerClips.upright(), PlayerClips.smooth()]
    let run = try PlayerRun(["--paused", "--layout", "row"] + clips, columns: 120)
    try run.waitUntilPaused(panes: 3)
    run.process.send("\tz")
    try run.wait("one pane") { !$0.contains("short.mp4") && $0.contains("2/3 upright.mkv") }
    try run.waitUntilStill()
    run.process.send("z")
    try run.wait("three panes") { $0.contains("short.mp4") && $0.contains("smooth.mp4") }
    try run.waitUntilStill()
    run.process.send("\tz")
    try run.wait("one pane") { !$0.contains("short.mp4") && $0.contains("smooth.mp4") }
    try run.quitAndCompare()
  }

  /// A frame that comes once more, for another size or for a pane that was hidden, is not one more.
  @Test func framesThatAreMadeAnewCountOnce() throws {
    let clips = try [PlayerClips.short(), PlayerClips.upright()]
    let run = try PlayerRun(["--paused", "--layout", "row"] + clips, columns: 120)
    try run.waitUntilPaused(panes: 2)
    try run.waitUntilStill()
    for key in ["z", "z", "g", "ggg"] {
      run.process.send(key)
      try run.waitUntilStill()
    }
    for columns in [90, 120] {
      try run.process.resize(columns: columns, rows: 21)
      try run.waitUntilStill()
    }
    try run.quitAndCompare()
    #expect(try run.statistics().panes.map(\.shown) == [1, 1])
  }

  @Test func withFaultyPanes() throws {
    let clips = try [
      "/nowhere/at all.mp4", SampleClip.notMedia.path(), PlayerClips.short(), SampleClip.audioOnly.path(),
    ]
    let run = try PlayerRun(["--paused"] + clips, columns: 100, rows: 30)
    try run.waitUntilPaused()
    try run.wait(for: "no such file")
    try run.quitAndCompare()
  }

  @Test func afterHeldKeys() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    for _ in 0..<50 { run.process.press(.right, .shift) }
    for _ in 0..<50 { run.process.send(".") }
    for _ in 0..<5 { run.process.send(",") }
    try run.wait("it is there") { _ in run.numbersShown == [545] }
    try run.waitUntilStill()
    #expect(run.frameNumber() == 545)
    try run.quitAndCompare()
  }

  @Test func afterHavingBeenStopped() throws {
    let run = try PlayerRun([PlayerClips.timeline()], isJob: true)
    try run.waitUntilMoving()
    run.process.send("\u{1A}")
    try run.wait(for: "job stopped")
    run.expectRestored()
    run.process.send("\n")
    try run.wait("it is back") { $0.contains("timel") && $0.isAlternateScreen }
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.quitAndCompare()
    run.expectRestored()
  }

  /// A shell may have written over everything, and the modes may be anyone's.
  @Test func afterStopAndContinueFromOutside() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try run.waitUntilStill()
    run.process.signal(SIGSTOP)
    #expect(run.process.runUntilStopped(timeout: PlayerRun.patience))
    let output = FileHandle(forWritingAtPath: run.process.ttyPath)
    try output?.write(contentsOf: Data("\u{1B}[?1049l\u{1B}[?25h\u{1B}[?1002l\u{1B}[2J\u{1B}[H$ ls\r\n".utf8))
    try output?.close()
    try run.wait(for: "$ ls")
    run.process.signal(SIGCONT)
    try run.waitUntilPaused()
    try run.waitUntilStill()
    #expect(run.screen.isAlternateScreen && !run.screen.isCursorVisible && run.screen.mouseMode == .drag)
    #expect(run.frameNumber() == 0)
    try run.quitAndCompare()
    run.expectRestored()
  }

  @Test func repaintsWhatOthersWroteOver() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let output = FileHandle(forWritingAtPath: run.process.ttyPath)
    try output?.write(contentsOf: Data("\u{1B}[5;5HA message from elsewhere\u{1B}[1;1H".utf8))
    try output?.close()
    try run.wait(for: "A message from elsewhere")
    run.process.send("\u{C}")
    try run.wait("it is gone") { !$0.contains("A message from elsewhere") }
    try run.quitAndCompare()
  }

  @Test func withSynchronizedUpdates() throws {
    let run = try PlayerRun([PlayerClips.smooth()]) { $0.knowsSynchronizedUpdates = true }
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.waitUntilPaused()
    #expect(String(decoding: run.process.rawOutput, as: UTF8.self).contains("\u{1B}[?2026h"))
    try run.quitAndCompare()
    run.expectRestored()
  }
}
