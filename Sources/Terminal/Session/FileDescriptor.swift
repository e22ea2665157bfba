import Glibc

/// Owns one open file descriptor and closes it.
final class FileDescriptor {
  let number: Int32

  /// Opens a path, close-on-exec and never as the controlling tty.
  init(opening path: String, flags: Int32) throws {
    while true {
      let opened = open(path, flags | O_CLOEXEC | O_NOCTTY)
      if opened >= 0 {
        number = opened
        return
      }
      guard errno == EINTR else { throw TerminalError.system("opening \(path)", code: errno) }
    }
  }

  deinit { close(number) }
}
