import TerminalHarness
import Testing

/// Runs of one glyph are one glyph and a sequence that repeats it, where the terminal's name tells that it can.
@Suite(.timeLimit(.minutes(10))) struct RepeatTests {
  private func output(_ run: PlayerRun) -> String { String(decoding: run.process.rawOutput, as: UTF8.self) }

  /// Returns true if a glyph is repeated by REP.
  private func repeats(_ run: PlayerRun) -> Bool { output(run).contains(/\u{1B}\[\d+b/) }

  @Test(arguments: [true, false]) func aTerminalThatIsNotKnownGetsEveryGlyph(answersQueries: Bool) throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.answersQueries = answersQueries }
    try run.waitUntilPaused()
    run.process.send("?")
    try run.wait(for: "Keys")
    run.process.send("q")
    try run.wait("the help is gone") { !$0.contains("Keys") }
    #expect(output(run).contains("\u{1B}[>q"))
    try run.quitAndCompare()
    #expect(!repeats(run))
    run.expectRestored()
  }

  @Test func aKnownTerminalRepeatsThem() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("\u{1B}P>|XTerm(400)\u{1B}\\?")
    try run.wait("a glyph is repeated") { _ in repeats(run) }
    // The answer is not shown, nor taken for keys.
    #expect(!run.screen.contains("XTerm") && !run.screen.contains("400"))
    run.process.send("q")
    try run.wait("the help is gone") { !$0.contains("Keys") }
    run.quit()
    run.expectRestored()
  }
}
