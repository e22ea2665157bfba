import CTerminalSignals
import Glibc

/// Owns the terminal while the program uses it: its modes, screen, signals and both directions.
///
/// Created, used and restored on one thread. The terminal is restored by `restore` and `deinit`,
/// at exit(), on a crash and on every other signal that ends the process. Control characters raise no signals: Ctrl-C and
/// Ctrl-Z arrive as keys; use `suspend` for Ctrl-Z. External signals arrive through `signals`.
public final class TerminalSession {
  /// The result of a read.
  public enum ReadOutcome: Equatable, Sendable {
    case bytes(Int)
    /// Nothing to read now.
    case empty
    /// The terminal is gone.
    case gone
  }

  private enum State {
    case entered
    /// The screen is restored, the line settings are not.
    case left
    case restored
  }

  /// The path of the tty.
  public let path: String
  public let terminfo: TerminfoEntry
  public let signals: TerminalSignals
  public let writer: TerminalWriter
  private var modes: TerminalModes
  private let input: FileDescriptor
  private let output: FileDescriptor
  private let environmentSize: (columns: Int?, rows: Int?)
  private var original: termios
  private var state = State.restored

  private static let restorePatience = 500

  /// The part of the screen that a program draws on.
  public enum Area: Sendable {
    /// A screen of its own, where the terminal has one.
    case screen
    /// The line of the cursor, which stays when the session has ended.
    case line
  }

  /// Opens a session on a terminal.
  ///
  /// - Parameters:
  ///   - path: The tty; nil for that of the standard streams, otherwise the controlling terminal.
  ///   - environment: `TERM`, and `COLUMNS` and `LINES` if the tty does not know its size.
  ///   - wantsMouse: True to receive mouse events, which disables the terminal's own selection.
  ///   - wantsFocus: True to receive focus events.
  ///   - area: The part of the screen to draw on. On a line, there are neither mouse nor focus events.
  ///
  /// Throws `TerminalError`; the terminal is then unchanged.
  public init(
    path: String? = nil, environment: [String: String], wantsMouse: Bool = true, wantsFocus: Bool = false, area: Area = .screen
  ) throws {
    let terminfo = try TerminfoEntry.load(environment["TERM"])
    guard terminfo.isECMA48 else { throw TerminalError.notECMA48(terminfo.name) }
    (self.path, input) = try Self.openTerminal(path ?? Self.findTerminal(environment))
    output = try FileDescriptor(opening: self.path, flags: O_WRONLY | O_NONBLOCK)
    writer = TerminalWriter(output)
    self.terminfo = terminfo
    modes =
      area == .line ? TerminalModes(lineOn: terminfo) : TerminalModes(terminfo, wantsMouse: wantsMouse, wantsFocus: wantsFocus)
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
  ///
  /// - Parameter environment: Tells whether the program was started through ssh.
  public static func findTerminal(_ environment: [String: String] = [:]) throws -> String {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      var name = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard isatty(descriptor) == 1, ttyname_r(descriptor, &name, name.count) == 0 else { continue }
      let path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      // A tty of another user (after su) or of another mount namespace cannot be opened by its name.
      if access(path, R_OK | W_OK) == 0 { return path }
    }
    guard (try? FileDescriptor(opening: "/dev/tty", flags: O_RDWR)) != nil else {
      throw TerminalError.noTerminal(isRemote: environment["SSH_CONNECTION"] != nil && environment["SSH_TTY"] == nil)
    }
    return "/dev/tty"
  }

  private static func openTerminal(_ path: String) throws -> (String, FileDescriptor) {
    (path, try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK))
  }

  private static func attributes(of file: FileDescriptor) throws -> termios {
    var attributes = termios()
    guard tcgetattr(file.number, &attributes) == 0 else {
      throw errno == ENOTTY ? TerminalError.noTerminal(isRemote: false) : TerminalError.system("tcgetattr", code: errno)
    }
    return attributes
  }

  // MARK: Entering and leaving

  private func enter() throws {
    let raw = Self.raw(original)
    let status = modes.leave.withUnsafeBytes { bytes in
      qd_crash_arm(output.number, bytes.baseAddress, bytes.count, &original)
    }
    guard status == 0 else { throw TerminalError.system("the restore string", code: errno) }
    // TCSANOW: waiting for output to drain could block forever.
    guard setAttributes(raw) else {
      let code = errno
      qd_crash_disarm()
      throw TerminalError.system("tcsetattr", code: code)
    }
    state = .entered
    writer.enqueue(modes.enter)
    writer.flush()
  }

  /// Removes images when the terminal is restored, in whatever way.
  ///
  /// - Parameter bytes: The sequences that do so, a few; nil if there are no images.
  public func removeImagesOnLeaving(_ bytes: [UInt8]?) {
    modes.setImageRemoval(bytes)
    guard state != .restored else { return }
    _ = modes.leave.withUnsafeBytes { qd_crash_arm(output.number, $0.baseAddress, $0.count, &original) }
  }

  /// Sets the line up again if another program has changed it, such as one that pipes to this one and restores, at its end, what it
  /// found at its start.
  public func reclaimLine() {
    guard state == .entered, let attributes = try? Self.attributes(of: input), attributes.c_lflag & tcflag_t(ICANON | ECHO) != 0
    else { return }
    _ = setAttributes(Self.raw(attributes))
  }

  /// Returns settings with which each byte arrives as it is, at once.
  private static func raw(_ attributes: termios) -> termios {
    var raw = attributes
    cfmakeraw(&raw)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return raw
  }

  private func setAttributes(_ attributes: termios) -> Bool {
    var attributes = attributes
    while tcsetattr(input.number, TCSANOW, &attributes) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// True if the terminal has been set up and not restored.
  public var hasTerminal: Bool { state != .restored }

  /// Restores the screen and modes of the terminal; the line settings stay, so that replies can be read. Nothing may
  /// be drawn any more. Can be called repeatedly.
  public func leave() {
    guard state == .entered else { return }
    if writer.hasPending {
      // The kernel's queue is full; otherwise the rest would wait behind frames.
      writer.discard()
      writer.discardKernelQueue()
    }
    writer.enqueue(modes.leave)
    state = .left
  }

  /// Restores the terminal: screen, modes, cursor, mouse, colours and line settings. Can be called repeatedly.
  ///
  /// Drops unsent frame bytes and typed-ahead input, so that no late reply of
  /// the terminal reaches the shell. Waits at most half a second for a terminal that does not read.
  public func restore() {
    leave()
    guard state == .left else { return }
    // Not writing from the background would leave the terminal in a bad state; SIGTTOU would stop the program here.
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

  /// Restores the terminal and stops the program, as expected of Ctrl-Z; returns when it is continued.
  ///
  /// Then call `resume` and repaint everything. In an orphaned process group, which the system does not stop
  /// because nobody could continue it, returns at once.
  public func suspend() {
    restore()
    signals.stopProcessGroup()
  }

  /// Sets up the terminal again, after `suspend` or SIGCONT, with modes and screen in any state.
  ///
  /// The contents of the terminal are unknown afterwards. Throws `TerminalError` if the terminal is gone.
  public func resume() throws {
    // A shell may have changed the settings while the program was stopped; those must be restored later.
    if state == .restored { original = try Self.attributes(of: input) }
    writer.discard()
    // CAN: the program may have been stopped in the middle of a sequence.
    writer.enqueue([0x18])
    try enter()
  }

  // MARK: Input and size

  /// The descriptor to poll for POLLIN.
  public var inputDescriptor: Int32 { input.number }

  /// Reads input from the terminal without blocking.
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

  /// Queries the tty for its size; falls back on the environment's, terminfo's and finally 80×24.
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
