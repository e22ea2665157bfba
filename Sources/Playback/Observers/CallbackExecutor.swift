import Dispatch
import Synchronization

/// Runs an observer's blocks, serially and in the order of the calls.
///
/// Safe to use from any thread. An observer retains its executor.
public protocol CallbackExecutor: Sendable {
  /// Runs `work` once, immediately or later, on any thread, but never two blocks at the same time. Work that never runs
  /// blocks its observer forever.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs blocks immediately on the thread that drives the bus. Keep them short, as they delay all other observers.
public struct InlineExecutor: CallbackExecutor {
  /// Creates an executor; all of them are equivalent.
  public init() {}
  /// Runs `work` before returning.
  public func execute(_ work: @escaping @Sendable () -> Void) { work() }
}

/// Passes blocks to a function, such as that of a run loop.
public struct ForwardingExecutor: CallbackExecutor {
  private let forward: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates an executor that passes blocks to `forward`.
  ///
  /// - Parameter forward: must run each block once, one after another; called on the thread that drives the bus.
  public init(_ forward: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.forward = forward
  }

  /// Passes `work` to the function.
  public func execute(_ work: @escaping @Sendable () -> Void) { forward(work) }
}

/// Runs blocks on the main actor.
public struct MainActorExecutor: CallbackExecutor {
  /// Creates an executor; all of them are equivalent.
  public init() {}

  /// Runs `work` on the main actor, later.
  public func execute(_ work: @escaping @Sendable () -> Void) { Task { @MainActor in work() } }
}

/// Runs blocks on a dispatch queue, one after another even if it is concurrent.
public struct DispatchExecutor: CallbackExecutor {
  private let queue: DispatchQueue

  /// Creates an executor.
  public init(_ queue: DispatchQueue) { self.queue = DispatchQueue(label: queue.label, target: queue) }

  /// Runs `work` on the queue, later.
  public func execute(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

/// Stores blocks until its owner's thread runs them.
public final class Mailbox: CallbackExecutor {
  private let blocks = Mutex<[@Sendable () -> Void]>([])
  private let wake: @Sendable () -> Void

  /// Creates an empty mailbox.
  ///
  /// - Parameter wake: called from any thread when the first block arrives.
  public init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  /// Stores `work` for the next `run()`.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    let isFirst = blocks.withLock { blocks in
      blocks.append(work)
      return blocks.count == 1
    }
    if isFirst { wake() }
  }

  /// Runs the stored blocks on the calling thread; blocks that arrive meanwhile wait for the next call. Call from one
  /// thread only.
  public func run() {
    let work = blocks.withLock { blocks in
      defer { blocks = [] }
      return blocks
    }
    for block in work { block() }
  }
}
