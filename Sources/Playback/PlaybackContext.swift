import DecodePool
import Libav
import Sound
import Synchronization

/// The resources that players share: decoding threads, a clock and an observer bus.
///
/// Safe to use from any thread. Lives as long as its players do.
public final class PlaybackContext: Sendable {
  /// The clock from which all players' clocks are derived.
  public let clock: any HostClock
  /// The observer bus, which must be driven by a run loop or by its own thread (`startDelivering()`).
  public let bus: TimeObserverBus
  package let pool: DecodePool
  /// Plays all players' sound; nil for none.
  package let sound: SoundEngine?
  /// The host time at which clocks were last corrected by what is heard.
  let lastCorrection = Mutex<HostTime>(-HostTime.reach)

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - threads: decoding threads shared by all players, 1 to 64; by default the number of processors, but at most four.
  ///   - clock: the host clock; pass another one only for tests.
  ///   - playsSound: true to play sound on the system's device (PulseAudio, PipeWire or ALSA), which is opened in the background
  ///     and only needs their libraries if they are there. Requires the default clock.
  ///   - wake: called from any thread when `bus.deliver()` should be called soon; must be quick.
  public convenience init(
    threads: Int = defaultThreadCount, clock: any HostClock = MonotonicClock(), playsSound: Bool = false,
    wake: @escaping @Sendable () -> Void = {}
  ) {
    let pool = DecodePool(threads: min(max(threads, 1), 64)) { UInt64(max(0, clock.time)) }
    let sound = playsSound ? SoundEngine(now: { clock.time }, onStatus: { _ in wake() }) : nil
    self.init(pool: pool, bus: TimeObserverBus(clock: clock, wake: wake), sound: sound)
  }

  /// - Parameters:
  ///   - pool: decodes the frames.
  ///   - bus: must use the clock that the pool's deadlines are on.
  ///   - sound: plays all players' sound, on the same clock; nil for none.
  package init(pool: DecodePool, bus: TimeObserverBus, sound: SoundEngine? = nil) {
    self.pool = pool
    self.bus = bus
    self.sound = sound
    clock = bus.clock
  }

  /// The number of processors, but at most four.
  public static var defaultThreadCount: Int { min(SystemResources.processorCount, 4) }

  /// Limits the freed memory that the process keeps; call it at the start of the program, before any threads start.
  package static func keepLittleFreedMemory() { Heap.keepLittleFreedMemory() }
}
