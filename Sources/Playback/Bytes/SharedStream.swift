import FoundationEssentials
import Glibc
import Libav
import Synchronization

/// The bytes of one input that arrive over time, opened once for all of its users. Safe to use from any thread.
final class SharedStream: Sendable {
  private let state = Mutex<StreamedBytes?>(nil)
  private let hls = Mutex<HLSSource?>(nil)
  /// Viewers' preferences for a stream with variants.
  private let preferences = SharedPreferences()
  private let camera = Mutex<LiveSource?>(nil)

  /// The folder for files with bytes: one that is on a disk, rather than in memory, where that is usual.
  private static var folder: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp" }

  /// The bytes; nil before they are opened, and for a regular file.
  var bytes: StreamedBytes? { state.withLock { $0 } }

  /// The segments, if the bytes were found to be a playlist of HTTP Live Streaming.
  var segments: HLSSource? { hls.withLock { $0 } }

  /// Changes what is asked of a stream with variants.
  func updatePreferences(_ body: (inout HLSPreferences) -> Void) {
    let former = preferences.value
    guard preferences.update(body) else { return }
    segments?.preferencesDidChange(from: former, to: preferences.value)
  }

  /// The present preferences for a stream with variants.
  var currentPreferences: HLSPreferences { preferences.value }

  /// The reason that no more data come; nil if they may.
  var failure: PlaybackError? { segments?.failure ?? live?.packets.failure ?? bytes?.arrivals.status.failure }

  /// The live source, once it has been opened.
  var live: LiveSource? { camera.withLock { $0 } }

  /// Returns a live source, which is opened once; nil if the path is not the address of one. Waits until it has a frame.
  ///
  /// - Parameters:
  ///   - network: access to servers; nil to permit none.
  ///   - recording: the file to write what arrives to; nil for none.
  /// - Throws: `PlaybackError`, `ThreadError`, or `ByteReaderError` if the wait was interrupted.
  func openLive(_ path: String, _ network: Network?, recording: String?, _ interrupter: Interrupter) throws -> LiveSource? {
    guard FileName.status(of: path) == nil, let address = LiveAddress(path) else { return nil }
    guard let network else { throw PlaybackError(.network, "network access is off") }
    let source = try camera.withLock { known in
      if let known { return known }
      let store = BlockStore(folder: Self.folder, bytes: StreamedBytes.fileBudget, memory: StreamedBytes.memoryBudget)
      let source = try LiveSource(address, network: network, store: store, recording: recording)
      known = source
      return source
    }
    try source.packets.waitForStart(interrupter)
    return source
  }

  /// Opens the segments of a playlist, once.
  ///
  /// - Throws: `PlaybackError`.
  func openSegments(_ playlist: StreamedBytes, of path: String, _ network: Network, _ interrupter: Interrupter) throws -> HLSSource {
    if let segments { return segments }
    guard let address = try WebAddress(path) else { throw PlaybackError(.playlist, "is an HLS playlist, not a clip") }
    let bytes = try playlist.contents(upTo: HLSLimits.playlistBytes, interrupter)
    let url = playlist.address ?? address.url
    let dash = try DASHSource.isManifest(bytes) ? DASHSource(bytes, at: url) : nil
    let loader = HLSLoader(network, address.origin, dash: dash, folder: Self.folder)
    let source: HLSSource
    do {
      source = try HLSSource.open(dash?.root(loader, interrupter) ?? bytes, at: url, loader, preferences, interrupter)
    } catch {
      loader.close()
      throw error
    }
    return hls.withLock { known in
      if let known { return known }
      known = source
      return source
    }
  }

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
