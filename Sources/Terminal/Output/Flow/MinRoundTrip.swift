/// The recent minimum time from an update to its reply: a value with a manual clock.
///
/// If updates queue all the time, none measures the round trip without a queue; then one is sent alone.
struct MinRoundTrip {
  /// nil before the first sample.
  private(set) var least: UInt64?
  /// True if the next update must be sent alone.
  private(set) var isMeasuring = false
  private var seenAt: UInt64 = 0
  /// True if enough has been sent since the last one to form a queue.
  private var mayQueue = false

  private static let millisecond: UInt64 = 1_000_000
  private static let memory: UInt64 = 10_000_000_000

  /// Records that enough data is in flight to form a queue.
  mutating func didFillWindow() { mayQueue = true }

  /// Adds a sample.
  ///
  /// - Parameter isMeasurement: True if the update was sent alone.
  mutating func add(_ sample: UInt64, isMeasurement: Bool, at now: UInt64) {
    let known = least ?? .max
    if sample < known || isMeasurement {
      least = sample
      seenAt = now
    } else if sample <= known + known / 8 + Self.millisecond {
      seenAt = now
    }
    if isMeasurement {
      isMeasuring = false
      mayQueue = false
    } else if mayQueue, now &- seenAt > Self.memory {
      // The round trip may have grown; only an update without a queue can tell.
      isMeasuring = true
    }
  }

  /// Adds a measurement from before there was any queue.
  mutating func didProbe(_ sample: UInt64, at now: UInt64) {
    guard sample < least ?? .max else { return }
    least = sample
    seenAt = now
  }

  /// Requests that the next update be sent alone.
  mutating func measure() { isMeasuring = true }

  mutating func cancelMeasurement() { isMeasuring = false }
}
