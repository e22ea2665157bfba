/// The shortest time lately from an update to its answer: a value with a hand-moved clock.
///
/// Where updates queue all the time, none tells how long the way is without a queue; then one is measured alone.
struct MinRoundTrip {
  /// Nil before the first sample.
  private(set) var least: UInt64?
  /// Whether the next update has to go alone.
  private(set) var isMeasuring = false
  private var seenAt: UInt64 = 0
  /// Whether enough was sent since it was seen to make a queue.
  private var mayQueue = false

  private static let millisecond: UInt64 = 1_000_000
  private static let memory: UInt64 = 10_000_000_000

  /// So much is on its way that it may wait in a queue.
  mutating func didFillWindow() { mayQueue = true }

  /// Takes a sample in.
  ///
  /// - Parameter isMeasurement: whether the update went alone.
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
      // The way may have become longer; only an update that finds no queue can tell.
      isMeasuring = true
    }
  }

  /// Takes in what was measured before there was any queue.
  mutating func didProbe(_ sample: UInt64, at now: UInt64) {
    guard sample < least ?? .max else { return }
    least = sample
    seenAt = now
  }

  /// Lets the next update go alone.
  mutating func measure() { isMeasuring = true }

  mutating func cancelMeasurement() { isMeasuring = false }
}
