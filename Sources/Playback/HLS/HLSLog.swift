import Transport

/// A record of loading the segments of a clip's video, for each variant in turn, and of failures: a value.
struct HLSLog {
  /// The origin of a segment.
  struct Source: Equatable {
    /// The address of the media playlist.
    let url: NetworkURL
    /// The bit rate that the variant announces, in bits per second; 0 if it does not.
    let bitRate: Int
    /// The duration of the segment in seconds.
    let seconds: Double
  }

  /// Consecutive segments of one variant.
  struct Period {
    let url: NetworkURL
    let bitRate: Int
    /// The host time at which the first segment was asked for.
    let start: UInt64
    var bytes: Int64 = 0
    var requests = 0
    /// The time that downloads took, and the duration of what they brought, in seconds.
    var transferSeconds = 0.0
    var mediaSeconds = 0.0
  }

  struct Failure {
    let url: NetworkURL
    let error: TransportError
  }

  private(set) var periods: [Period] = []
  private(set) var failures: [Failure] = []
  /// The host time at which the first segment was complete; nil before that.
  private(set) var firstEnd: UInt64?
  private static let maxPeriods = 200
  private static let maxFailures = 200

  /// Notes a segment that has been loaded between two host times.
  mutating func note(_ source: Source, bytes: Int, from start: UInt64, to end: UInt64) {
    firstEnd = firstEnd ?? end
    if periods.last?.url != source.url {
      if periods.count == Self.maxPeriods { periods.removeFirst() }
      periods.append(Period(url: source.url, bitRate: source.bitRate, start: start))
    }
    let last = periods.count - 1
    periods[last].bytes += Int64(bytes)
    periods[last].requests += 1
    periods[last].transferSeconds += Double(end - min(start, end)) / 1e9
    periods[last].mediaSeconds += source.seconds
  }

  mutating func note(_ error: TransportError, of url: NetworkURL) {
    if failures.count == Self.maxFailures { failures.removeFirst() }
    failures.append(Failure(url: url, error: error))
  }
}
