/// A range of media time: a start and a duration, half open.
///
/// A range is valid if both are valid times, the start is a number (or −∞ for all of time) and the duration is not
/// negative. A range with an indefinite or infinite duration has no end: it contains every number from its start on.
public struct TimeRange: Sendable {
  /// The first time in the range.
  public let start: MediaTime
  /// The length; at least zero in a valid range.
  public let duration: MediaTime

  /// Creates a range without checking it; see `isValid`.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// Creates the range between two times; `.invalid` if the end comes before the start.
  public init(start: MediaTime, end: MediaTime) {
    if start.isNegativeInfinity {
      // start + duration could not give the end back, so only all of time has such a start.
      self = end.isPositiveInfinity ? .all : .invalid
    } else if start.isNumeric, end.isValid, start <= end {
      self.init(start: start, duration: end - start)
    } else {
      self = .invalid
    }
  }

  /// The empty range at zero.
  public static let zero = TimeRange(start: .zero, duration: .zero)
  /// The result of an impossible operation; contains no time.
  public static let invalid = TimeRange(start: .invalid, duration: .invalid)
  /// The range of all numbers.
  public static let all = TimeRange(start: .negativeInfinity, duration: .positiveInfinity)

  /// The first time after the range; +∞ or indefinite if the duration is.
  public var end: MediaTime {
    guard isValid else { return .invalid }
    return duration.isPositiveInfinity ? .positiveInfinity : start + duration
  }

  /// True if the start and duration form a range; see the type.
  public var isValid: Bool {
    guard duration.isValid, duration >= .zero else { return false }
    return start.isNumeric || (start.isNegativeInfinity && duration.isPositiveInfinity)
  }

  /// True if no time is in the range, including invalid ranges.
  public var isEmpty: Bool { !isValid || duration == .zero }

  /// Returns true if `time` is a number in the range.
  public func contains(_ time: MediaTime) -> Bool {
    isValid && time.isNumeric && time >= start && time < end
  }

  /// Returns true if every time of `other` is in this range; an empty range must lie within it or at its end.
  public func contains(_ other: TimeRange) -> Bool {
    isValid && other.isValid && other.start >= start && other.end <= end
  }

  /// Returns the times in both ranges; if there are none, an empty range at the later start. Invalid if either range is.
  public func intersection(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    let later = max(start, other.start)
    let earlier = min(end, other.end)
    return earlier > later
      ? TimeRange(start: later, end: earlier) : TimeRange(start: later, duration: .zero)
  }

  /// Returns the smallest range that contains both. Empty ranges are ignored; the result is invalid if either range is.
  public func union(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    if other.isEmpty { return self }
    if isEmpty { return other }
    return TimeRange(start: min(start, other.start), end: max(end, other.end))
  }

  /// Returns the time of the range, including its end, nearest to `time`; `time` itself if either is invalid.
  public func clamped(_ time: MediaTime) -> MediaTime {
    guard isValid, time.isValid else { return time }
    return min(max(time, start), end)
  }

  /// Merges ranges that touch or overlap.
  ///
  /// - Parameter ranges: valid ranges, ordered by start.
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

/// Encoded as its start and duration.
extension TimeRange: Codable {}

extension TimeRange: CustomStringConvertible {
  /// A description for logs: "[start, end)", or "invalid range".
  public var description: String { isValid ? "[\(start), \(end))" : "invalid range" }
}
