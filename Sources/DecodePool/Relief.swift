import Synchronization

/// What the lanes of a pool tell each other: one of them is behind because there are too few threads for all, so for a
/// while all do with less, rather than one with next to nothing. The pool itself does nothing about it. Any thread.
public final class Relief: Sendable {
  private let end = Atomic<UInt64>(0)

  /// Asks everybody for relief until a host time in nanoseconds.
  public func ask(until time: UInt64) { _ = end.max(time, ordering: .relaxed) }

  /// Whether somebody needs it now.
  public func isWanted(at now: UInt64) -> Bool { now < end.load(ordering: .relaxed) }
}
