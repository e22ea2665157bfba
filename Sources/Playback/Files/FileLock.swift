import Glibc
import Libav

/// An advisory lock for a file that several programs change, held until this object is freed.
///
/// The lock is on a separate file, named with ".lock" appended, because replacing the file would lose the lock. Blocks
/// while another program holds it. If locking fails, continues without a lock. Use from one thread at a time.
package final class FileLock {
  private let descriptor: Int32

  /// Creates the folders that lead to the file, accessible to the user only, and takes the lock.
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
