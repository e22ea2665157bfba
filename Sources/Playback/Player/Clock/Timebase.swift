/// A player's clock: media time that runs with the host clock at a rate from an anchor.
///
/// Both sides count nanoseconds, so that clocks of several players with the same anchor agree exactly.
struct Timebase: Equatable {
  /// Media time at `anchorHost`.
  private(set) var anchorMedia: Int64 = 0
  private(set) var anchorHost: HostTime = 0
  /// 0 when it stands.
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

  /// Nanoseconds, 285 years: what is farther away, as damaged files may claim, is not reckoned with.
  private static let maxWay = 9e18

  /// The first moment at which the clock shows `media` or has passed it; nil when it stands, or where that is farther
  /// away than any clip is long.
  func host(for media: Int64) -> HostTime? {
    let (way, isTooFar) = media.subtractingReportingOverflow(anchorMedia)
    guard rate != 0, !isTooFar, abs(Double(media)) < Self.maxWay, abs(Double(way)) < Self.maxWay else { return nil }
    if rate == 1 { return anchorHost + way }
    let passed = Double(way) / rate
    guard abs(passed) < Self.maxWay else { return nil }
    let host = anchorHost + Int64(passed.rounded())
    // Both ways round: what is due at this moment must also be found due at it.
    let step = max(1, Int64((1 / abs(rate)).rounded(.up)))
    let shown = self.media(at: host)
    return (rate > 0 ? shown >= media : shown <= media) ? host : host + step
  }
}
