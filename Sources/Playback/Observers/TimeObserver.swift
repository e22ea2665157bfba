import DecodePool
import Glibc

/// A registered observer; keep it to stay registered.
///
/// Calling `remove()` or freeing the observer ends its calls: no block runs afterwards. A block that is running on another
/// thread is waited for.
public final class TimeObserver: Sendable {
  private let cell: ObserverCell
  private let unregister: @Sendable () -> Void

  init(_ cell: ObserverCell, unregister: @escaping @Sendable () -> Void) {
    self.cell = cell
    self.unregister = unregister
  }

  deinit { remove() }

  /// Ends the calls, waiting for a block that is running on another thread. Later calls have no effect.
  ///
  /// May be called from the observer's own block. Two blocks that run at the same time must not remove each other: each
  /// would wait for the other.
  public func remove() {
    unregister()
    cell.retire()
  }
}

/// Delivers the calls of one observer in order, one at a time, on its executor.
final class ObserverCell: Sendable {
  enum Call: Sendable {
    case time(MediaTime)
    case event(PlayerEvent)
    case passage(Passage)
  }

  private struct State {
    var waiting: [Call] = []
    var isScheduled = false
    var isRetired = false
    /// The thread that is running the block.
    var runner: pthread_t?
  }

  private let executor: any CallbackExecutor
  private let coalesces: Bool
  private let block: @Sendable (Call) -> Void
  private let monitor = Monitor(State())

  /// The maximum number of calls that wait while a block is running.
  private static let capacity = 1024

  /// - Parameter coalesces: true to deliver only the newest of the waiting calls.
  init(executor: any CallbackExecutor, coalesces: Bool, block: @escaping @Sendable (Call) -> Void) {
    self.executor = executor
    self.coalesces = coalesces
    self.block = block
  }

  func post(_ call: Call) {
    let mustSchedule = monitor.withLock { state in
      guard !state.isRetired else { return false }
      if coalesces { state.waiting.removeAll(keepingCapacity: true) }
      if state.waiting.count < Self.capacity { state.waiting.append(call) }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { executor.execute { [self] in run() } }
  }

  private func run() {
    while true {
      let call: Call? = monitor.withLock { state in
        guard !state.isRetired, !state.waiting.isEmpty else {
          state.isScheduled = false
          return nil
        }
        state.runner = pthread_self()
        return state.waiting.removeFirst()
      }
      guard let call else { return }
      block(call)
      monitor.withLock { $0.runner = nil }
      monitor.broadcast()
    }
  }

  func retire() {
    let me = pthread_self()
    monitor.wait { state -> Void? in
      state.isRetired = true
      state.waiting = []
      // A block may remove its own observer.
      guard let runner = state.runner, pthread_equal(runner, me) == 0 else { return () }
      return nil
    }
  }
}
