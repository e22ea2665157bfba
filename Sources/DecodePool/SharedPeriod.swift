import Synchronization

/// A period of host time that one lane of a pool announces to all others. Safe to use from any thread.
public final class SharedPeriod: Sendable {
  private let end = Atomic<UInt64>(0)

  /// Extends the period to a host time in nanoseconds, unless it already lasts longer.
  public func extend(to time: UInt64) { _ = end.max(time, ordering: .relaxed) }

  /// Returns true if the period includes `now`.
  public func contains(_ now: UInt64) -> Bool { now < end.load(ordering: .relaxed) }
}
