import Pixels

/// Converts a stream's timestamps to a timeline that starts at 0 and never goes back.
///
/// Missing timestamps follow from the previous one; MPEG streams that jump continue where they were.
struct TimestampRepair {
  private let timeBase: Ratio
  private let start: MediaTime
  private let frameRate: Double
  /// The default duration of a frame in ticks.
  private let usualDuration: Int64
  /// The position of item time 0, in ticks.
  private let startTicks: Int64
  /// Seconds from item time 0 to the first frame.
  private let firstPTS: Double
  private var jumps: TimestampJumps
  private var last: (ticks: Int64, duration: Int64)?
  /// The number of the next frame while counting from the first one.
  private var count: Int? = 0

  /// - Parameters:
  ///   - start: the stream's time that is time 0 of the item.
  ///   - firstTicks: the first frame's timestamp if the container gives it, to estimate numbers.
  init(timeBase: Ratio, start: MediaTime, firstTicks: Int64? = nil, frameRate: Double, mayJump: Bool) {
    self.timeBase = timeBase
    self.start = start
    self.frameRate = frameRate
    jumps = TimestampJumps(tick: timeBase.value, mayJump: mayJump)
    let rate = frameRate > 0 ? frameRate : 25
    usualDuration = max(1, Int64(saturating: (1 / rate / max(timeBase.value, 1e-12)).rounded()))
    firstPTS = firstTicks.map { (MediaTime(ticks: $0, in: timeBase) - start).seconds } ?? 0
    startTicks = start.ticks(in: timeBase) ?? 0
  }

  init(of track: AssetTrack, start: MediaTime, mayJump: Bool) {
    self.init(
      timeBase: track.timeBase, start: start, firstTicks: track.firstPTS, frameRate: track.nominalFrameRate,
      mayJump: mayJump)
  }

  mutating func didSeek() {
    last = nil
    jumps.forget()
    count = nil
  }

  mutating func didRewind() {
    last = nil
    jumps.forget()
    count = 0
  }

  /// Stops counting, because frames are skipped from here on.
  mutating func stopCounting() { count = nil }

  /// Returns the stream's own time for a time of the item, rounded down.
  func ticks(forItemTime time: MediaTime) -> Int64 {
    (time + start).ticks(in: timeBase, rounding: .towardNegativeInfinity) ?? startTicks
  }

  /// Returns the position of the next frame on the timeline, in ticks, from libav's values.
  mutating func place(ticks: Int64?, duration: Int64) -> (ticks: Int64, duration: Int64) {
    let step = duration > 0 ? duration : usualDuration
    let expected = last.map { $0.ticks &+ $0.duration }
    var time = ticks.map { jumps.move($0, expected: expected) } ?? expected
    if let last, let found = time, found <= last.ticks { time = last.ticks &+ 1 }
    let known = time ?? startTicks
    last = (known, step)
    return (known, step)
  }

  /// Returns the timing of the next frame in display order, from libav's values.
  mutating func takeTiming(ticks: Int64?, duration: Int64) -> FrameTiming {
    let (known, step) = place(ticks: ticks, duration: duration)
    let pts = MediaTime(ticks: known, in: timeBase) - start
    // Timestamps may have any value.
    let number = count ?? max(0, Int(exactly: ((pts.seconds - firstPTS) * frameRate).rounded()) ?? 0)
    let timing = FrameTiming(
      pts: pts, duration: MediaTime(ticks: step, in: timeBase), originalPTS: ticks, timeBase: timeBase,
      number: number, numberIsExact: count != nil)
    count = count.map { $0 + 1 }
    return timing
  }
}
