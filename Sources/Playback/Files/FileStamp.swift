import Glibc
import Libav

/// The state of a regular file at one moment, to notice changes.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let byteCount: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// - Returns: nil if there is no regular file of that name.
  package init?(path: String) {
    guard let status = FileName.status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, inode, byteCount) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
  }

  /// The stamp as numbers, for the names of files.
  package var numbers: [Int64] {
    [Int64(truncatingIfNeeded: device), Int64(truncatingIfNeeded: inode), byteCount, seconds, nanoseconds]
  }

  /// Returns true if this may be the same file as before, with data appended.
  package func hasGrown(since former: FileStamp) -> Bool {
    device == former.device && inode == former.inode && byteCount > former.byteCount
  }
}
