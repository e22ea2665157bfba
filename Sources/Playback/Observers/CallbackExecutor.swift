import Synchronization

/// Where an observer's block runs: serial, in the order of the calls.
public protocol CallbackExecutor: Sendable {
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs blocks at once, on the thread that drives the bus.
public struct InlineExecutor: CallbackExecutor {
  public init() {}
  public func execute(_ work: @escaping @Sendable () -> Void) { work() }
}

/// Hands blocks to a function, for instance a dispatch queue's `async`.
public struct ForwardingExecutor: CallbackExecutor {
  private let forward: @Sendable (@escaping @Sendable () -> Void) -> Void

  public init(_ forward: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.forward = forward
  }

  public func execute(_ work: @escaping @Sendable () -> Void) { forward(work) }
}

/// Keeps blocks until its owner's thread runs them.
public final class Mailbox: CallbackExecutor {
  private let blocks = Mutex<[@Sendable () -> Void]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when the first block arrives.
  public init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  public func execute(_ work: @escaping @Sendable () -> Void) {
    let isFirst = blocks.withLock { blocks in
      blocks.append(work)
      return blocks.count == 1
    }
    if isFirst { wake() }
  }

  /// Runs what has arrived, on the caller's thread.
  public func run() {
    let work = blocks.withLock { blocks in
      defer { blocks = [] }
      return blocks
    }
    for block in work { block() }
  }
}
