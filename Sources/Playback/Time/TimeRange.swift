/// A stretch of media time: a start and a duration, half open, so its end is no longer in it.
///
/// A range is valid when both are valid times, the start is a number (or −∞ for all of time) and the duration
/// is not negative. An indefinite or infinite duration has no end: such a range holds every number from its
/// start.
public struct TimeRange: Sendable {
  /// The first time in the range.
  public let start: MediaTime
  /// The length; at least zero in a valid range.
  public let duration: MediaTime

  /// Makes a range of two times as they are; `isValid` tells whether they are one.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// Makes the range between two times; `.invalid` when the end comes before the start.
  public init(start: MediaTime, end: MediaTime) {
    if start.isNegativeInfinity {
      // start + duration could not tell an end again, so only all of time has such a start.
      self = end.isPositiveInfinity ? .all : .invalid
    } else if start.isNumeric, end.isValid, start <= end {
      self.init(start: start, duration: end - start)
    } else {
      self = .invalid
    }
  }

  /// The empty range at zero.
  public static let zero = TimeRange(start: .zero, duration: .zero)
  /// What came of an impossible operation; holds no time.
  public static let invalid = TimeRange(start: .invalid, duration: .invalid)
  /// Every number.
  public static let all = TimeRange(start: .negativeInfinity, duration: .positiveInfinity)

  /// The first time after the range; +∞ and indefinite for a duration that is so.
  public var end: MediaTime {
    guard isValid else { return .invalid }
    return duration.isPositiveInfinity ? .positiveInfinity : start + duration
  }

  /// Whether start and duration make a range: see the type.
  public var isValid: Bool {
    guard duration.isValid, duration >= .zero else { return false }
    return start.isNumeric || (start.isNegativeInfinity && duration.isPositiveInfinity)
  }

  /// True when no time is in the range, also when it is invalid.
  public var isEmpty: Bool { !isValid || duration == .zero }

  /// True when `time` is a number in the range.
  public func contains(_ time: MediaTime) -> Bool {
    isValid && time.isNumeric && time >= start && time < end
  }

  /// True when every time of `other` is in this range; an empty range must lie within it or at its end.
  public func contains(_ other: TimeRange) -> Bool {
    isValid && other.isValid && other.start >= start && other.end <= end
  }

  /// The times in both ranges: an empty range at the later start when there are none, invalid if one is.
  public func intersection(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    let later = max(start, other.start)
    let earlier = min(end, other.end)
    return earlier > later
      ? TimeRange(start: later, end: earlier) : TimeRange(start: later, duration: .zero)
  }

  /// The smallest range that holds both, with what lies between; an empty one adds nothing, an invalid one
  /// spoils.
  public func union(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    if other.isEmpty { return self }
    if isEmpty { return other }
    return TimeRange(start: min(start, other.start), end: max(end, other.end))
  }

  /// The time of the range (its end counts) that is nearest to `time`; `time` itself when either is invalid.
  public func clamped(_ time: MediaTime) -> MediaTime {
    guard isValid, time.isValid else { return time }
    return min(max(time, start), end)
  }

  /// The same times in ranges that do not touch each other.
  ///
  /// - Parameter ranges: valid ones, in the order in which they start.
  static func joined(_ ranges: [TimeRange]) -> [TimeRange] {
    var result: [TimeRange] = []
    for range in ranges {
      if let last = result.last, last.end >= range.start {
        result[result.count - 1] = last.union(range)
      } else {
        result.append(range)
      }
    }
    return result
  }
}

extension TimeRange: Hashable {}

extension TimeRange: CustomStringConvertible {
  /// For a log: "[start, end)", or "invalid range".
  public var description: String { isValid ? "[\(start), \(end))" : "invalid range" }
}
