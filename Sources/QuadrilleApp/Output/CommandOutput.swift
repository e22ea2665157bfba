import Glibc
import PlainText
import Terminal

/// Standard output for commands. Every write is checked, including the last.
public struct CommandOutput: ~Copyable {
  /// A failed write.
  public struct Failure: Error {
    /// `errno`.
    public let code: Int32

    /// True if the reader of a pipe has exited, as `head` does, which is not an error.
    public var isClosedPipe: Bool { code == EPIPE }
  }

  private static let capacity = 1 << 16

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// True if standard output is a pipe whose reader has exited.
  public static var hasNoReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }

  /// Calls `body` to print and flushes the output.
  ///
  /// - Throws: `Failure`, and errors from `body`.
  public static func print(
    to descriptor: Int32 = STDOUT_FILENO, _ body: (inout CommandOutput) throws -> Void
  ) throws {
    var output = CommandOutput(descriptor)
    do {
      try body(&output)
    } catch let error as Failure {
      throw error
    } catch {
      // Output before the error still counts.
      try output.flush()
      throw error
    }
    try output.finish()
  }

  /// Prints a line of text.
  public mutating func line(_ text: TerminalText) throws(Failure) { try data("\(text)\n".utf8) }

  /// Prints a line of untrusted text as it is, with its emoji and joiners; characters that control a terminal are replaced.
  public mutating func line(untrusted text: String) throws(Failure) {
    try data((text.map(Self.harmless).joined() + "\n").utf8)
  }

  private static func harmless(_ character: Character) -> String {
    // Joiners have no effect outside words and emoji.
    let isHarmless = character.unicodeScalars.allSatisfy { !$0.steersTerminals || $0 == "\u{200C}" || $0 == "\u{200D}" }
    return isHarmless ? String(character) : "\(TerminalText(String(character)))"
  }

  /// Prints bytes without escaping: data for other programs, or colours generated here.
  public mutating func data(_ bytes: some Sequence<UInt8>) throws(Failure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  private mutating func flush() throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    var done = 0
    while done < buffer.count {
      let count = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // Another process has made the descriptor non-blocking.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
        continue
      }
      guard count >= 0 else { throw Failure(code: errno) }
      done += count
    }
  }

  /// Some file systems report a full disk only on close.
  private mutating func finish() throws(Failure) {
    try flush()
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if copy >= 0, close(copy) != 0, errno != EINTR { throw Failure(code: errno) }
  }
}

/// Writes a line to stderr.
public func printError(_ line: TerminalText) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
