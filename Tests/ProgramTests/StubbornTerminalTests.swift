import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Terminals that do not read, do not answer, go away or know no UTF-8.
@Suite(.timeLimit(.minutes(10))) struct StubbornTerminalTests {
  @Test func aTerminalThatStopsReadingDoesNotHoldTheProgram() throws {
    let run = try PlayerRun([PlayerClips.smooth(), PlayerClips.upright()], columns: 150, rows: 40)
    try run.waitUntilMoving()
    run.process.pauseReading()
    run.process.run(seconds: 0.7)
    run.process.send("q")
    #expect(run.process.run(timeout: PlayerRun.patience, while: { run.process.exitStatus == nil }))
    #expect(run.process.exitStatus == .exited(0))
    run.process.resumeReading()
    _ = run.process.runUntilExit(timeout: PlayerRun.patience)
    run.expectRestored()
  }

  @Test func aTerminalThatStopsReadingDoesNotHoldSIGTERM() throws {
    let run = try PlayerRun([PlayerClips.smooth()], columns: 150, rows: 40)
    try run.waitUntilMoving()
    run.process.pauseReading()
    run.process.run(seconds: 0.3)
    run.process.signal(SIGTERM)
    #expect(run.process.run(timeout: PlayerRun.patience, while: { run.process.exitStatus == nil }))
    #expect(run.process.exitStatus == .exited(128 + SIGTERM))
    run.process.resumeReading()
    _ = run.process.runUntilExit(timeout: PlayerRun.patience)
    run.expectRestored()
  }

  @Test func keysWorkWhileTheTerminalDoesNotRead() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try run.waitUntilStill()
    run.process.pauseReading()
    for _ in 0..<20 { run.process.press(.right) }
    run.process.run(seconds: 0.2)
    run.process.resumeReading()
    try run.wait("100 s on") { _ in run.numbersShown == [1000] }
    try run.waitUntilStill()
    #expect(run.frameNumber() == 1000)
    try run.quitAndCompare()
  }

  /// A laptop is closed and opened again: nothing is pressed, and the frames go on.
  @Test func aLinkThatDiesAndComesBackGoesOnWithWholeFrames() throws {
    let run = try PlayerRun(["--loop", PlayerClips.smooth()]) {
      $0.setLink(bytesPerSecond: 60_000, roundTrip: 0.1, buffer: 256_000)
    }
    try run.waitUntilMoving()
    run.process.run(seconds: 1)
    run.process.pauseReading()
    // Three queries go unanswered, and the terminal is given up.
    run.process.run(seconds: 5)
    run.process.resumeReading()
    // What was on its way comes first, then what plays now.
    run.process.run(seconds: 1)
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.waitUntilStill()
    #expect(run.frameNumber() == run.numbersShown.first)
    try run.quitAndCompare()
  }

  /// On a link that others share no more is sent than was asked for, whatever it would take, and what rests is whole at last.
  @Test func noMoreIsSentThanWasAskedFor() throws {
    let rate = 20_480.0
    let arguments = try ["--max-rate", "20k", "--loop", PlayerClips.smooth(), PlayerClips.upright()]
    let run = try PlayerRun(arguments, columns: 150, rows: 40) {
      $0.setLink(bytesPerSecond: 2_000_000, roundTrip: 0.04, buffer: 256_000)
      $0.environment["COLORTERM"] = "truecolor"
    }
    try run.waitUntilMoving()
    let (start, before) = (ProcessInfo.processInfo.systemUptime, run.process.bytesReceived)
    run.process.run(seconds: 4)
    let elapsed = ProcessInfo.processInfo.systemUptime - start
    // What an update or two may be beyond the mean.
    #expect(Double(run.process.bytesReceived - before) <= rate * (elapsed + 1))
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    try run.quitAndCompare()
  }

  /// Inside tmux on the far side of ssh, where nothing tells what the link takes, no more goes out than nearly every link does.
  @Test func behindAMultiplexerThatHidesTheLinkLittleIsSent() throws {
    let arguments = try ["--loop", PlayerClips.smooth(), PlayerClips.upright()]
    let run = try PlayerRun(arguments, columns: 150, rows: 40, term: "tmux-256color") {
      $0.environment["COLORTERM"] = "truecolor"
      $0.environment["TMUX"] = "/tmp/tmux-0/default,1,0"
      $0.environment["SSH_CONNECTION"] = "10.0.0.1 50000 10.0.0.2 22"
      // The emulator would answer what is wrapped.
      $0.answersQueries = false
    }
    try run.waitUntilMoving()
    let (start, before) = (ProcessInfo.processInfo.systemUptime, run.process.bytesReceived)
    run.process.run(seconds: 1.5)
    let elapsed = ProcessInfo.processInfo.systemUptime - start
    #expect(Double(run.process.bytesReceived - before) <= 48_000 * (elapsed + 1))
    #expect(String(decoding: run.process.rawOutput, as: UTF8.self).contains("\u{1B}Ptmux;\u{1B}\u{1B}[5n\u{1B}\\"))
    try run.waitUntilMoving()
    run.quit()
  }

  /// The figures of a link that `i` shows are right, and the report at the end agrees.
  @Test func theFiguresTellOfTheLink() throws {
    let run = try PlayerRun(["--loop", PlayerClips.smooth()], columns: 140, rows: 24) {
      $0.setLink(bytesPerSecond: 30_000, roundTrip: 0.2, buffer: 256_000)
      $0.environment["COLORTERM"] = "truecolor"
    }
    try run.waitUntilMoving()
    run.process.send("i")
    let pattern = /terminal (\d+) kB\/s +(\d+) (?:k?)B\/frame +([\d.]+) dB +round trip (\d+)/
    try run.wait("figures of the link") { screen in
      guard let line = screen.text.lazy.compactMap({ $0.firstMatch(of: pattern) }).first else { return false }
      let (rate, roundTrip) = (Int(line.1) ?? 0, Int(line.4) ?? 0)
      return (1...40).contains(rate) && (Double(line.3) ?? 0) > 5 && roundTrip >= 200
    }
    run.quit()
    let figures = try run.statistics()
    #expect((figures.round_trip_ms ?? 0) >= 200)
    #expect((5...60).contains(figures.psnr_db.p50 ?? 0) && (figures.psnr_db.p5 ?? 99) <= figures.psnr_db.p50 ?? 0)
    #expect((figures.bytes_per_s.p50 ?? 0) > 0 && (figures.update_bytes.p50 ?? 0) > 0)
  }

  /// A run that is over before the terminal has answered leaves the answers to nobody.
  @Test(arguments: [0.15, 0.65]) func answersOnTheirWayDoNotReachTheShell(inputDelay: Double) throws {
    let program = try #require(ProgramUnderTest.path, "the program has not been built")
    var options = TerminalProcess.Options()
    options.inputDelay = inputDelay
    options.outputDelay = 0.05
    let script = "\"$@\"; IFS= read -r line; printf 'read [%q]\\n' \"$line\""
    let process = try TerminalProcess("bash", ["-c", script, "bash", program, "/nowhere/a.mp4"], options: options)
    // The reason as it is printed at the end; the pane may have shown it before.
    #expect(process.run(timeout: PlayerRun.patience) { $0.contains("quadrille: /nowhere/a.mp4: no such file") })
    // Behind everything that the terminal still has to say.
    process.send("\n")
    #expect(process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    #expect(process.screen.contains("read ['']"), "\(process.screen)")
  }

  @Test func aClosedTerminalEndsTheProgram() throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    let clock = ContinuousClock()
    let start = clock.now
    run.process.hangUp()
    let status = run.process.runUntilExit(timeout: PlayerRun.patience)
    #expect(status == .exited(128 + SIGHUP))
    #expect(clock.now - start < .seconds(1))
    #expect(!run.process.hasLivingProcesses)
  }

  @Test func aClosedTerminalEndsAPausedProgramThatIgnoresHangUps() throws {
    let program = try #require(ProgramUnderTest.path)
    let process = try TerminalProcess(
      "sh", ["-c", "trap '' HUP; exec \"$0\" --paused \"$1\"", program, PlayerClips.timeline()])
    #expect(process.run(timeout: PlayerRun.patience) { $0.contains("#0 ") })
    process.hangUp()
    #expect(process.runUntilExit(timeout: PlayerRun.patience) != nil)
    #expect(!process.hasLivingProcesses)
  }

  @Test func aTerminalThatAnswersNothingPlays() throws {
    let run = try PlayerRun([PlayerClips.timeline()]) { $0.answersQueries = false }
    try run.wait("it moves") { $0.contains("0:02/") }
    #expect((run.frameNumber() ?? 0) >= 15)
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.quitAndCompare()
    run.expectRestored()
  }

  @Test(arguments: ["xterm-256color", "linux", "vt100"])
  func withoutALocaleBlocksAreShownWhereTheTerminalCan(term: String) throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()], term: term) {
      $0.environment["LC_ALL"] = "C"
    }
    try run.waitUntilPaused()
    try run.waitUntilStill()
    #expect(run.screen.cells.contains { $0.code == 0x2580 || $0.code == 0x2584 })
    if term != "vt100" { #expect(run.frameNumber() == 0) }
    try run.quitAndCompare()
    run.expectRestored()
  }

  @Test(arguments: ["xterm-256color", "vt100"])
  func withoutALocaleAndWithoutUTF8ThereIsASCII(term: String) throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()], term: term) {
      $0.environment["LC_ALL"] = "C"
      $0.utf8Emulator = false
    }
    try run.waitUntilPaused()
    #expect(run.screen.cells.allSatisfy { (0x20...0x7E).contains($0.code) }, "\(run.screen)")
    try run.quitAndCompare()
    run.expectRestored()
  }

  @Test func anIdleProgramSendsNothing() throws {
    let run = try PlayerRun(["--paused", PlayerClips.smooth(), PlayerClips.upright()], columns: 110)
    try run.waitUntilPaused(panes: 2)
    // On a busy machine, frames are decoded ahead with pauses that look like rest.
    var bytes = -1, ticks = 0
    for _ in 0..<20 where bytes != run.process.bytesReceived {
      bytes = run.process.bytesReceived
      let before = try cpuTicks(run.playerIdentifier)
      run.process.run(seconds: 1)
      ticks = try cpuTicks(run.playerIdentifier) - before
    }
    #expect(run.process.bytesReceived == bytes)
    // A tick is 10 ms.
    #expect(ticks <= 1)
    run.quit()
  }

  @Test func anIdleProgramWithItsFiguresShownSendsNothing() throws {
    let run = try PlayerRun([PlayerClips.smooth()])
    try run.waitUntilMoving()
    run.process.send("i ")
    try run.wait("the rate has sunk to nothing") { $0.contains("terminal 0 B/s") && $0.contains("#") }
    // What is decoded ahead still counts up; the figures are drawn once a second.
    var bytes = -1
    for _ in 0..<20 where bytes != run.process.bytesReceived {
      bytes = run.process.bytesReceived
      run.process.run(seconds: 1.1)
    }
    #expect(run.process.bytesReceived == bytes)
    try run.quitAndCompare()
  }

  private func cpuTicks(_ process: Int32) throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
  }
}
