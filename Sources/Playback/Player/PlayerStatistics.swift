import Pixels

/// Counters of a player since its item was set.
public struct PlayerStatistics: Sendable {
  /// Frames decoded.
  public fileprivate(set) var decoded = 0
  /// Frames displayed, as reported by `VideoOutput.didShow`.
  public fileprivate(set) var shown = 0
  /// Frames due in playback but never displayed: too late, or not decoded to save time.
  public fileprivate(set) var dropped = 0
  /// Lateness of displayed frames.
  public fileprivate(set) var lateness = DurationHistogram()
  /// Duration of seeks, from the call until they finish.
  public fileprivate(set) var seeks = DurationHistogram()
  /// Host time in nanoseconds for which the clock ran.
  public fileprivate(set) var playedNanoseconds: Int64 = 0
  /// The number of times that reverse playback from the cache has started: once per landing while the rate is negative.
  fileprivate(set) var reversals = 0

  /// Creates counters of zero.
  public init() {}

  mutating func noteDecoded() { decoded += 1 }

  mutating func noteDropped(_ count: Int = 1) { dropped += count }

  /// - Parameter late: nanoseconds since it was due.
  mutating func noteShown(late: HostTime) {
    shown += 1
    lateness.record(late)
  }

  mutating func noteReversal() { reversals += 1 }

  mutating func noteLanding(after nanoseconds: HostTime) { seeks.record(nanoseconds) }

  mutating func notePlayed(_ nanoseconds: Int64) { playedNanoseconds = nanoseconds }

  mutating func add(_ other: PlayerStatistics) {
    decoded += other.decoded
    shown += other.shown
    dropped += other.dropped
    lateness.add(other.lateness)
    seeks.add(other.seeks)
    playedNanoseconds += other.playedNanoseconds
    reversals += other.reversals
  }
}

/// A histogram of durations with a fixed size, accurate to a quarter of a millisecond below half a second.
public struct DurationHistogram: Sendable {
  private var buckets = [UInt32](repeating: 0, count: 2064)
  /// The number of durations recorded.
  public private(set) var count = 0
  /// The longest duration in nanoseconds; 0 if there is none.
  public private(set) var maximum: Int64 = 0

  private static let fine: Int64 = 250_000
  private static let fineCount = 2000

  /// Creates an empty histogram.
  public init() {}

  /// Records a duration in nanoseconds; negative values count as 0.
  public mutating func record(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    maximum = max(maximum, value)
    count += 1
    buckets[Self.bucket(value)] += 1
  }

  mutating func add(_ other: DurationHistogram) {
    maximum = max(maximum, other.maximum)
    count += other.count
    for (index, number) in other.buckets.enumerated() { buckets[index] += number }
  }

  private static func bucket(_ value: Int64) -> Int {
    let index = Int(value / fine)
    if index < fineCount { return index }
    // Above that, half a second per bucket.
    return min(fineCount + 63, fineCount + Int(value / 500_000_000) - 1)
  }

  /// Returns the duration in nanoseconds that `fraction` of all do not exceed, rounded up to its bucket; 0 if empty.
  ///
  /// - Parameter fraction: 0…1; other numbers count as the nearest of these, and NaN as 0.
  public func percentile(_ fraction: Double) -> Int64 {
    guard count > 0 else { return 0 }
    let rank = max(1, Int(saturating: (Double(count) * fraction).rounded(.up)))
    var seen = 0
    for (i, n) in buckets.enumerated() {
      seen += Int(n)
      if seen >= rank {
        let top = i < Self.fineCount ? Int64(i + 1) * Self.fine : Int64(i - Self.fineCount + 2) * 500_000_000
        return min(maximum, top)
      }
    }
    return maximum
  }
}
