import FoundationEssentials
import Glibc
import Libav
import Synchronization

/// The bytes of one input that arrive over time, opened once for all of its users. Safe to use from any thread.
final class SharedStream: Sendable {
  private let state = Mutex<StreamedBytes?>(nil)

  /// The folder for files with bytes: one that is on a disk, rather than in memory, where that is usual.
  private static var folder: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp" }

  /// The bytes; nil before they are opened, and for a regular file.
  var bytes: StreamedBytes? { state.withLock { $0 } }

  /// Returns the bytes of a pipe, which is opened once; nil for other files.
  ///
  /// - Throws: as `PipeFeed.bytes` does.
  func open(_ path: String) throws -> StreamedBytes? {
    if let bytes { return bytes }
    guard let status = FileName.status(of: path), status.st_mode & S_IFMT == S_IFIFO else { return nil }
    return try state.withLock { known in
      if let known { return known }
      let bytes = try PipeFeed.bytes(of: path, folder: Self.folder)
      known = bytes
      return bytes
    }
  }
}
