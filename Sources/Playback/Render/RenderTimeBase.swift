import Pixels

/// The coarsest time base in which some times are whole ticks.
struct RenderTimeBase {
  private var scale: Int64 = 1

  /// The fallback, nanoseconds, if no 32-bit time base suffices.
  private static let finest = Ratio(1, 1_000_000_000)

  /// Creates an empty time base, to which times are added.
  init() {}

  /// Creates the time base of all frames of a timeline, and of the last one's end.
  init(_ timeline: PresentationTimeline, end: MediaTime) {
    for number in 0..<timeline.frameCount { if let time = timeline.time(ofFrame: number) { add(time) } }
    add(end)
  }

  /// Takes a time into account.
  mutating func add(_ time: MediaTime) {
    guard time.isNumeric, scale <= Int64(Int32.max) else { return }
    let own = Int64(time.timescale) / Int64(greatestCommonDivisor(time.value.magnitude, UInt64(time.timescale)))
    scale = scale / Int64(greatestCommonDivisor(UInt64(scale), UInt64(own))) * own
  }

  /// Seconds per tick.
  var tick: Ratio { scale <= Int64(Int32.max) ? Ratio(1, Int32(scale)) : Self.finest }
}

extension MediaTime {
  /// Returns the time in ticks of a time base, rounded if necessary; 0 if it is not numeric or does not fit.
  func ticks(of timeBase: Ratio) -> Int64 { ticks(in: timeBase) ?? 0 }

  /// The number of such durations per second, if it is a 32-bit fraction.
  var rate: Ratio? {
    guard isNumeric, value > 0 else { return nil }
    return Ratio(reducing: Int64(timescale), value)
  }
}
