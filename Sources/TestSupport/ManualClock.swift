import Playback
import Synchronization

/// A host clock that stands until a test moves it; safe from any thread.
public final class ManualClock: HostClock {
  private let time: Atomic<HostTime>

  /// - Parameter start: nanoseconds; not 0, so that a forgotten offset shows.
  public init(start: HostTime = 1_000_000_000_000) { time = Atomic(start) }

  public var now: HostTime { time.load(ordering: .acquiring) }

  /// The present moment as `DecodePool` counts it: `DecodePool(threads: 0, now: clock.unsignedNow)`.
  public var unsignedNow: @Sendable () -> UInt64 {
    { [self] in UInt64(max(0, now)) }
  }

  /// Moves on by nanoseconds; not back.
  public func advance(by nanoseconds: HostTime) {
    time.wrappingAdd(max(0, nanoseconds), ordering: .acquiringAndReleasing)
  }

  public func advance(bySeconds seconds: Double) { advance(by: HostTime((seconds * 1e9).rounded())) }

  /// Moves on to a moment; one that has passed changes nothing.
  public func advance(to host: HostTime) { advance(by: host - now) }
}
