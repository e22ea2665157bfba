import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Sessions that are saved and continued, and blind tests.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
  @Test func anEvaluationGoesOn() throws {
    let folder = try TemporaryFolder()
    let session = folder.path("eval.yaml")
    let run = try PlayerRun.pair(["--session", session, "--offset", "2:+3f"])
    run.process.send("t30\r")
    try run.waitForFrames(300, 303)
    run.process.send("\tgd")
    try run.wait("a difference") { $0.contains("difference ×8") && $0.contains("fill") && $0.contains("2: +3 frames") }
    run.quit()
    let text = try String(contentsOfFile: session, encoding: .utf8)
    #expect(text.hasPrefix("quadrille: session 1\n") && text.contains("at: 0:30.3\n") && text.contains("offset: 0.3\n"), "\(text)")

    let again = try PlayerRun(["--session", session], columns: 129)
    try again.wait("as before") {
      $0.contains("difference ×8") && $0.contains("fill") && $0.contains("2: +3 frames") && $0.contains("#300") && $0.contains("#303")
    }
    // The second pane has the focus, and both move together.
    again.process.send("\u{1B}")
    try again.wait("the clip alone") { !$0.contains("difference") && $0.contains("comparison off") }
    again.process.send(".")
    try again.wait("a frame on") { $0.contains("#301") && $0.contains("#304") }
    again.quit()
    #expect(try String(contentsOfFile: session, encoding: .utf8).contains("at: 0:30.4\n"))
  }

  @Test func onlySessionsAreContinuedAndReplaced() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    let file = folder.path("eval.yaml")
    let missing = try CommandRun(["--session", file])
    #expect(missing.status == .exited(64) && missing.errors.contains("There is no session"))
    for (text, message) in [("movie: 1\n", "\(file):1: not a session"), ("quadrille: session 1\npanes:\n  - clips: 3\n", "\(file):3: clips: ")] {
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      let given = try CommandRun(["--session", file, clip])
      #expect(given.status == .exited(64) && given.errors.contains("already exists. Leave out the clips"))
      let continued = try CommandRun(["--session", file])
      #expect(continued.status == .exited(2) && continued.errors.contains(message), "\(continued.errors)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
    // A session is an input of its own run.
    try "quadrille: session 1\npanes:\n  - clips: [{clip: \(clip)}]\n".write(toFile: file, atomically: false, encoding: .utf8)
    let stats = try CommandRun(["--session", file, "--stats", file])
    #expect(stats.status == .exited(2) && stats.errors.contains("refusing to overwrite an input file"))
    let itself = try CommandRun(["--session", clip, "--speed", "2"])
    #expect(itself.status == .exited(2) && itself.errors.contains("\(clip)"))
    let start = try CommandRun(["--session", file, "--start", "1"])
    #expect(start.status == .exited(64) && start.errors.contains("--start cannot be given"))
  }

  @Test func aBlindTestHidesNamesUntilTheReveal() throws {
    let folder = try TemporaryFolder()
    let clips = [try PlayerClips.copy(in: folder, named: "one.mp4"), try PlayerClips.copy(in: folder, named: "two.mp4")]
    let run = try PlayerRun(["--paused", "--blind", "--votes", folder.path("votes.csv"), "--info"] + clips, columns: 160, rows: 40)
    try run.waitUntilPaused(panes: 2)
    try run.wait("letters") { $0.contains("1 A") && $0.contains("2 B") && $0.contains("blind, 0 votes") }
    run.process.send("\t\"\"")
    try run.wait("two votes") { $0.contains("vote 2: B") }
    run.process.send("T")
    try run.wait("refused") { $0.contains("not during a blind test; & shows the names") }
    try run.wait("the number of votes") { $0.contains("blind, 2 votes") }
    let output = String(decoding: run.process.rawOutput, as: UTF8.self)
    #expect(!output.contains("one.mp4") && !output.contains("two.mp4"))
    run.process.send("&")
    try run.wait("names") { $0.contains("one.mp4") && $0.contains("two.mp4") && $0.contains("2 votes") }
    run.quit()
    let votes = try String(contentsOfFile: folder.path("votes.csv"), encoding: .utf8).split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(votes.count == 5 && votes[0].joined(separator: ",") == "row,pane,clip,votes,time,position")
    #expect(votes[1...2].map { $0[3] } == ["0", "2"] && Set(votes[1...2].map { String($0[2]) }) == Set(clips))
    #expect(votes[3...4].allSatisfy { $0[0] == "vote" && $0[1] == "B" && $0[2] == votes[2][2] })
  }

  @Test(arguments: [["--votes", "v.csv", "a", "b"], ["--blind", "a"], ["--blind", "--session", "x", "a", "b"]])
  func optionsThatNeedOthers(line: [String]) throws {
    #expect(try CommandRun(line).status == .exited(64))
  }
}
