import Foundation
import Glibc
import Testing

@testable import Terminal

/// Signals and the armed terminal are the process's, so these run one after the other.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TerminalSessionTests {
  private static let xterm = ["TERM": "xterm-256color"]

  @Test func entersAndPutsBack() throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    #expect(tty.isRaw)
    let entered = tty.read { $0.contains("\u{1B}[2J") }
    for part in [
      "\u{1B}[?1049h", "\u{1B}[?25l", "\u{1B}[?1002h", "\u{1B}[?1006h", "\u{1B}[?2004h", "\u{1B}[?7l",
    ] {
      #expect(entered.contains(part), "\(part.debugDescription)")
    }
    session.restore()
    #expect(tty.attributes == before)
    let left = tty.read { $0.contains("?25h") }
    #expect(left.hasPrefix("\u{18}\u{1B}[?2026l"))
    for part in [
      "\u{1B}[m", "\u{1B}[?1006l", "\u{1B}[?1002l", "\u{1B}[?2004l", "\u{1B}[?7h", "\u{1B}[?25h",
      "\u{1B}[?1049l",
    ] {
      #expect(left.contains(part), "\(part.debugDescription)")
    }
    session.restore()
    #expect(tty.read() == "")
  }

  @Test func forgettingItPutsBackToo() throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    do { _ = try TerminalSession(path: tty.path, environment: Self.xterm) }
    #expect(tty.attributes == before)
    #expect(tty.read { $0.contains("?1049l") }.contains("\u{1B}[?1049l"))
    // The handlers are free again.
    _ = try TerminalSession(path: tty.path, environment: Self.xterm)
  }

  @Test(arguments: ["vt100", "linux"])
  func plainTerminalsGetNothingPrivate(term: String) throws {
    let tty = try PseudoTTY()
    do { _ = try TerminalSession(path: tty.path, environment: ["TERM": term]) }
    let all = tty.read { $0.contains("\u{18}") }
    for part in ["?2026", "?1002", "?1006", "?2004", "?1049", "$<"] { #expect(!all.contains(part)) }
    #expect(all.contains("\u{1B}[H\u{1B}[J"))
  }

  @Test(arguments: ["screen", "tmux-256color", "xterm-direct", "rxvt", "nonsense-256color", "ansi"])
  func everyTypeIsEnteredAndLeft(term: String) throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    do {
      let session = try TerminalSession(path: tty.path, environment: ["TERM": term])
      #expect((session.terminfo.missingName != nil) == term.hasPrefix("nonsense"))
    }
    #expect(tty.attributes == before)
  }

  @Test func terminalsOfOtherKindsAreRefused() throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    #expect(throws: TerminalError.notECMA48("vt52")) {
      try TerminalSession(path: tty.path, environment: ["TERM": "vt52"])
    }
    #expect(tty.attributes == before)
    #expect(throws: TerminalError.noTerminal(isRemote: false)) {
      try TerminalSession(path: "/dev/null", environment: Self.xterm)
    }
    #expect(throws: TerminalError.system("opening /nowhere", code: ENOENT)) {
      try TerminalSession(path: "/nowhere", environment: Self.xterm)
    }
  }

  @Test func aRemoteCommandWithoutATerminalNamesTheRemedy() {
    #expect(TerminalError.noTerminal(isRemote: true).description.hasSuffix("use ssh -t"))
    #expect(!TerminalError.noTerminal(isRemote: false).description.contains("ssh"))
  }

  @Test func onlyOneAtATime() throws {
    let (one, two) = (try PseudoTTY(), try PseudoTTY())
    let before = two.attributes
    let session = try TerminalSession(path: one.path, environment: Self.xterm)
    #expect(throws: TerminalError.signalsTaken) {
      try TerminalSession(path: two.path, environment: Self.xterm)
    }
    #expect(two.attributes == before)
    session.restore()
  }

  @Test func sizes() throws {
    let tty = try PseudoTTY()
    let session = try TerminalSession(
      path: tty.path, environment: ["TERM": "xterm", "COLUMNS": "90", "LINES": "33"])
    #expect(session.size == TerminalSize(columns: 90, rows: 33))
    tty.setSize(columns: 120, rows: 40)
    #expect(session.size == TerminalSize(columns: 120, rows: 40))
    tty.setSize(columns: 100, rows: 50, width: 1000, height: 900)
    #expect(session.size == TerminalSize(columns: 100, rows: 50, cellWidth: 10, cellHeight: 18))
    #expect(session.size.cellAspect == 10.0 / 18)
  }

  @Test func readsWithoutWaiting() throws {
    let tty = try PseudoTTY()
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(buffer.withUnsafeMutableBytes { session.read(into: $0) } == .empty)
    tty.type("\u{3}q\r")
    #expect(buffer.withUnsafeMutableBytes { session.read(into: $0) } == .bytes(3))
    #expect(buffer.prefix(3) == [3, 0x71, 0x0D])
    tty.hangUp()
    #expect(buffer.withUnsafeMutableBytes { session.read(into: $0) } == .gone)
  }

  @Test func signalsBecomeEvents() throws {
    let tty = try PseudoTTY()
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    #expect(session.signals.take().isEmpty)
    // To the process, because worker threads block signals; some other thread takes them.
    for number in [SIGWINCH, SIGWINCH, SIGTERM, SIGTSTP, SIGHUP, SIGINT] { kill(getpid(), number) }
    var request = pollfd(fd: session.signals.descriptor, events: Int16(POLLIN), revents: 0)
    var taken: Set<TerminalSignal> = []
    let wanted: Set<TerminalSignal> = [.windowChanged, .terminate, .suspend, .hangUp, .interrupt]
    while taken != wanted, poll(&request, 1, 10_000) == 1 { taken.formUnion(session.signals.take()) }
    #expect(taken == wanted)
  }

  @Test func aTerminalThatDoesNotReadIsLeftAllTheSame() throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    session.writer.enqueue([UInt8](repeating: 0x61, count: 1 << 20))
    session.writer.flush()
    session.restore()
    #expect(tty.attributes == before)
    // What was stuck is gone; the way back is not.
    let text = tty.read { $0.contains("?1049l") }
    #expect(text.contains("\u{18}\u{1B}[?2026l"))
    #expect(text.utf8.count < 1 << 17)
  }

  @Test func resumingTakesItOverAgain() throws {
    let tty = try PseudoTTY()
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    _ = tty.read { $0.contains("\u{1B}[2J") }
    session.restore()
    _ = tty.read { $0.contains("?1049l") }
    // The shell's user has changed a setting meanwhile; that is what is to come back.
    let file = try FileDescriptor(opening: tty.path, flags: O_RDWR)
    var attributes = termios()
    tcgetattr(file.number, &attributes)
    attributes.c_iflag |= tcflag_t(IXANY)
    tcsetattr(file.number, TCSANOW, &attributes)
    let before = tty.attributes
    try session.resume()
    #expect(tty.isRaw)
    #expect(tty.read { $0.contains("\u{1B}[2J") }.contains("\u{1B}[?1049h"))
    // After a SIGCONT that no SIGTSTP came before: entered twice, left once.
    try session.resume()
    session.restore()
    #expect(tty.attributes == before)
  }

  /// The screen is given back before answers are waited for, which may be far away.
  @Test func theScreenIsGivenBackFirst() throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    session.writer.flush()
    session.leave()
    session.leave()
    #expect(tty.isRaw)
    session.settle(milliseconds: 1)
    session.restore()
    let sent = tty.read { $0.contains("\u{1B}[c") }
    let parts = sent.components(separatedBy: "\u{1B}[?1049l")
    #expect(parts.count == 2 && parts[1].hasSuffix("\u{1B}[c"), "\(sent.debugDescription)")
    #expect(tty.attributes == before)
  }

  @Test func settlingWaitsForTheTerminal() async throws {
    let tty = try PseudoTTY()
    let session = try TerminalSession(path: tty.path, environment: Self.xterm)
    tty.type("\u{1B}[0nq\u{1B}[0n\u{1B}[?62c")
    #expect(session.settle() == true)
    #expect(session.settle(milliseconds: 1) == false)
    // A multiplexer answers the mark before the terminal behind it says what it owes.
    tty.type("\u{1B}[?62c\u{1B}[0n")
    #expect(session.settle(statusesBehind: 2, milliseconds: 1) == false)
    tty.type("\u{1B}[?62c\u{1B}[0n0n")
    #expect(session.settle(statusesBehind: 2) == true)
    // What was typed and answered meanwhile does not reach the shell.
    tty.type("late")
    session.restore()
    let file = try FileDescriptor(opening: tty.path, flags: O_RDONLY | O_NONBLOCK)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(read(file.number, &buffer, buffer.count) < 0)
  }

  #if arch(x86_64)
    private static let trap = SIGILL
  #else
    private static let trap = SIGTRAP
  #endif

  @Test(arguments: [SIGSEGV, SIGABRT, trap, SIGQUIT])
  func aCrashPutsTheTerminalBack(signal: Int32) async throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    let path = tty.path
    await #expect(processExitsWith: .signal(signal)) { [path = path as String, signal = signal as Int32] in
      let session = try TerminalSession(path: path, environment: ["TERM": "xterm-256color"])
      session.writer.enqueue([UInt8](repeating: 0x61, count: 1 << 20))
      session.writer.flush()
      switch signal {
      case SIGSEGV: UnsafeMutablePointer<Int>(bitPattern: 64)?.pointee = 1
      case SIGABRT:
        // Threads of the tests' runner block it, unlike the program's; since glibc 2.41, abort leaves it blocked.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGABRT)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        abort()
      case SIGILL, SIGTRAP: preconditionFailure("as programs crash")
      default: kill(getpid(), signal)
      }
      while true { withExtendedLifetime(session) { _ = pause() } }
    }
    #expect(tty.attributes == before)
    let text = tty.read { $0.contains("?25h") }
    #expect(text.contains("\u{18}\u{1B}[?2026l"))
    #expect(text.hasSuffix("\u{1B}[?25h"))
  }

  @Test func exitPutsTheTerminalBack() async throws {
    let tty = try PseudoTTY()
    let before = tty.attributes
    let path = tty.path
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      let session = try TerminalSession(path: path, environment: ["TERM": "xterm-256color"])
      exit(withExtendedLifetime(session) { 3 })
    }
    #expect(tty.attributes == before)
    #expect(tty.read { $0.contains("?1049l") }.contains("?1049l"))
  }

  /// Messages of libraries wait until the screen is left, and cannot contain control sequences.
  @Test(arguments: [true, false]) func messagesWaitForTheEnd(isCrash: Bool) async throws {
    let tty = try PseudoTTY()
    let path = tty.path
    await #expect(processExitsWith: isCrash ? .signal(SIGQUIT) : .exitCode(3)) { [path = path as String, isCrash = isCrash as Bool] in
      let terminal = try FileDescriptor(opening: path, flags: O_RDWR)
      dup2(terminal.number, STDERR_FILENO)
      let session = try TerminalSession(path: path, environment: ["TERM": "xterm-256color"])
      for text in ["cannot open \u{1B}[2Jthe “device”\n", String(repeating: "x", count: 1 << 17)] {
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      }
      session.writer.enqueue("drawn".utf8)
      session.writer.flush()
      if isCrash { kill(getpid(), SIGQUIT) }
      while isCrash { _ = pause() }
      session.restore()
      _ = "afterwards".withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(3)
    }
    let parts = tty.read { $0.contains(isCrash ? "device”" : "afterwards") }.components(separatedBy: "\u{1B}[?1049l")
    try #require(parts.count == 2)
    #expect(!parts[0].contains("cannot open") && parts[1].contains("cannot open ?[2Jthe “device”"))
  }

  @Test func suspendingStopsTheProcess() async throws {
    // Handed to the other thread, and taken back with what it saw.
    nonisolated(unsafe) let tty = try PseudoTTY()
    let before = tty.attributes
    let path = tty.path
    let (seen, watcher) = AsyncStream.makeStream(of: (isStopped: Bool, whileStopped: [UInt8], second: String).self)
    // Not in a task: it waits, and the threads that tasks share may all be busy, so that the process would not be started.
    Thread.detachNewThread {
      defer { watcher.finish() }
      let first = tty.read(patience: 300) { $0.contains("?1049l") }
      guard let child = pid_t(first.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }) else { return }
      let isStopped = Self.stateOfProcess(child, becomes: "T")
      let whileStopped = tty.attributes
      kill(child, SIGCONT)
      watcher.yield((isStopped, whileStopped, tty.read { $0.contains("resumed") && $0.contains("?1049l") }))
    }
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      // A group of its own, as a shell gives to a job; the test's is not to be stopped.
      setpgid(0, 0)
      let session = try TerminalSession(path: path, environment: ["TERM": "xterm-256color"])
      session.writer.enqueue("pid=\(getpid());".utf8)
      session.writer.flush()
      session.suspend()
      guard session.signals.take().isEmpty else { exit(8) }
      try session.resume()
      session.writer.enqueue("resumed".utf8)
      session.writer.flush()
      session.restore()
      exit(7)
    }
    var all = seen.makeAsyncIterator()
    let (isStopped, whileStopped, second) = try #require(await all.next())
    #expect(isStopped)
    #expect(whileStopped == before)
    #expect(second.contains("\u{1B}[?1049h"))
    #expect(tty.attributes == before)
  }

  /// Waits, at most ten seconds, until the system says that a process is in a state.
  private static func stateOfProcess(_ process: pid_t, becomes state: Character) -> Bool {
    let end = monotonicNanoseconds() + 10_000_000_000
    while monotonicNanoseconds() < end {
      if let file = fopen("/proc/\(process)/stat", "r") {
        var line = [CChar](repeating: 0, count: 512)
        fgets(&line, Int32(line.count), file)
        fclose(file)
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if text.split(separator: ")").last?.dropFirst().first == state { return true }
      }
      sched_yield()
    }
    return false
  }
}
