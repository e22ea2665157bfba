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
    if state.withLock({ $0.isCancelled }) { throw Self.error }
  }

  private static let error = PlaybackError(.cancelled, "cancelled")

  /// Calls something once it is cancelled, or at once where it was.
  func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.handlers.append(body) }
      return state.isCancelled
    }
    if isCancelled { body() }
  }

  /// Waits for an answer that comes from another thread.
  ///
  /// - Throws: `PlaybackError` when it is cancelled.
  private func answer<Value: Sendable>(_ ask: (@escaping @Sendable (Value) -> Void) -> Void) throws -> Value {
    let found = Monitor<Result<Value, PlaybackError>?>(nil)
    @Sendable func end(_ result: Result<Value, PlaybackError>) {
      found.withLock { $0 = $0 ?? result }
      found.signal()
    }
    whenCancelled { end(.failure(Self.error)) }
    ask { end(.success($0)) }
    let value = try found.wait { $0 }.get()
    try check()
    return value
  }

  /// Opens an asset, and waits for what is found.
  ///
  /// - Throws: `PlaybackError`, also when it is cancelled.
  func facts(of asset: Asset) throws -> AssetFacts {
    try withExtendedLifetime(asset) { try answer { asset.load(.facts, completion: $0) } }.get()
  }

  /// Waits until all of an index is known.
  ///
  /// - Throws: `PlaybackError` when it is cancelled.
  func wait(for index: FrameIndex) throws {
    try answer { end in
      index.begin()
      index.whenEnded { end(()) }
    }
  }

  /// Finds out when the frames of a video track are shown, and waits for it.
  ///
  /// - Returns: nil where the asset can be read once only.
  /// - Throws: `PlaybackError` when it is cancelled.
  func index(of asset: Asset, _ videoTrack: Int?) throws -> FrameIndex? {
    let index = try withExtendedLifetime(asset) {
      try answer { end in asset.prepareIndex(of: videoTrack) { end($0?.index) } }
    }
    if let index { try wait(for: index) }
    return index
  }
}
