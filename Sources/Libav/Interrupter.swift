import Synchronization

/// Ends a blocking read of a `Demuxer` from another thread.
///
/// Once interrupted it stays so: every later read of the demuxers that hold it fails at once.
public final class Interrupter: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  /// Makes reads fail; safe from any thread, any number of times.
  public func interrupt() { flag.store(true, ordering: .releasing) }

  public var isInterrupted: Bool { flag.load(ordering: .acquiring) }
}
