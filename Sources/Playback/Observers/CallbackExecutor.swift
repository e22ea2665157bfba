import Synchronization

/// Where an observer's block runs: serial, in the order of the calls.
///
/// Safe from any thread. An observer keeps its executor.
public protocol CallbackExecutor: Sendable {
  /// Runs `work` once, now or later, on whichever thread; never two at the same time. What never runs delays its observer
  /// for ever.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs blocks at once, on the thread that drives the bus: they must be quick, as they delay all other observers.
public struct InlineExecutor: CallbackExecutor {
  /// All of them are the same.
  public init() {}
  /// Runs `work` before it returns.
  public func execute(_ work: @escaping @Sendable () -> Void) { work() }
}

/// Hands blocks to a function, for instance a dispatch queue's `async`.
public struct ForwardingExecutor: CallbackExecutor {
  private let forward: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter forward: runs what it is given once, one after another; called from the thread that drives the bus.
  public init(_ forward: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.forward = forward
  }

  /// Hands `work` on.
  public func execute(_ work: @escaping @Sendable () -> Void) { forward(work) }
}

/// Keeps blocks until its owner's thread runs them.
public final class Mailbox: CallbackExecutor {
  private let blocks = Mutex<[@Sendable () -> Void]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when the first block arrives.
  public init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  /// Keeps `work` for the next `run()`.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    let isFirst = blocks.withLock { blocks in
      blocks.append(work)
      return blocks.count == 1
    }
    if isFirst { wake() }
  }

  /// Runs what has arrived, on the caller's thread; what arrives meanwhile waits for the next call. From one thread only.
  public func run() {
    let work = blocks.withLock { blocks in
      defer { blocks = [] }
      return blocks
    }
    for block in work { block() }
  }
}
