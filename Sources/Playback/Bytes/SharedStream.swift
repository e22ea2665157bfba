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

  /// Returns the bytes of a pipe or of a file on a server, which are opened once; nil for other files. Waits until it is
  /// known whether they can be read in any order.
  ///
  /// - Parameter network: access to servers; nil to permit none.
  /// - Throws: `PlaybackError`, or as `PipeFeed.bytes` does.
  func open(_ path: String, _ network: Network?, _ interrupter: Interrupter) throws -> StreamedBytes? {
    guard let bytes = try bytes ?? begin(path, network) else { return nil }
    bytes.arrivals.waitForOrder { interrupter.isInterrupted }
    if let failure = bytes.arrivals.status.failure, bytes.arrivals.order == nil { throw failure }
    return bytes
  }

  private func begin(_ path: String, _ network: Network?) throws -> StreamedBytes? {
    let status = FileName.status(of: path)
    // A file of exactly that name wins.
    let address = status == nil ? try WebAddress(path) : nil
    guard address != nil || status.map({ $0.st_mode & S_IFMT == S_IFIFO }) == true else { return nil }
    return try state.withLock { known in
      if let known { return known }
      let store = BlockStore(folder: Self.folder, bytes: StreamedBytes.fileBudget, memory: StreamedBytes.memoryBudget)
      let bytes: StreamedBytes
      if let address {
        guard let network else { throw PlaybackError(.network, "network access is off") }
        bytes = try HTTPFeed.bytes(of: address.url, origin: address.origin, network: network, store: store)
      } else {
        bytes = try PipeFeed.bytes(of: path, store: store)
      }
      known = bytes
      return bytes
    }
  }
}
