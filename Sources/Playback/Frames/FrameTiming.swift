import Pixels

/// The display time of a frame and its position in the stream.
public struct FrameTiming: Hashable, Sendable {
  /// Presentation time on the item's timeline, which starts at 0; numeric.
  public var pts: MediaTime
  /// Display duration, as far as known before the next frame has been read; above 0.
  public var duration: MediaTime
  /// The stream's own timestamp in ticks of `timeBase`; nil if it had none.
  public var originalPTS: Int64?
  /// Seconds per tick.
  public var timeBase: Ratio
  /// Zero-based frame number in display order.
  public var number: Int
  /// True if `number` was counted from the first frame, not estimated from the frame rate.
  public var numberIsExact: Bool
  /// True if `end` is the start of the next frame, not an estimate from the container's duration.
  public var endIsExact: Bool
  /// True if the frame is known to be the same as in a decode from the clip's beginning.
  public var isCertain = true

  /// The end of the frame: `pts` + `duration`.
  public var end: MediaTime { pts + duration }

  /// `pts` on the clock's scale, rounded to the nearest nanosecond.
  var ptsNanoseconds: Int64 { pts.clockNanoseconds ?? 0 }
  var endNanoseconds: Int64 { end.clockNanoseconds ?? 0 }

  /// Returns the number of frames of this duration in a number of seconds.
  func frameCount(in seconds: Double) -> Double {
    let length = duration.seconds
    return seconds / (length > 0.001 ? length : 0.001)
  }

  /// Creates the timing of a certain frame.
  public init(
    pts: MediaTime, duration: MediaTime, originalPTS: Int64? = nil, timeBase: Ratio = Ratio(1, 1000),
    number: Int = 0, numberIsExact: Bool = true, endIsExact: Bool = false
  ) {
    self.pts = pts
    self.duration = duration
    self.originalPTS = originalPTS
    self.timeBase = timeBase
    self.number = number
    self.numberIsExact = numberIsExact
    self.endIsExact = endIsExact
  }
}
