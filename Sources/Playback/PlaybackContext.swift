import DecodePool
import Libav

/// What players share: where frames are decoded, the clock that they run by, and the bus that tells their observers.
///
/// Safe from any thread. It lasts as long as its players do.
public final class PlaybackContext: Sendable {
  /// Of which all players' clocks are shifts and multiples.
  public let clock: any HostClock
  /// Has to be driven: by a run loop, or by a thread of its own (`startDelivering()`).
  public let bus: TimeObserverBus
  package let pool: DecodePool

  /// - Parameters:
  ///   - threads: that decode for all players, 1 to 64; as many as there are processors by default, four at the most.
  ///   - clock: the host clock; one other than the machine's is for tests.
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

  /// As many threads as there are processors, four at the most.
  public static var defaultThreadCount: Int { min(SystemResources.processorCount, 4) }

  /// Lets the process keep little of the memory that is freed: for a program, at its start, before it has threads.
  package static func keepLittleFreedMemory() { Heap.keepLittleFreedMemory() }
}
