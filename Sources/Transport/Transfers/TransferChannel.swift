import DecodePool

/// The part of a transfer that the transport's thread and the reader share.
final class TransferChannel: Sendable {
  let request: TransportRequest
  private let state: Monitor<TransferState>
  private let wake: @Sendable () -> Void

  init(_ request: TransportRequest, capacity: Int, wake: @escaping @Sendable () -> Void) {
    self.request = request
    self.wake = wake
    state = Monitor(TransferState(capacity: capacity, at: monotonicNanoseconds()))
  }

  /// Calls `body` with the state, for questions and changes that nobody waits for.
  func withState<R>(_ body: (inout TransferState) -> R) -> R { state.withLock(body) }

  /// Changes the state, then wakes the reader if `body` returns true, with no lock held.
  @discardableResult
  func change(_ body: (inout TransferState) -> Bool) -> Bool {
    let isNews = state.withLock(body)
    if isNews {
      state.broadcast()
      wake()
    }
    return isNews
  }

  func finish(_ error: TransportError?) {
    change { state in
      let wasOver = state.isOver
      state.finish(error, at: monotonicNanoseconds())
      return !wasOver
    }
  }

  /// Ends the transfer for its reader, who is not woken but where it waits; returns false if it was over.
  func cancel() -> Bool {
    let wasUnderWay = state.withLock { state in
      let wasOver = state.isOver
      state.cancel(at: monotonicNanoseconds())
      return !wasOver
    }
    state.broadcast()
    return wasUnderWay
  }

  /// Waits until `body` returns a value. Returns nil once the time has come or `isInterrupted` returns true, which is called
  /// every 50 ms, with no lock held.
  func wait<R>(until deadline: UInt64, isInterrupted: () -> Bool, for body: (inout TransferState) -> R?) -> R? {
    while !isInterrupted() {
      let now = monotonicNanoseconds()
      if let result = state.wait(until: min(deadline, now + 50_000_000), for: body) { return result }
      if monotonicNanoseconds() >= deadline { return nil }
    }
    return nil
  }
}
