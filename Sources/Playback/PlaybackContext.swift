import DecodePool
import Libav

/// The resources that players share: decoding threads, a clock and an observer bus.
///
/// Safe to use from any thread. Lives as long as its players do.
public final class PlaybackContext: Sendable {
  /// The clock from which all players' clocks are derived.
  public let clock: any HostClock
  /// The observer bus, which must be driven by a run loop or by its own thread (`startDelivering()`).
  public let bus: TimeObserverBus
  package let pool: DecodePool

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - threads: decoding threads shared by all players, 1 to 64; by default the number of processors, but at most four.
  ///   - clock: the host clock; pass another one only for tests.
  ///   - wake: called from any thread when `bus.deliver()` should be called soon; must be quick.
  public convenience init(
    threads: Int = defaultThreadCount, clock: any HostClock = MonotonicClock(), wake: @escaping @Sendable () -> Void = {}
  ) {
    let pool = DecodePool(threads: min(max(threads, 1), 64)) { UInt64(max(0, clock.now)) }
    self.init(pool: pool, bus: TimeObserverBus(clock: clock, wake: wake))
  }

  /// - Parameters:
  ///   - pool: where frames are decoded.
  ///   - bus: of the clock by which the pool's deadlines are, too.
  package init(pool: DecodePool, bus: TimeObserverBus) {
    self.pool = pool
    self.bus = bus
    clock = bus.clock
  }

  /// The number of processors, but at most four.
  public static var defaultThreadCount: Int { min(SystemResources.processorCount, 4) }

  /// Lets the process keep little of the memory that is freed: for a program, at its start, before it has threads.
  package static func keepLittleFreedMemory() { Heap.keepLittleFreedMemory() }
}
