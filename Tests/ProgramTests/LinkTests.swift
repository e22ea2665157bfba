import TerminalHarness
import Testing

/// Panes that move together, or not.
@Suite(.timeLimit(.minutes(10))) struct LinkTests {
  @Test func focusAndLink() throws {
    let run = try PlayerRun.pair()
    #expect(run.screen.contains("all panes"))
    run.process.press(.right)
    try run.waitForFrames(50, 50)
    run.process.send("a")
    try run.wait(for: "this pane only")
    run.process.press(.right)
    try run.waitForFrames(100, 50)
    run.process.press(.tab)
    run.process.press(.right, .shift)
    try run.waitForFrames(100, 60)
    for (keys, expected) in [
      ("\u{1B}1", [110, 60]), ("\u{1B}2", [110, 70]), ("n", [120, 70]), ("N", [120, 80]),
    ] {
      run.process.send(keys)
      run.process.press(.right, .shift)
      try run.waitForFrames(expected[0], expected[1])
    }
    run.process.press(.function(1))
    run.process.press(.right, .shift)
    try run.waitForFrames(130, 80)
    run.process.press(.tab, .shift)
    run.process.press(.right, .shift)
    try run.waitForFrames(130, 90)
    run.process.press(.function(2))
    run.process.press(.function(3))  // There is none; the focus stays.
    run.process.press(.right, .shift)
    try run.waitForFrames(130, 100)
    // Linked again, each goes on from where it is.
    run.process.send("a")
    try run.wait(for: "keys control all panes")
    run.process.press(.right)
    try run.waitForFrames(180, 150)
    run.process.send("..")
    try run.waitForFrames(182, 152)
    run.process.send("5")
    try run.waitForFrames(750, 750)
    try run.quitAndCompare()
  }

  /// Two panes of which the first is 50 frames ahead, and that are to stay so.
  private func alignedPair() throws -> PlayerRun {
    let run = try PlayerRun.pair()
    run.process.send("a")
    try run.wait(for: "this pane only")
    run.process.press(.right)
    try run.waitForFrames(50, 0)
    run.process.send("a=")
    try run.wait(for: "panes aligned")
    return run
  }

  @Test func alignment() throws {
    let run = try alignedPair()
    // Absolute positions count for the focused pane; the other keeps its distance.
    run.process.send("5")
    try run.waitForFrames(750, 700)
    run.process.press(.right)
    try run.waitForFrames(800, 750)
    run.process.send("t10\r")
    try run.waitForFrames(100, 50)
    // Frame by frame would come next; calling that off keeps the distance.
    run.process.send("=")
    try run.wait(for: "aligning")
    run.process.send("=")
    try run.wait("is called off") { !$0.contains("aligning") && $0.contains("aligned 2: -50 frames") }
    run.process.send("5")
    try run.waitForFrames(750, 700)
    run.quit()
  }

  @Test func alignmentSurvivesTheEdges() throws {
    let run = try alignedPair()
    run.process.send("5")
    try run.waitForFrames(750, 700)
    try run.wait(for: "aligned 2: -50 frames -5.000 s")
    // The earliest moment that both have, and the latest.
    run.process.press(.home)
    try run.waitForFrames(50, 0)
    run.process.press(.left)
    try run.waitForFrames(50, 0)
    run.process.send(",")
    try run.waitForFrames(50, 0)
    run.process.send(".")
    try run.waitForFrames(51, 1)
    run.process.press(.end)
    try run.waitForFrames(1499, 1449)
    run.process.send(",")
    try run.waitForFrames(1498, 1448)
    run.quit()
  }

  @Test func alignedPanesPlayFromAndToTheEdgesTogether() throws {
    let run = try alignedPair()
    run.process.press(.home)
    try run.waitForFrames(50, 0)
    run.process.send(" ")
    try run.wait("they play") { $0.text.joined().filter { $0 == "►" }.count == 2 }
    run.process.send(" ")
    try run.waitUntilStill()
    var shown = run.numbersShown
    #expect(shown.count == 2 && shown[0] - shown[1] == 50)
    // Backwards they stop where the first of them does.
    run.process.send("jjj")
    try run.waitForFrames(50, 0)
    #expect(run.screen.text.joined().filter { $0 == "‖" }.count == 2)
    run.process.send("l")
    try run.wait("they play") { $0.text.joined().filter { $0 == "►" }.count == 2 }
    run.process.send("k")
    try run.waitUntilStill()
    shown = run.numbersShown
    #expect(shown.count == 2 && shown[0] - shown[1] == 50)
    // From the end they begin together.
    run.process.send("t2:29.5\r{{ ")
    try run.waitForFrames(1499, 1449)
    run.process.send(" ")
    try run.wait("they play from the beginning") { $0.contains("► 0:05/") && $0.contains("► 0:00/") }
    run.quit()
  }

  @Test func whatOnePaneDoesAloneEndsTheAlignment() throws {
    let run = try alignedPair()
    run.process.send("a")
    try run.wait(for: "this pane only")
    run.process.send(".")
    try run.waitForFrames(51, 0)
    try run.wait(for: "was aligned 2: -50 frames -5.000 s")
    // Together again, each goes on from where it is; what they are now can be kept anew.
    run.process.send("a.")
    try run.waitForFrames(52, 1)
    run.process.send("=")
    try run.wait(for: "aligned 2: -51 frames -5.100 s")
    run.process.press(.home)
    try run.waitForFrames(51, 0)
    run.quit()
  }

  @Test func keysThatComeTogetherAlignWhatTheyHaveLedTo() throws {
    let run = try PlayerRun.pair(["--start", "10"])
    try run.waitForFrames(100, 100)
    run.process.send("a..a=")
    try run.wait(for: "panes aligned")
    run.process.send("5")
    try run.waitForFrames(750, 748)
    run.quit()
  }

  /// Panes that are set one by one are to be steered together from then on.
  @Test func aligningLinksThePanes() throws {
    let run = try PlayerRun.pair(["--no-linked"])
    run.process.send("...=")
    try run.waitForFrames(3, 0)
    try run.wait(for: "panes aligned")
    run.process.press(.home)
    try run.waitForFrames(3, 0)
    try run.wait(for: "all panes  aligned 2: -3 frames -0.300 s")
    run.quit()
  }

  /// The step waits for the frame that was gone to.
  @Test func aStepThatWaitsCountsInTheDistance() throws {
    let clip = try PlayerClips.heavyGroup()
    let run = try PlayerRun(["--paused", "--layout", "row", "--no-linked", clip, clip], columns: 129)
    try run.waitUntilPaused(panes: 2)
    run.process.send("t#110\r.=")
    try run.waitForFrames(111, 0)
    try run.wait(for: "all panes  aligned 2: -111 frames -11.100 s")
    run.quit()
  }

  @Test func distancesAreGivenOnTheCommandLine() throws {
    let run = try PlayerRun.pair(["--offset", "2:+3f"])
    try run.waitForFrames(0, 3)
    #expect(run.screen.contains("aligned 2: +3 frames +0.300 s"))
    run.process.send("5")
    try run.waitForFrames(750, 753)
    run.process.press(.end)
    try run.waitForFrames(1496, 1499)
    run.quit()
    let other = try PlayerRun.pair(["--start", "10", "--start", "20"])
    try other.waitForFrames(100, 200)
    other.quit()
    let clip = try PlayerClips.timeline()
    let far = try CommandRun(["--offset", "3:+1f", clip, clip])
    #expect(far.status == .exited(64) && far.errors.contains("--offset refers to pane 3, but there are only 2."))
    for (arguments, count) in [([clip, clip], "are only 2"), ([clip], "is only 1"), (["--no-video", clip, clip], "is only 1")] {
      let run = try CommandRun(["--sound", "3"] + arguments)
      #expect(run.status == .exited(64) && run.errors.contains("--sound refers to pane 3, but there \(count)."), "\(run.errors)")
    }
    let many = try CommandRun(["--start", "1", "--start", "2", clip])
    #expect(many.status == .exited(64) && many.errors.contains("1 clip"))
  }

  @Test func panesOfOtherRatesFollowTheTime() throws {
    let run = try PlayerRun(
      ["--paused", "--layout", "row", PlayerClips.smooth(), PlayerClips.upright()], columns: 129)
    try run.waitUntilPaused(panes: 2)
    run.process.send("=")
    try run.wait(for: "panes aligned")
    run.process.send(String(repeating: ".", count: 50))
    try run.wait("30 and 25 frames a second") { _ in run.numbersShown == [50, 41] }
    run.quit()
  }

  /// A pane that is not aligned goes along for itself.
  @Test func aPaneThatIsNotAligned() throws {
    let run = try alignedPair()
    run.process.send("o\(try PlayerClips.timeline())\r")
    try run.wait("a third pane") { _ in run.numbersShown == [50, 0, 0] }
    run.process.send("..")
    try run.wait("all step") { _ in run.numbersShown == [52, 2, 2] }
    run.process.press(.right)
    try run.wait("all seek") { _ in run.numbersShown == [102, 52, 52] }
    run.process.send(",")
    try run.wait("all step back") { _ in run.numbersShown == [101, 51, 51] }
    run.quit()
  }

  /// Where aligned clips end together they have ended, though one of them has more.
  @Test func alignedPanesEnd() throws {
    let clip = try PlayerClips.short()
    let run = try PlayerRun(["--exit-at-end", "--speed", "4", "--offset", "2:+3f", clip, clip])
    _ = run.process.run(timeout: PlayerRun.patience) { _ in false }
    #expect(run.process.exitStatus == .exited(0))
    run.expectRestored()
  }
}
