import Synchronization

/// Ends a blocking read of a `Demuxer` from another thread.
///
/// Interruption is permanent: all further reads of the demuxers that share it fail immediately.
public final class Interrupter: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  /// Makes reads fail. May be called from any thread, any number of times.
  public func interrupt() { flag.store(true, ordering: .releasing) }

  public var isInterrupted: Bool { flag.load(ordering: .acquiring) }
}
