import Glibc
import Terminal

/// Wakes the screen thread from poll(2), from any thread, through its own pipe.
///
/// Signals before `clear()` coalesce.
final class Wakeup: Sendable {
  /// The descriptor to poll for POLLIN.
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

  /// A full pipe is also a signal.
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

/// An error that ends the program, with a message for the user.
public struct ProgramError: Error, CustomStringConvertible {
  public let message: TerminalText

  public init(_ message: TerminalText) { self.message = message }

  public var description: String { message.description }
}
