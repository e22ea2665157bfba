import Pixels

/// The coarsest tick of which some times are whole numbers.
struct RenderTimeBase {
  private var scale: Int64 = 1

  /// Nanoseconds where no tick of 32 bits will do.
  private static let finest = Ratio(1, 1_000_000_000)

  /// The tick of nothing, to which times are added.
  init() {}

  /// That of all frames of a timeline, and of where the last one ends.
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

  /// Seconds of one tick.
  var tick: Ratio { scale <= Int64(Int32.max) ? Ratio(1, Int32(scale)) : Self.finest }
}

extension MediaTime {
  /// The time in ticks of a time base, rounded where it lies between two; 0 where there is no such number.
  func ticks(of timeBase: Ratio) -> Int64 { ticks(in: timeBase) ?? 0 }

  /// The number of such durations per second, if it is a 32-bit fraction.
  var rate: Ratio? {
    guard isNumeric, value > 0 else { return nil }
    return Ratio(reducing: Int64(timescale), value)
  }
}
