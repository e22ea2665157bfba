import CVTerm
import Foundation
import Glibc

/// A program in a pseudo-terminal whose screen is read through a terminal emulator.
///
/// Everything happens inside the `run…` calls, on the caller's thread: the program's output goes to the emulator, and
/// the emulator's replies and the keys go to the program, as `poll` allows, until a condition holds. There are no fixed
/// sleeps. Use from one thread at a time; the program is killed when this is freed.
public final class TerminalProcess {
  /// The protocols for images in pixels that a terminal supports.
  public struct ImageSupport {
    public enum Kind { case kitty, iterm, sixel }

    public var kinds: Set<Kind>
    /// The name by which it calls itself; nil for none.
    public var name: String?
    /// If true, it reads shared memory and files of this machine.
    public var readsObjects = true
    /// Decodes image files.
    public var decode: ([UInt8]) -> TerminalPicture?

    public init(_ kinds: Set<Kind>, name: String? = nil, decode: @escaping ([UInt8]) -> TerminalPicture? = { _ in nil }) {
      (self.kinds, self.name, self.decode) = (kinds, name, decode)
    }
  }

  /// The properties of the terminal.
  public struct Options {
    public var columns = 80
    public var rows = 24
    /// The size of a cell in pixels that the terminal reports; nil for none.
    public var cellPixels: (width: Int, height: Int)?
    /// Images that the terminal displays, if its cells have a size; nil for none.
    public var images: ImageSupport?
    public var term = "xterm-256color"
    /// Variables added to a clean environment; nil removes one.
    public var environment: [String: String?] = [:]
    public var directory: String?
    /// If false, every byte is a Latin-1 character.
    public var utf8Emulator = true
    /// If false, the terminal never replies to a query.
    public var answersQueries = true
    public var knowsSynchronizedUpdates = false
    /// Rate of the link to the terminal in bytes per second; nil for no limit.
    public var bytesPerSecond: Double?
    /// The maximum number of bytes that wait for the link; when it is full, the program's writes block. Nil for what passes in
    /// 20 ms.
    public var linkBuffer: Int?
    /// Delay of output after it has left the queue, in seconds.
    public var outputDelay = 0.0
    /// Delay of keys and replies on their way to the program, in seconds.
    public var inputDelay = 0.0

    public init() {}

    /// Sets the rate of the link, the buffer before it, and a delay of half the round trip in each direction.
    public mutating func setLink(bytesPerSecond: Double, roundTrip: Double, buffer: Int) {
      self.bytesPerSecond = bytesPerSecond
      linkBuffer = buffer
      (outputDelay, inputDelay) = (roundTrip / 2, roundTrip / 2)
    }
  }

  /// Variables that describe the terminal in which the tests were started.
  private static let hidden = [
    "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "STY", "LINES",
    "COLUMNS", "LC_ALL", "LC_CTYPE", "LANGUAGE", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT", "VTE_VERSION",
    "WT_SESSION", "KITTY_WINDOW_ID", "TERMINFO",
  ]
  /// The maximum number of bytes kept for `rawOutput`; beyond it, the older half is dropped.
  private static let rawLimit = 64 << 20
  private static let readSize = 64 << 10
  /// Seconds between checks of a child that its tty says nothing about, because it has closed it or another process holds it.
  private static let lookInterval = 0.01
  /// Seconds to wait for a program's last output while another process holds its tty open.
  private static let afterglow = 0.1

  public let options: Options
  private let emulator: Emulator
  private let images: TerminalImages?
  private let pty: PseudoTerminal
  private let child: ChildProcess
  private var isReading = true
  private var outgoing: [UInt8] = []
  private var delayed: [(due: Double, bytes: [UInt8])] = []
  /// The output on its way to the terminal; nil if the link has no rate and no delay.
  private var link: LinkQueue?
  /// The time at which reading was paused.
  private var pausedAt: Double?
  private var isSlaveClosed = false
  /// The time at which the program was first found to have ended.
  private var endedAt: Double?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)

  /// The number of bytes of output that the terminal has received.
  public private(set) var bytesReceived = 0
  /// The time at which the first bytes of the newest update were read, in seconds of the monotonic clock; nil if there was none.
  ///
  /// An update ends with a query for the terminal's status.
  public private(set) var updateBegan: Double?
  private var awaitsUpdate = true
  /// The raw output, at least its last 32 MB.
  public private(set) var rawOutput: [UInt8] = []
  /// The tty's settings before the program was started.
  public let initialAttributes: TTYAttributes

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: a path, or a name to look up in PATH.
  ///   - options: the terminal; by default an xterm of 80×24 cells.
  public init(_ executable: String, _ arguments: [String] = [], options: Options = Options()) throws {
    self.options = options
    emulator = Emulator(
      columns: options.columns, rows: options.rows, utf8: options.utf8Emulator,
      knowsSynchronizedUpdates: options.knowsSynchronizedUpdates)
    images = options.images.flatMap { support in options.cellPixels.map { TerminalImages(support, cell: $0) } }
    pty = try PseudoTerminal()
    try pty.setSize(columns: options.columns, rows: options.rows, cellPixels: options.cellPixels)
    guard let attributes = pty.attributes else { throw HarnessError("tcgetattr", errno: errno) }
    initialAttributes = attributes
    if options.bytesPerSecond != nil || options.outputDelay > 0 {
      // A link without a rate never fills.
      link = LinkQueue(
        rate: options.bytesPerSecond ?? 1e12, buffer: options.linkBuffer, delay: options.outputDelay)
    }
    child = try ChildProcess(
      executable, arguments, environment: Self.environment(options), directory: options.directory,
      tty: pty.path)
  }

  /// Starts a program in a terminal of the given size; otherwise as in `Options`.
  public convenience init(
    _ executable: String, _ arguments: [String] = [], columns: Int, rows: Int,
    cellPixels: (width: Int, height: Int)? = nil, environment: [String: String?] = [:],
    term: String = "xterm-256color", utf8Emulator: Bool = true
  ) throws {
    var options = Options()
    options.columns = columns
    options.rows = rows
    options.cellPixels = cellPixels
    options.environment = environment
    options.term = term
    options.utf8Emulator = utf8Emulator
    try self.init(executable, arguments, options: options)
  }

  deinit { buffer.deallocate() }

  private static func environment(_ options: Options) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for name in hidden { environment[name] = nil }
    environment["LANG"] = "C.UTF-8"
    environment["TERM"] = options.term
    for (name, value) in options.environment { environment[name] = value }
    return environment
  }

  // MARK: State

  /// A copy of the current screen.
  public var screen: EmulatorScreen { emulator.screen }
  /// A copy of the visible screen (`Emulator.visibleScreen`).
  public var visibleScreen: EmulatorScreen { emulator.visibleScreen }
  /// The alternate screen when the program last left it; nil if it never has.
  public var alternateScreenAtEnd: EmulatorScreen? { emulator.alternateScreenAtEnd }
  /// Returns the text of one row without trailing blanks; cheaper than a whole `screen`.
  public func text(row: Int) -> String { emulator.text(row: row) }
  public var processIdentifier: Int32 { child.identifier }
  /// The way in which the program ended; nil while it runs.
  public var exitStatus: ExitStatus? { child.status }
  /// Processor time and peak memory; nil until the program has ended.
  public var usage: (cpuSeconds: Double, peakMemoryBytes: Int)? { child.usage }
  /// The number of queries for the terminal's status (`ESC[5n`).
  public var statusQueries: Int { emulator.statusQueries }
  public var bells: Int { emulator.bells }
  /// The tty's settings now; nil after `hangUp`.
  public var ttyAttributes: TTYAttributes? { pty.attributes }
  /// True if the program, or another process of its group, is still running.
  public var hasLivingProcesses: Bool { child.hasLivingProcesses }

  /// The path of the tty, for other processes.
  public var ttyPath: String { pty.path }

  // MARK: Images

  /// The pixels of a rectangle of cells: images, and black where there are none.
  public func picture(column: Int, row: Int, columns: Int, rows: Int) -> TerminalPicture? {
    images?.picture(column: column, row: row, columns: columns, rows: rows)
  }

  /// True if an image is displayed.
  public var showsImages: Bool { images?.isEmpty == false }
  /// The number of images displayed so far.
  public var imageCount: Int { images?.count ?? 0 }
  /// Bytes of the sequences that displayed or removed images.
  public var imageBytes: Int { images?.bytes ?? 0 }
  /// The faults in images that were sent.
  public var imageFaults: [String] { images?.faults ?? [] }

  // MARK: Input

  /// Types text or raw sequences, which reach the program in the next `run…` call.
  public func send(_ keys: String) { send(Array(keys.utf8)) }

  public func send(_ bytes: [UInt8]) { deliver(bytes) }

  /// Presses a key, in the form that the program has requested, such as application cursor keys.
  public func press(_ key: TerminalKey, _ modifiers: TerminalModifiers = []) {
    emulator.press(key, modifiers)
    deliver(emulator.takeReplies())
  }

  /// Moves the mouse to a cell and performs an action; sends nothing if the program has not requested it.
  public func mouse(_ action: TerminalMouseAction, column: Int, row: Int, _ modifiers: TerminalModifiers = [])
  {
    emulator.mouse(action, column: column, row: row, modifiers)
    deliver(emulator.takeReplies())
  }

  /// Resizes the window; the program receives SIGWINCH.
  public func resize(columns: Int, rows: Int) throws {
    emulator.resize(columns: columns, rows: rows)
    try pty.setSize(columns: columns, rows: rows, cellPixels: options.cellPixels)
  }

  /// Sends a signal to the program. Returns false if it has ended.
  @discardableResult
  public func signal(_ number: Int32) -> Bool { child.signal(number) }

  /// Stops reading output, as a terminal does that hangs or whose link is down. Keys are still sent.
  public func pauseReading() {
    isReading = false
    pausedAt = pausedAt ?? Self.now()
  }

  public func resumeReading() {
    isReading = true
    if let pausedAt { link?.postpone(by: Self.now() - pausedAt) }
    pausedAt = nil
  }

  /// Closes the terminal: the program receives SIGHUP and can neither read nor write.
  public func hangUp() { pty.close() }

  // MARK: Running

  /// Runs the program until the screen satisfies a condition. Returns false after `timeout` seconds.
  ///
  /// The screen is checked when all available output has been read, and never during a synchronized update. If the program
  /// ends earlier, the last screen decides.
  public func run(timeout seconds: Double, until predicate: (EmulatorScreen) throws -> Bool) rethrows -> Bool
  {
    let deadline = Self.now() + seconds
    var isNews = true
    while true {
      if isNews, !emulator.isInSynchronizedUpdate || child.status != nil, try predicate(screen) {
        return true
      }
      if Self.now() >= deadline { return false }
      let wasAlive = child.status == nil
      isNews = step(until: deadline)
      if !wasAlive && !isNews && !isUnderway && isDrained { return try predicate(screen) }
    }
  }

  /// Runs the program until `predicate` holds; it is checked after every step, also without output.
  public func run(timeout seconds: Double, while predicate: () -> Bool) -> Bool {
    let deadline = Self.now() + seconds
    while predicate() {
      if Self.now() >= deadline { return false }
      _ = step(until: deadline)
    }
    return true
  }

  /// Runs the program for a time without any condition.
  public func run(seconds: Double) {
    _ = run(timeout: seconds, while: { true })
  }

  /// Runs the program until it ends, and reads the rest of its output. Returns nil after `timeout` seconds.
  public func runUntilExit(timeout seconds: Double) -> ExitStatus? {
    guard run(timeout: seconds, while: { child.status == nil }) else { return nil }
    while isReading, pty.isOpen, step(until: link?.nextArrival ?? Self.now()) || isUnderway || !isDrained {}
    return child.status
  }

  /// Runs the program until it is stopped by a signal.
  ///
  /// A session's leader ignores SIGTSTP, because its process group is orphaned. A program that suspends itself must
  /// therefore run under a shell with job control: see `TerminalProcess.jobControl`.
  public func runUntilStopped(timeout seconds: Double) -> Bool {
    run(timeout: seconds, while: { !child.isStopped && child.status == nil }) && child.isStopped
  }

  /// Returns the arguments for `bash` that run a command as a job of an interactive shell.
  ///
  /// After the job stops, the shell prints `job stopped` on a separate line, waits for a line of input, and brings the job
  /// back to the foreground. It exits with the job's status.
  public static func jobControl(_ executable: String, _ arguments: [String]) -> [String] {
    let script = """
      set -m
      "$@"
      status=$?
      while [ "$status" -gt 128 ] && [ -n "$(jobs -s)" ]; do
        echo 'job stopped'
        read -r line
        fg >/dev/null
        status=$?
      done
      exit "$status"
      """
    return ["--norc", "--noprofile", "-c", script, "bash", executable] + arguments
  }

  // MARK: One step

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func deliver(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if options.inputDelay > 0 {
      delayed.append((Self.now() + options.inputDelay, bytes))
    } else {
      outgoing += bytes
    }
  }

  /// Waits for the tty, the child or the deadline, and transfers all data that can be. Returns true if there was output.
  private func step(until deadline: Double) -> Bool {
    child.update()
    let now = Self.now()
    while let first = delayed.first, first.due <= now {
      outgoing += first.bytes
      delayed.removeFirst()
    }
    var wake = min(deadline, now + Self.lookInterval)
    if let next = delayed.first { wake = min(wake, next.due) }
    if isReading, let arrival = link?.nextArrival { wake = min(wake, arrival) }
    let budget = readBudget(at: now, wake: &wake)

    // With a closed slave, poll returns at once forever, so such a tty is only checked from time to time.
    var entry = pollfd(fd: isSlaveClosed ? -1 : pty.descriptor, events: 0, revents: 0)
    if budget > 0 { entry.events |= Int16(POLLIN) }
    if !outgoing.isEmpty { entry.events |= Int16(POLLOUT) }
    if entry.events == 0 { entry.fd = -1 }
    if child.status != nil, endedAt == nil { endedAt = now }
    if !isDrained { wake = max(wake, now + 0.001) }
    let isOver = child.status != nil && !isUnderway && isDrained
    let milliseconds = isOver ? 0 : Int32(max(0, ((wake - now) * 1000).rounded(.up)))
    _ = poll(&entry, 1, milliseconds)

    writeOutgoing()
    let isNews = readOutput(budget)
    return takeArrivals() || isNews
  }

  /// True if all output of the program has arrived after it has ended, because the kernel delivers it a moment later.
  private var isDrained: Bool {
    guard isReading, pty.isOpen, !isSlaveClosed, let endedAt else { return true }
    return Self.now() > endedAt + Self.afterglow
  }

  /// True if output is on its way that the terminal will accept.
  private var isUnderway: Bool { isReading && !(link?.isEmpty ?? true) }

  /// Returns the number of bytes that may be read now; if none, moves `wake` forward to the time when there will be some.
  private func readBudget(at now: Double, wake: inout Double) -> Int {
    guard isReading, pty.isOpen else { return 0 }
    guard let link else { return 4 * Self.readSize }
    let room = min(link.room(at: now), 4 * Self.readSize)
    if room == 0 { wake = min(wake, link.roomTime(after: now)) }
    return room
  }

  private func writeOutgoing() {
    guard pty.isOpen, !outgoing.isEmpty else { return }
    if case .moved(let count) = outgoing.withUnsafeBytes(pty.write) { outgoing.removeFirst(count) }
  }

  private func readOutput(_ budget: Int) -> Bool {
    var left = budget
    while left > 0 {
      let outcome = pty.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)]))
      isSlaveClosed = outcome == .closed
      guard case .moved(let count) = outcome else { break }
      left -= count
      let bytes = UnsafeBufferPointer(buffer[..<count].assumingMemoryBound(to: UInt8.self))
      if awaitsUpdate { updateBegan = Self.now() }
      let queries = emulator.statusQueries
      if link != nil { link?.put(bytes, at: Self.now()) } else { take(bytes) }
      awaitsUpdate = emulator.statusQueries != queries
    }
    return link == nil && left < budget
  }

  /// Passes arrived output to the terminal. Returns true if there was any.
  private func takeArrivals() -> Bool {
    guard isReading else { return false }
    let now = Self.now()
    var isNews = false
    while let bytes = link?.take(at: now) {
      bytes.withUnsafeBufferPointer(take)
      isNews = true
    }
    return isNews
  }

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    bytesReceived += bytes.count
    if rawOutput.count > Self.rawLimit { rawOutput.removeFirst(Self.rawLimit / 2) }
    rawOutput.append(contentsOf: bytes)
    let reply = { [self] (bytes: [UInt8]) in if options.answersQueries { deliver(bytes) } }
    guard let images else {
      emulator.feed(bytes)
      return reply(emulator.takeReplies())
    }
    images.feed(bytes, to: emulator, reply: reply)
  }
}
