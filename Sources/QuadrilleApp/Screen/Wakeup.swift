import Glibc
import Terminal

/// Wakes the screen thread out of poll(2) from any thread: owns a pipe to itself.
///
/// Signals that come before `clear()` add up.
final class Wakeup: Sendable {
  /// For `poll` with POLLIN.
  let descriptor: Int32
  private let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProgramError("cannot create a pipe: \(String(cString: strerror(errno)))") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// A full pipe is as good a signal as one more byte.
  func signal() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}

/// A reason why the program cannot go on, in a sentence for its user.
public struct ProgramError: Error, CustomStringConvertible {
  public let message: TerminalText

  public init(_ message: TerminalText) { self.message = message }

  public var description: String { message.description }
}
