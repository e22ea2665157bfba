import Synchronization

/// Ends blocking reads of a `Demuxer` from another thread.
///
/// An interruption is permanent: all further reads of the demuxers that share it fail immediately. Abandoning reads lasts
/// until they are resumed. Safe to use from any thread.
public final class Interrupter: Sendable {
  private let flag = Atomic<Bool>(false)
  private let abandonment = Atomic<Bool>(false)
  private let observer = Mutex<(@Sendable (Bool) -> Void)?>(nil)

  public init() {}

  /// Makes reads fail. May be called any number of times.
  public func interrupt() { flag.store(true, ordering: .releasing) }

  /// Makes reads fail until `resume()`, because what they are for is no longer wanted.
  public func abandon() { abandonment.store(true, ordering: .releasing) }

  /// Permits reads that were abandoned.
  public func resume() { abandonment.store(false, ordering: .releasing) }

  /// True if reads must fail.
  public var isInterrupted: Bool { flag.load(ordering: .acquiring) || isAbandoned }

  /// True if reads must fail until they are resumed.
  public var isAbandoned: Bool { abandonment.load(ordering: .acquiring) }

  /// Sets a closure to call on the reading thread with true when a read begins to wait for data, and with false when it
  /// ends.
  public func setWaitObserver(_ body: (@Sendable (_ isWaiting: Bool) -> Void)?) { observer.withLock { $0 = body } }

  /// Calls `body`, which waits for data, and reports that to the observer.
  public func whileWaiting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let report = observer.withLock { $0 }
    report?(true)
    defer { report?(false) }
    return try body()
  }
}
