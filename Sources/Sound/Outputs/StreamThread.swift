import DecodePool
import Glibc

/// The thread of an output, and what passes between it and others: orders in one direction, events in the other.
///
/// The client is called on the thread, without a lock, and not at all once the output is closed.
final class StreamThread: Sendable {
  private let state = Monitor(State())

  private struct State {
    weak var client: (any SoundOutputClient)?
    var orders = StreamOrders()
    var wake: (@Sendable () -> Void)?
  }

  /// A stream as the thread runs it: opened, then moved on again and again.
  protocol Stream {
    /// Ends the wait in `step`. Called with a lock held, and not once the stream is freed.
    var wake: @Sendable () -> Void { get }

    /// Carries out orders and what is due, and waits.
    func step(_ orders: StreamOrders) throws(SoundFailure)
  }

  /// Starts the thread, which opens a stream and runs it until it fails or is closed.
  func start(
    _ client: any SoundOutputClient, of output: any SoundOutput,
    _ open: @escaping @Sendable (_ notify: @escaping (StreamEvent) -> Void) throws(SoundFailure) -> any Stream
  ) {
    state.withLock { $0.client = client }
    do {
      try detachThread { [self] in run(output, open) }
    } catch {
      client.output(output, didCloseBecause: error.reason)
    }
  }

  func order(_ change: (inout StreamOrders) -> Void) {
    state.withLock {
      change(&$0.orders)
      $0.wake?()
    }
  }

  private func run(
    _ output: any SoundOutput, _ open: (_ notify: @escaping (StreamEvent) -> Void) throws(SoundFailure) -> any Stream
  ) {
    raisePriority()
    do {
      let stream = try open { [self] event in
        if let client { event.tell(client, of: output) }
      }
      state.withLock { $0.wake = stream.wake }
      defer { state.withLock { $0.wake = nil } }
      while let orders = takeOrders() { try stream.step(orders) }
    } catch {
      client?.output(output, didCloseBecause: error.reason)
    }
  }

  /// Has the thread run before others, as far as the system allows: what it does takes little time, but may not be late.
  private func raisePriority() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -11) }

  /// Returns nil if the thread is to end.
  private func takeOrders() -> StreamOrders? {
    state.withLock { state in
      if state.orders.closes || state.client == nil { return nil }
      defer { state.orders.rewrites = false }
      return state.orders
    }
  }

  /// Nil once the output has been closed, or the client is gone.
  private var client: (any SoundOutputClient)? { state.withLock { $0.orders.closes ? nil : $0.client } }
}
