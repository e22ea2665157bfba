import Pixels

/// When a frame is shown, and where it stands in its stream.
public struct FrameTiming: Hashable, Sendable {
  /// Presentation time on the item's timeline, which begins at 0; numeric.
  public var pts: MediaTime
  /// How long it is shown, as far as known before the next one has been read; above 0.
  public var duration: MediaTime
  /// The stream's own time stamp in ticks of `timeBase`, nil where it had none.
  public var originalPTS: Int64?
  /// Seconds of one tick.
  public var timeBase: Ratio
  /// Zero-based number in display order.
  public var number: Int
  /// Whether `number` was counted from the first frame rather than worked out from the frame rate.
  public var numberIsExact: Bool
  /// Whether `end` is where the next frame begins, rather than a guess from the container's duration.
  public var endIsExact: Bool
  /// Whether the frame is known to be what a decode from the clip's beginning gives.
  public var isCertain = true

  /// Where the frame ends: `pts` + `duration`.
  public var end: MediaTime { pts + duration }

  /// `pts` on the clock's scale, rounded to the nearest nanosecond.
  var ptsNanoseconds: Int64 { pts.nanoseconds ?? 0 }
  var endNanoseconds: Int64 { end.nanoseconds ?? 0 }

  /// How many frames of this length so many seconds hold.
  func frameCount(in seconds: Double) -> Double { seconds / max(duration.seconds, 0.001) }

  /// The timing of a frame that is certain.
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
