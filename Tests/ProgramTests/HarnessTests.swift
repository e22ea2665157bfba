import Foundation
import Glibc
import TerminalHarness
import Testing

/// The harness itself, with small shell programs.
@Suite(.timeLimit(.minutes(10))) struct HarnessTests {
  /// Enough for a loaded machine; nothing waits this long when it works.
  static let patience = 60.0

  private func shell(_ script: String, _ change: (inout TerminalProcess.Options) -> Void = { _ in }) throws
    -> TerminalProcess
  {
    var options = TerminalProcess.Options()
    change(&options)
    return try TerminalProcess("sh", ["-c", script], options: options)
  }

  @Test func showsOutputAndExitStatus() throws {
    let process = try shell("printf 'hello\\r\\n\\033[31mred'; exit 7")
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(7))
    #expect(process.screen.text.prefix(2) == ["hello", "red"])
    #expect(process.screen[column: 0, row: 1].foreground == .indexed(1))
    #expect(process.bytesReceived == process.rawOutput.count && process.bytesReceived > 10)
    #expect(process.exitStatus == .exited(7) && process.usage != nil && !process.hasLivingProcesses)
  }

  @Test func theTTYIsTheControllingOneAndHasTheSize() throws {
    let process = try shell(
      "tty; stty size; test -t 0 && test -t 1 && test -t 2 && stty size < /dev/tty; ls /proc/$$/fd"
    ) {
      $0.columns = 91
      $0.rows = 33
    }
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(0))
    let text = process.screen.text
    #expect(text.prefix(3) == [process.ttyPath, "33 91", "33 91"])
    #expect(text[3].split(separator: " ").compactMap { Int($0) }.filter { $0 > 2 && $0 < 10 }.isEmpty)
  }

  @Test func theEnvironmentIsCleanButForWhatIsSaid() throws {
    let process = try shell("echo \"$TERM,$LANG,${COLORTERM-none},${NO_COLOR-none},$WORD,${HOME-none}\"; pwd")
    {
      $0.term = "vt100"
      $0.environment = ["WORD": "said", "HOME": nil]
      $0.directory = "/usr"
    }
    _ = process.runUntilExit(timeout: Self.patience)
    #expect(process.screen.text.prefix(2) == ["vt100,C.UTF-8,none,none,said,none", "/usr"])
  }

  @Test func keysReachTheProgram() throws {
    let process = try shell("echo ready; read line; echo \"got $line\"; read line; echo \"then $line\"")
    #expect(process.run(timeout: Self.patience) { $0.contains("ready") })
    process.send("abc\r")
    #expect(process.run(timeout: Self.patience) { $0.contains("got abc") })
    process.press(.character("x"))
    process.press(.enter)
    #expect(process.run(timeout: Self.patience) { $0.contains("then x") })
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(0))
  }

  @Test func predicateIsFalseAfterTheEndOrTheTimeout() throws {
    let process = try shell("echo done")
    #expect(!process.run(timeout: Self.patience) { $0.contains("never") })
    #expect(process.screen.contains("done"))
    let waiting = try shell("read x")
    #expect(!waiting.run(timeout: 0.05) { $0.contains("never") })
    #expect(waiting.exitStatus == nil && waiting.runUntilExit(timeout: 0.01) == nil)
  }

  @Test func queriesAreAnswered() throws {
    let script = "stty -icanon -echo; printf '\\033[5n'; dd bs=1 count=4 2>/dev/null | od -An -tx1"
    let process = try shell(script)
    #expect(process.run(timeout: Self.patience) { $0.contains("1b 5b 30 6e") })
    #expect(process.statusQueries == 1)

    let dumb = try shell("stty -icanon -echo; printf '\\033[5n'; read x; echo \"got $x\"") {
      $0.answersQueries = false
    }
    #expect(dumb.run(timeout: Self.patience, while: { dumb.statusQueries == 0 }))
    dumb.send("key\n")
    #expect(dumb.run(timeout: Self.patience) { $0.contains("got key") })
  }

  @Test func resizingTellsTheProgram() throws {
    let process = try shell("trap 'stty size; exit 0' WINCH; echo ready; while :; do read x; done") {
      $0.cellPixels = (8, 16)
    }
    #expect(process.run(timeout: Self.patience) { $0.contains("ready") })
    try process.resize(columns: 50, rows: 10)
    #expect(process.run(timeout: Self.patience) { $0.contains("10 50") })
    #expect(process.screen.columns == 50 && process.screen.rows == 10)
  }

  @Test func signalsAndDeaths() throws {
    let process = try shell("trap 'echo caught' USR1; echo ready; while :; do read x; done")
    #expect(process.run(timeout: Self.patience) { $0.contains("ready") })
    #expect(process.signal(SIGUSR1))
    #expect(process.run(timeout: Self.patience) { $0.contains("caught") })
    process.signal(SIGKILL)
    #expect(process.runUntilExit(timeout: Self.patience) == .killed(signal: SIGKILL))
    #expect(!process.signal(SIGUSR1))
  }

  @Test func controlCReachesTheForegroundGroup() throws {
    let process = try TerminalProcess("cat")
    process.send("line\n")
    // Once by the tty's echo and once by the program, which therefore runs.
    #expect(process.run(timeout: Self.patience) { $0.text.prefix(2) == ["line", "line"] })
    process.send("\u{3}")
    #expect(process.runUntilExit(timeout: Self.patience) == .killed(signal: SIGINT))
  }

  @Test func attributesShowWhatTheProgramLeft() throws {
    let tidy = try shell("old=$(stty -g); stty raw -echo; echo raw; read x; stty \"$old\"")
    #expect(tidy.initialAttributes.isCanonical && tidy.initialAttributes.echoes)
    #expect(tidy.run(timeout: Self.patience) { $0.contains("raw") })
    #expect(tidy.ttyAttributes?.isCanonical == false && tidy.ttyAttributes?.echoes == false)
    tidy.send("\n")
    #expect(tidy.runUntilExit(timeout: Self.patience) == .exited(0))
    #expect(tidy.ttyAttributes == tidy.initialAttributes)

    let untidy = try shell("stty -echo")
    _ = untidy.runUntilExit(timeout: Self.patience)
    #expect(untidy.ttyAttributes != untidy.initialAttributes)
  }

  @Test func aTerminalThatStopsReadingHoldsTheProgram() throws {
    let process = try shell("echo ready; read x; head -c 1000000 /dev/zero | tr '\\0' x; echo; echo finished")
    #expect(process.run(timeout: Self.patience) { $0.contains("ready") })
    process.pauseReading()
    process.send("\n")
    let before = process.bytesReceived
    process.run(seconds: 0.1)
    #expect(process.bytesReceived == before && process.exitStatus == nil)
    process.resumeReading()
    #expect(process.run(timeout: Self.patience) { $0.contains("finished") })
    #expect(process.bytesReceived > 1_000_000)
  }

  /// 20 kB at 100 kB a second cannot have passed in less than 0.2 s less the first allowance.
  @Test func aSlowLinkIsSlow() throws {
    let process = try shell("head -c 20000 /dev/zero | tr '\\0' x; echo; echo finished") {
      $0.bytesPerSecond = 100_000
    }
    let clock = ContinuousClock()
    let start = clock.now
    #expect(process.run(timeout: Self.patience) { $0.contains("finished") })
    #expect(clock.now - start > .seconds(0.15))
  }

  @Test func delayedKeysArriveInOrder() throws {
    let process = try shell("read x; echo \"got $x\"") { $0.inputDelay = 0.05 }
    let clock = ContinuousClock()
    let start = clock.now
    process.send("a")
    process.send("b\n")
    #expect(process.run(timeout: Self.patience) { $0.contains("got ab") })
    #expect(clock.now - start >= .seconds(0.05))
  }

  @Test func hangingUpEndsTheProgram() throws {
    let process = try shell("echo ready; read x; exec sleep 30")
    #expect(process.run(timeout: Self.patience) { $0.contains("ready") })
    process.hangUp()
    #expect(process.runUntilExit(timeout: Self.patience) == .killed(signal: SIGHUP))
    #expect(process.ttyAttributes == nil && !process.hasLivingProcesses)
  }

  @Test func endIsSeenWhileAnotherProcessHoldsTheTTY() throws {
    let process = try shell("trap '' HUP; sleep 1000 & exit 4")
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(4))
    #expect(process.hasLivingProcesses)
    kill(-process.processIdentifier, SIGKILL)
    #expect(process.run(timeout: Self.patience, while: { process.hasLivingProcesses }))
  }

  @Test func aProgramThatClosesItsTTYIsFollowedToItsEnd() throws {
    let process = try shell("echo out; exec 0<&- 1>&- 2>&-; sleep 0.05; exit 5")
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(5))
    #expect(process.screen.contains("out"))
  }

  @Test func jobsStopAndContinue() throws {
    let script = "trap 'echo back' CONT; echo up; kill -TSTP $$; read x; exit 9"
    let process = try TerminalProcess("bash", TerminalProcess.jobControl("sh", ["-c", script]))
    #expect(process.run(timeout: Self.patience) { $0.contains("up") && $0.contains("job stopped") })
    process.send("\n")
    #expect(process.run(timeout: Self.patience) { $0.contains("back") })
    process.send("\n")
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(9))
  }

  @Test func stoppingIsSeen() throws {
    let process = try shell("echo up; read x")
    #expect(process.run(timeout: Self.patience) { $0.contains("up") })
    process.signal(SIGSTOP)
    #expect(process.runUntilStopped(timeout: Self.patience))
    process.signal(SIGCONT)
    process.send("\n")
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(0))
  }

  @Test func lettingGoKillsTheProgram() throws {
    var process: TerminalProcess? = try shell("trap '' HUP TERM; echo up; while :; do sleep 1000; done")
    #expect(try #require(process).run(timeout: Self.patience) { $0.contains("up") })
    let identifier = try #require(process).processIdentifier
    process = nil
    #expect(kill(identifier, 0) != 0 && errno == ESRCH)
  }

  @Test func terminfoOfTheTermIsUsed() throws {
    let process = try TerminalProcess(
      "sh", ["-c", "tput setaf 3; printf x; tput sgr0; tput cols"], columns: 44, rows: 5)
    #expect(process.runUntilExit(timeout: Self.patience) == .exited(0))
    #expect(process.screen.text[0] == "x44" && process.screen[column: 0, row: 0].foreground == .indexed(3))
  }

  @Test func aMissingProgramIsAnError() {
    #expect(throws: HarnessError.self) { try TerminalProcess("/nowhere/at/all") }
  }

  @Test func theScreenIsNotLookedAtWithinASynchronizedUpdate() throws {
    let process = try shell("printf '\\033[?2026hhalf'; read x; printf ' whole\\033[?2026l'; read x")
    #expect(!process.run(timeout: 0.2) { $0.contains("half") })
    process.send("\n")
    #expect(process.run(timeout: Self.patience) { $0.contains("half") })
    #expect(process.screen.contains("whole"))
  }
}
