import Glibc

/// Nanoseconds of a host clock; only differences have a meaning.
public typealias HostTime = Int64

/// The clock that all players share, so that clips side by side cannot drift apart.
public protocol HostClock: Sendable {
  /// The present moment; never goes back. Called from any thread.
  var now: HostTime { get }
}

/// The host's monotonic clock.
public struct MonotonicClock: HostClock {
  /// All of them are the same clock.
  public init() {}

  /// CLOCK_MONOTONIC, which stands while the machine sleeps.
  public var now: HostTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return HostTime(time.tv_sec) * 1_000_000_000 + HostTime(time.tv_nsec)
  }
}
