import Playback

/// OpenTimelineIO times: a value and a rate, both doubles.
enum OTIOTime {
  /// The exact time of a RationalTime; nil if invalid.
  static func time(_ value: JSONValue?) -> MediaTime? {
    guard let value, let count = value["value"]?.double, let said = value["rate"]?.double, count.isFinite,
      let rate = FrameRate.snapped(said)
    else { return nil }
    if count.rounded() == count, abs(count) < 0x1p53 { return number(MediaTime(frames: Int64(count), at: rate)) }
    if let part = Ratio(nearest: count, within: abs(count) * 1e-12, largestDenominator: 1_000_000) {
      return number(MediaTime(frames: Int64(part.numerator), at: rate).multiplied(by: 1, dividedBy: part.denominator))
    }
    return number(MediaTime(seconds: count / said, preferredTimescale: 1_000_000))
  }

  private static func number(_ time: MediaTime) -> MediaTime? { time.isWithinLimits ? time : nil }

  /// The start and duration of a TimeRange; nil if invalid.
  static func range(_ value: JSONValue?) -> (start: MediaTime, duration: MediaTime)? {
    guard let value, let start = time(value["start_time"]), let duration = time(value["duration"]), duration >= .zero else {
      return nil
    }
    return (start, duration)
  }

  /// The exact rate of a RationalTime.
  static func rate(_ value: JSONValue?) -> Ratio? {
    value?["rate"]?.double.flatMap(FrameRate.snapped)
  }

  /// A RationalTime.
  ///
  /// - Parameters:
  ///   - rate: used if the time is a whole number of frames.
  ///   - kept: returned unchanged if it means the same time; else its rate is tried first.
  static func json(_ time: MediaTime, rate: Ratio?, like kept: JSONValue? = nil) -> JSONValue {
    if let kept, self.time(kept) == time { return kept }
    for rate in [self.rate(kept), rate] {
      if let rate, let frames = time.frames(at: rate) { return json(value: frames, rate: number(rate)) }
    }
    return json(value: time.value, rate: "\(time.timescale).0")
  }

  private static func number(_ rate: Ratio) -> String { "\(rate.value)" }

  private static func json(value: Int64, rate: String) -> JSONValue {
    [OTIOSchema.key: "RationalTime.1", "rate": .number(rate), "value": .number("\(value).0")]
  }

  /// A TimeRange.
  static func json(start: MediaTime, duration: MediaTime, rate: Ratio?, like kept: JSONValue? = nil) -> JSONValue {
    [
      OTIOSchema.key: "TimeRange.1", "duration": json(duration, rate: rate, like: kept?["duration"]),
      "start_time": json(start, rate: rate, like: kept?["start_time"]),
    ]
  }
}
