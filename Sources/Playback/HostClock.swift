import Glibc

/// A time or duration on a host clock, in nanoseconds; only differences are meaningful.
public typealias HostTime = Int64

/// The clock that all players share, so that they cannot drift apart.
public protocol HostClock: Sendable {
  /// The current time; never goes back. Called from any thread.
  var now: HostTime { get }
}

/// Times in nanoseconds as playback calculates with them, whatever callers, files and clocks say.
extension HostTime {
  /// The limit of such times in either direction: 73 years. Sums and differences of two of them cannot overflow.
  static let reach: HostTime = 1 << 61

  /// The nearest time within reach.
  var withinReach: HostTime { Swift.min(Swift.max(self, -Self.reach), Self.reach) }
}

extension HostClock {
  /// The current time, within reach.
  var time: HostTime { now.withinReach }
}

extension MediaTime {
  /// The time in nanoseconds, within reach of clocks; nil if it is not numeric or exceeds 292 years.
  var clockNanoseconds: Int64? { nanoseconds?.withinReach }
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
