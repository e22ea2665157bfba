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
  ///   - rates: the first at which the time is a whole number of frames is used, else the last with a part of a frame.
  ///   - kept: returned unchanged if it means the same time; else its rate is tried first.
  static func json(_ time: MediaTime, rates: [Ratio], like kept: JSONValue? = nil) -> JSONValue {
    if let kept, self.time(kept) == time { return kept }
    for rate in [self.rate(kept)].compactMap({ $0 }) + rates {
      if let frames = time.frames(at: rate) { return json(value: "\(frames).0", rate: number(rate)) }
    }
    if let rate = rates.last {
      let frames = Double(time.value) * Double(rate.numerator) / (Double(time.timescale) * Double(rate.denominator))
      let counted = json(value: "\(frames)", rate: number(rate))
      if self.time(counted) == time { return counted }
    }
    return json(value: "\(time.value).0", rate: "\(time.timescale).0")
  }

  private static func number(_ rate: Ratio) -> String { "\(rate.value)" }

  private static func json(value: String, rate: String) -> JSONValue {
    [OTIOSchema.key: "RationalTime.1", "rate": .number(rate), "value": .number(value)]
  }

  /// A TimeRange, with one rate for both times if possible.
  static func json(start: MediaTime, duration: MediaTime, rates: [Ratio], like kept: JSONValue? = nil) -> JSONValue {
    let common = rates.first { start.frames(at: $0) != nil && duration.frames(at: $0) != nil }
    let rates = common.map { [$0] } ?? rates
    return [
      OTIOSchema.key: "TimeRange.1", "duration": json(duration, rates: rates, like: kept?["duration"]),
      "start_time": json(start, rates: rates, like: kept?["start_time"]),
    ]
  }
}
