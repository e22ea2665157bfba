import Libav
import Synchronization

/// Scans a clip's packets on a thread of its own while it plays, and has the result when that is done.
///
/// Safe from any thread. Freeing it ends the scan.
final class IndexBuilder: Sendable {
  /// What a finished scan knows.
  struct Result: Sendable {
    var index: PacketIndex
    /// nil where the time stamps do not tell the order.
    var timeline: DisplayTimeline?
  }

  private struct State {
    var result: Result?
    var hasBegun = false
    var hasEnded = false
    var waiters: [@Sendable () -> Void] = []
  }

  private let path: String
  private let track: AssetTrack
  private let mayJump: Bool
  private let interrupter = Interrupter()
  private let state = Mutex(State())

  /// Packets more than these are not indexed: a stream of days, not a clip.
  private static let mostPackets = 4_000_000

  init(path: String, track: AssetTrack, mayJump: Bool) {
    self.path = path
    self.track = track
    self.mayJump = mayJump
  }

  deinit { interrupter.interrupt() }

  /// The index, once it is complete.
  var result: Result? { state.withLock { $0.result } }

  /// Begins the scan; later calls change nothing.
  func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    detachThread { [path, track, mayJump, interrupter, weak self] in
      // A clip that cannot be scanned plays without an index.
      let result = try? Self.scan(path, track, mayJump, interrupter)
      self?.end(result)
    }
  }

  private func end(_ result: Result?) {
    let waiters = state.withLock { state in
      state.result = result
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter() }
  }

  /// Calls back once when the scan has ended, well or not: at once, or on the scan's thread; never when the
  /// builder goes before.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.waiters.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }

  private static func scan(
    _ path: String, _ track: AssetTrack, _ mayJump: Bool, _ interrupter: Interrupter
  ) throws -> Result? {
    let scan = try PacketScan(demuxer: try Asset.open(path, interrupter), stream: track.index)
    guard try !scan.read(mostPackets) else { return nil }
    let timeline = DisplayTimeline(scan.index, tick: track.timeBase.value, mayJump: mayJump)
    return Result(index: scan.index, timeline: timeline)
  }
}
