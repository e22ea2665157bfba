import Glibc

/// A time or duration on a host clock, in nanoseconds; only differences are meaningful.
public typealias HostTime = Int64

/// The clock that all players share, so that they cannot drift apart.
public protocol HostClock: Sendable {
  /// The current time; never goes back. Called from any thread.
  var now: HostTime { get }
}

/// The host's monotonic clock.
public struct MonotonicClock: HostClock {
  /// Creates a clock; all of them read the same time.
  public init() {}

  /// The time of CLOCK_MONOTONIC, which stops while the machine is suspended.
  public var now: HostTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return HostTime(time.tv_sec) * 1_000_000_000 + HostTime(time.tv_nsec)
  }
}
