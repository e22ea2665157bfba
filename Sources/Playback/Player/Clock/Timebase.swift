/// A linear mapping from host time to media time: a rate and an anchor.
///
/// Both sides count nanoseconds, so that clocks of several players with the same anchor agree exactly.
struct Timebase: Equatable {
  /// Media time at `anchorHost`.
  private(set) var anchorMedia: Int64 = 0
  private(set) var anchorHost: HostTime = 0
  /// The rate; 0 while the clock is stopped.
  private(set) var rate: Double = 0

  mutating func set(media: Int64, host: HostTime, rate: Double) {
    anchorMedia = media
    anchorHost = host
    self.rate = rate
  }

  var isRunning: Bool { rate != 0 }

  func media(at host: HostTime) -> Int64 {
    let passed = host - anchorHost
    if rate == 0 { return anchorMedia }
    if rate == 1 { return anchorMedia + passed }
    return anchorMedia + Int64((Double(passed) * rate).rounded())
  }

  /// The maximum distance in nanoseconds, 285 years; times beyond it, as damaged files may claim, are ignored.
  private static let maxWay = 9e18

  /// Returns the first host time at which the clock shows or has passed `media`; nil if it is stopped, or if the time is
  /// further away than any clip is long.
  /// away than any clip is long.
  func host(for media: Int64) -> HostTime? {
    let (way, isTooFar) = media.subtractingReportingOverflow(anchorMedia)
    guard rate != 0, !isTooFar, abs(Double(media)) < Self.maxWay, abs(Double(way)) < Self.maxWay else { return nil }
    if rate == 1 { return anchorHost + way }
    let passed = Double(way) / rate
    guard abs(passed) < Self.maxWay else { return nil }
    let host = anchorHost + Int64(passed.rounded())
    // In both directions: anything due at this time must also be found due at it.
    let step = max(1, Int64((1 / abs(rate)).rounded(.up)))
    let shown = self.media(at: host)
    return (rate > 0 ? shown >= media : shown <= media) ? host : host + step
  }
}
