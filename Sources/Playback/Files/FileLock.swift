import Glibc
import Libav

/// Holds a lock that programs agree on, for a file that several of them change, as long as it lives.
///
/// The lock is on a file of its own beside it, ".lock" behind the name, because replacing a file would lose the lock.
/// Where a lock cannot be had there is none. Blocks while another program holds it. Use one from one thread at a time.
public final class FileLock {
  private let descriptor: Int32

  /// Makes the folders on the way to the file, for the user alone, and takes the lock.
  public init(beside path: String) {
    for (i, character) in path.utf8.enumerated() where character == UInt8(ascii: "/") && i > 0 {
      let folder = String(path[..<path.utf8.index(path.startIndex, offsetBy: i)])
      _ = FileName.withBytes(folder) { mkdir($0, 0o700) }
    }
    descriptor = FileName.withBytes(path + ".lock") {
      open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }
    if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
