import DecodePool
import Synchronization

/// Cancels rendering. Safe to use from any thread.
final class RenderCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Cancels the work; later calls have no effect.
  func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// - Throws: `PlaybackError` once it is cancelled.
  func check() throws {
    if state.withLock({ $0.isCancelled }) { throw Self.error }
  }

  private static let error = PlaybackError(.cancelled, "cancelled")

  /// Calls `body` on cancellation, or immediately if it is already cancelled.
  func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.handlers.append(body) }
      return state.isCancelled
    }
    if isCancelled { body() }
  }

  /// Waits for an answer from another thread.
  ///
  /// - Throws: `PlaybackError` if it is cancelled.
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

  /// Loads an asset's facts and waits for them.
  ///
  /// - Throws: `PlaybackError`, also if it is cancelled.
  func facts(of asset: Asset) throws -> AssetFacts {
    try withExtendedLifetime(asset) { try answer { asset.load(.facts, completion: $0) } }.get()
  }

  /// Waits until an index is complete.
  ///
  /// - Throws: `PlaybackError` if it is cancelled.
  func wait(for index: FrameIndex) throws {
    try answer { end in
      index.begin()
      index.whenEnded { end(()) }
    }
  }

  /// Indexes a video track and waits for the result.
  ///
  /// - Returns: nil if the asset can be read only once.
  /// - Throws: `PlaybackError` if it is cancelled.
  func index(of asset: Asset, _ videoTrack: Int?) throws -> FrameIndex? {
    let index = try withExtendedLifetime(asset) {
      try answer { end in asset.prepareIndex(of: videoTrack) { end($0?.index) } }
    }
    if let index { try wait(for: index) }
    return index
  }
}
