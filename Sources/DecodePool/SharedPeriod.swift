import Synchronization

/// A stretch of host time, up to a moment, that one lane of a pool tells all others about. Any thread.
public final class SharedPeriod: Sendable {
  private let end = Atomic<UInt64>(0)

  /// Lets it last until a host time in nanoseconds, or longer.
  public func extend(to time: UInt64) { _ = end.max(time, ordering: .relaxed) }

  /// Returns true if the period includes `now`.
  public func contains(_ now: UInt64) -> Bool { now < end.load(ordering: .relaxed) }
}
