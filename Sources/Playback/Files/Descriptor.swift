import Glibc

/// Owns an open file descriptor that is written to.
final class Descriptor {
  private(set) var number: Int32

  /// Takes over `number`.
  init(_ number: Int32) { self.number = number }

  deinit { if number >= 0 { close(number) } }

  /// Gives the descriptor away.
  func release() -> Int32 {
    defer { number = -1 }
    return number
  }

  /// Milliseconds for which a reader may take nothing.
  private static let patience: Int32 = 5000

  /// Writes all of the bytes.
  ///
  /// - Throws: `PlaybackError`.
  func put(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(number, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        let polled = poll(&ready, 1, Self.patience)
        if polled == 0 { throw PlaybackError(.system, "cannot be written: nobody reads it") }
      } else if errno != EINTR {
        throw OutputFile.failure(errno)
      }
    }
    // Some file systems tell only on closing that there was no room.
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    if copy >= 0, close(copy) != 0, errno != EINTR { throw OutputFile.failure(errno) }
  }
}
