import Foundation
import TerminalHarness
import TestSupport
import Testing

/// However the program ends, the terminal is as it was before.
@Suite(.timeLimit(.minutes(10))) struct RestoreTests {
  @Test(arguments: [("q", 0), ("\u{3}", 0)])
  func keysThatEnd(key: String, code: Int32) throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    #expect(run.screen.isAlternateScreen && !run.screen.isCursorVisible)
    #expect(run.screen.mouseMode == .drag && run.process.ttyAttributes != run.process.initialAttributes)
    run.process.send(key)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(code))
    run.expectRestored()
    #expect(!run.process.hasLivingProcesses)
    // Meanwhile the terminal leaves text of scripts that run to the left in the order in which it comes.
    let output = String(decoding: run.process.rawOutput, as: UTF8.self)
    let (off, on) = (output.ranges(of: "\u{1B}[8l"), output.ranges(of: "\u{1B}[8h"))
    #expect(off.count == 1 && on.count == 1 && off[0].upperBound < on[0].lowerBound)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalsThatEnd(signal: Int32) throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    run.process.signal(signal)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(128 + signal))
    run.expectRestored()
  }

  /// All that end a process by default and are not answered.
  @Test(arguments: [
    SIGSEGV, SIGABRT, SIGBUS, SIGQUIT, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
    SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT, 34, 49, 64,
  ])
  func signalsThatEndAtOnce(signal: Int32) throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    run.process.signal(signal)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .killed(signal: signal))
    run.expectRestored()
  }

  @Test(arguments: [SIGPIPE, SIGXFSZ, SIGCHLD, SIGURG])
  func signalsThatDoNotMatter(signal: Int32) throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    run.process.signal(signal)
    try run.waitUntilMoving()
    run.quit()
    run.expectRestored()
  }

  @Test(arguments: ["linux", "vt100", "screen"])
  func otherTypes(term: String) throws {
    let run = try PlayerRun([PlayerClips.timeline()], term: term)
    try run.waitUntilMoving()
    run.quit()
    run.expectRestored()
  }

  @Test func allClipsBad() throws {
    // Wide enough for the path of a sample clip.
    let run = try PlayerRun(["/nowhere/a.mp4", SampleClip.notMedia.path()], columns: 200)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    run.expectRestored()
    #expect(run.screen.contains("a.mp4: no such file"))
    #expect(run.screen.contains("letter.mp4: "))
  }

  @Test func anErrorAtTheStartLeavesNothing() throws {
    let run = try PlayerRun([PlayerClips.short()]) { $0.environment["TERM"] = "dumb" }
    let status = run.process.runUntilExit(timeout: PlayerRun.patience)
    #expect(status == .exited(2))
    #expect(run.process.ttyAttributes == run.process.initialAttributes)
    #expect(run.screen.contains("quadrille: "))
  }

  /// The stop and the way back are in `ScreenTests`; here the shell finds the terminal as it left it.
  @Test func aStoppedJobIsRestoredAndEndsWell() throws {
    let run = try PlayerRun([PlayerClips.timeline()], isJob: true)
    try run.waitUntilMoving()
    kill(run.playerIdentifier, SIGTSTP)
    try run.wait(for: "job stopped")
    run.expectRestored()
    run.process.send("\n")
    try run.wait("it is back") {
      $0.isAlternateScreen && $0.mouseMode == .drag && $0.contains("timel")
    }
    kill(run.playerIdentifier, SIGTERM)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(128 + SIGTERM))
    run.expectRestored()
  }

  /// A stopped job that is ended takes the terminal no more: it belongs to the shell.
  @Test func aStoppedJobEndsWhenItIsToldTo() throws {
    let run = try PlayerRun([PlayerClips.timeline()], isJob: true)
    try run.waitUntilMoving()
    let player = run.playerIdentifier
    kill(player, SIGTSTP)
    try run.wait(for: "job stopped")
    kill(player, SIGTERM)
    kill(player, SIGCONT)
    // Gone, or ended and not yet asked for by the shell.
    func hasEnded() -> Bool {
      guard let file = FileHandle(forReadingAtPath: "/proc/\(player)/status") else { return true }
      return String(decoding: file.readDataToEndOfFile(), as: UTF8.self).contains("State:\tZ")
    }
    // It says nothing more that could be waited for.
    for _ in 0..<100 where !hasEnded() { run.process.run(seconds: 0.1) }
    #expect(hasEnded())
    run.expectRestored()
    run.process.send("\n")
    _ = run.process.runUntilExit(timeout: PlayerRun.patience)
  }

  /// The clocks stand while the program is stopped.
  @Test func aStopTakesNoTime() throws {
    let run = try PlayerRun([PlayerClips.timeline()], isJob: true)
    try run.waitUntilMoving()
    run.process.send("\u{1A}")
    try run.wait(for: "job stopped")
    run.process.run(seconds: 1.2)
    run.process.send("\n")
    try run.wait("it goes on") { $0.contains("0:01/") || $0.contains("0:02/") }
    #expect(run.screen.contains("0:01/"))
    run.process.send("q")
    _ = run.process.runUntilExit(timeout: PlayerRun.patience)
  }

  /// Late answers of the terminal must not be typed into the shell.
  @Test func lateAnswersDoNotReachTheShell() throws {
    let folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path)
    let script = """
      "$0" "$1"; stty -icanon -echo min 0 time 8; echo over; dd bs=100 count=1 2>/dev/null | od -An -c
      echo done
      """
    var options = TerminalProcess.Options()
    options.inputDelay = 0.15
    options.environment["HOME"] = folder.path
    let process = try TerminalProcess(
      "sh", ["-c", script, program, PlayerClips.timeline()], options: options)
    #expect(process.run(timeout: PlayerRun.patience) { $0.contains("► 0:00/") })
    process.send("q")
    #expect(process.run(timeout: PlayerRun.patience) { $0.contains("over") && $0.contains("done") })
    #expect(process.screen.text.filter { !$0.isEmpty } == ["over", "done"], "\(process.screen)")
    _ = process.runUntilExit(timeout: PlayerRun.patience)
  }
}
