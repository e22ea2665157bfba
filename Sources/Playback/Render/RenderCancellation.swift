import DecodePool
import Synchronization

/// Ends the work of a rendering. Safe from any thread.
final class RenderCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Ends the work; later calls change nothing.
  func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// - Throws: `PlaybackError` once it was cancelled.
  func check() throws {
    if state.withLock({ $0.isCancelled }) { throw PlaybackError(.cancelled, "was cancelled") }
  }

  /// Calls something once it is cancelled, or at once where it was.
  func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.handlers.append(body) }
      return state.isCancelled
    }
    if isCancelled { body() }
  }

  /// Opens an asset, and waits for what is found.
  ///
  /// - Throws: `PlaybackError`, also when it is cancelled.
  func facts(of asset: Asset) throws -> AssetFacts {
    let found = Monitor<Result<AssetFacts, any Error>?>(nil)
    @Sendable func end(_ result: Result<AssetFacts, any Error>) {
      found.withLock { $0 = $0 ?? result }
      found.signal()
    }
    whenCancelled { end(.failure(PlaybackError(.cancelled, "was cancelled"))) }
    asset.load(.facts, completion: end)
    return try withExtendedLifetime(asset) { try found.wait { $0 }.get() }
  }

  /// Waits until all of an index is known.
  ///
  /// - Throws: `PlaybackError` when it is cancelled.
  func wait(for index: FrameIndex) throws {
    let isOver = Monitor(false)
    @Sendable func end() {
      isOver.withLock { $0 = true }
      isOver.signal()
    }
    whenCancelled(end)
    index.begin()
    index.whenEnded(end)
    _ = isOver.wait { $0 ? true : nil }
    try check()
  }

  /// Finds out when the frames of a video track are shown, and waits for it.
  ///
  /// - Returns: nil where the asset can be read once only.
  /// - Throws: `PlaybackError` when it is cancelled.
  func index(of asset: Asset, _ videoTrack: Int?) throws -> FrameIndex? {
    let found = Monitor<FrameIndex??>(.none)
    @Sendable func end(_ index: FrameIndex?) {
      found.withLock { $0 = $0 ?? .some(index) }
      found.signal()
    }
    whenCancelled { end(nil) }
    asset.prepareIndex(of: videoTrack) { end($0?.index) }
    let index = withExtendedLifetime(asset) { found.wait { $0 } }
    try check()
    if let index { try wait(for: index) }
    return index
  }
}
