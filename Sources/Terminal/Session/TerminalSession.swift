import CTerminalSignals
import Glibc

/// Owns the terminal while the program is on it: its modes, its screen, its signals and both directions.
///
/// Made, used and restored by one thread. While it lives, the terminal is put back on `restore`, on `deinit`,
/// on exit(), on a crash and on every other signal that ends the process. Control characters make no signals: Ctrl-C and Ctrl-Z come as keys, and
/// `suspend` is what Ctrl-Z is for; signals from outside come through `signals`.
public final class TerminalSession {
  /// What a read found.
  public enum ReadOutcome: Equatable, Sendable {
    case bytes(Int)
    /// Nothing to read now.
    case empty
    /// The terminal is gone.
    case gone
  }

  private enum State {
    case entered
    /// The screen is given back, the line settings are not.
    case left
    case restored
  }

  /// The path of the tty.
  public let path: String
  public let terminfo: TerminfoEntry
  public let signals: TerminalSignals
  public let writer: TerminalWriter
  private let modes: TerminalModes
  private let input: FileDescriptor
  private let output: FileDescriptor
  private let environmentSize: (columns: Int?, rows: Int?)
  private var original: termios
  private var state = State.restored

  private static let restorePatience = 500

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - path: the tty; nil finds the one of the standard streams, else the process's own.
  ///   - environment: `TERM`, and `COLUMNS` and `LINES` where the tty does not know its size.
  ///   - wantsMouse: whether the terminal shall report the mouse, which takes its own selection away.
  ///   - wantsFocus: whether the terminal shall report that it gets or loses the keyboard.
  ///
  /// Throws `TerminalError`; the terminal is then as it was.
  public init(
    path: String? = nil, environment: [String: String], wantsMouse: Bool = true, wantsFocus: Bool = false
  ) throws {
    let terminfo = try TerminfoEntry.load(environment["TERM"])
    guard terminfo.isECMA48 else { throw TerminalError.notECMA48(terminfo.name) }
    (self.path, input) = try Self.openTerminal(path)
    output = try FileDescriptor(opening: self.path, flags: O_WRONLY | O_NONBLOCK)
    writer = TerminalWriter(output)
    self.terminfo = terminfo
    modes = TerminalModes(terminfo, wantsMouse: wantsMouse, wantsFocus: wantsFocus)
    environmentSize = (
      environment["COLUMNS"].flatMap { Int($0) } ?? terminfo.number("cols"),
      environment["LINES"].flatMap { Int($0) } ?? terminfo.number("lines")
    )
    original = try Self.attributes(of: input)
    signals = try TerminalSignals()
    try enter()
  }

  deinit { restore() }

  // MARK: Finding the tty

  /// The path of the terminal that the program was started on; throws `TerminalError.noTerminal`.
  public static func findTerminal() throws -> String {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      var name = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard isatty(descriptor) == 1, ttyname_r(descriptor, &name, name.count) == 0 else { continue }
      let path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      // Another user's tty (after su) or another mount namespace's cannot be opened by its name.
      if access(path, R_OK | W_OK) == 0 { return path }
    }
    guard (try? FileDescriptor(opening: "/dev/tty", flags: O_RDWR)) != nil else {
      throw TerminalError.noTerminal
    }
    return "/dev/tty"
  }

  private static func openTerminal(_ path: String?) throws -> (String, FileDescriptor) {
    let path = try path ?? findTerminal()
    return (path, try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK))
  }

  private static func attributes(of file: FileDescriptor) throws -> termios {
    var attributes = termios()
    guard tcgetattr(file.number, &attributes) == 0 else {
      throw errno == ENOTTY ? TerminalError.noTerminal : TerminalError.system("tcgetattr", code: errno)
    }
    return attributes
  }

  // MARK: Entering and leaving

  private func enter() throws {
    var raw = original
    cfmakeraw(&raw)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    let status = modes.leave.withUnsafeBytes { bytes in
      qd_crash_arm(output.number, bytes.baseAddress, bytes.count, &original)
    }
    guard status == 0 else { throw TerminalError.system("the restore string", code: errno) }
    // TCSANOW: waiting for output to drain could wait for ever.
    guard setAttributes(raw) else {
      let code = errno
      qd_crash_disarm()
      throw TerminalError.system("tcsetattr", code: code)
    }
    state = .entered
    writer.enqueue(modes.enter)
    writer.flush()
  }

  private func setAttributes(_ attributes: termios) -> Bool {
    var attributes = attributes
    while tcsetattr(input.number, TCSANOW, &attributes) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Whether the terminal has been taken over and not been given back.
  public var hasTerminal: Bool { state != .restored }

  /// Gives back what the terminal shows and how it behaves; the line settings stay, so that answers can be read. Nothing may
  /// be drawn any more. Harmless when repeated.
  public func leave() {
    guard state == .entered else { return }
    if writer.hasPending {
      // The kernel's queue is full then; without this the rest would wait behind frames.
      writer.discard()
      writer.discardKernelQueue()
    }
    writer.enqueue(modes.leave)
    state = .left
  }

  /// Puts the terminal back: screen, modes, cursor, mouse, colours and line settings. Harmless when repeated.
  ///
  /// Frame bytes that were not sent are dropped and what was typed ahead is too, so that no late answer of
  /// the terminal lands in the shell. Waits at most half a second for a terminal that does not read.
  public func restore() {
    leave()
    guard state == .left else { return }
    // Not writing from the background would leave the terminal spoilt; SIGTTOU would stop the program here.
    var output = sigset_t()
    var former = sigset_t()
    sigemptyset(&output)
    sigaddset(&output, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &output, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    writer.drain(milliseconds: Self.restorePatience)
    writer.discard()
    tcflush(input.number, TCIFLUSH)
    _ = setAttributes(original)
    qd_crash_disarm()
    state = .restored
  }

  /// Puts the terminal back and stops the program, as Ctrl-Z is expected to; returns when it was continued.
  ///
  /// Then call `resume` and repaint everything. In an orphaned process group, where the system does not stop
  /// programs because nobody could continue them, it returns at once.
  public func suspend() {
    restore()
    signals.stopProcessGroup()
  }

  /// Takes the terminal over again, after `suspend` or after a SIGCONT: modes and screen may be anyone's.
  ///
  /// What the terminal shows is unknown afterwards. Throws `TerminalError` when the terminal is gone.
  public func resume() throws {
    // A shell may have changed the settings while the program was away; those are to come back then.
    if state == .restored { original = try Self.attributes(of: input) }
    writer.discard()
    // CAN: the program may have been stopped in the midst of a sequence.
    writer.enqueue([0x18])
    try enter()
  }

  // MARK: Using it

  /// For `poll` with POLLIN.
  public var inputDescriptor: Int32 { input.number }

  /// Reads what the terminal sent, without waiting.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    while true {
      let count = Glibc.read(input.number, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .gone }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .empty
      default: return .gone
      }
    }
  }

  /// Asks the tty for its size; falls back on the environment's, terminfo's and at last 80×24.
  public var size: TerminalSize {
    var size = winsize()
    guard ioctl(input.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return TerminalSize(columns: environmentSize.columns ?? 80, rows: environmentSize.rows ?? 24)
    }
    let (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
    guard size.ws_xpixel > 0, size.ws_ypixel > 0 else { return TerminalSize(columns: columns, rows: rows) }
    return TerminalSize(
      columns: columns, rows: rows, cellWidth: Double(size.ws_xpixel) / Double(columns),
      cellHeight: Double(size.ws_ypixel) / Double(rows))
  }
}
