import Pixels

/// A linear mapping from host time to media time: a rate and an anchor.
///
/// Both sides count nanoseconds, so that clocks of several players with the same anchor agree exactly. Times beyond reach, as
/// callers and damaged files may give them, count as the limit.
struct Timebase: Equatable {
  /// Media time at `anchorHost`.
  private(set) var anchorMedia: Int64 = 0
  private(set) var anchorHost: HostTime = 0
  /// The rate; 0 while the clock is stopped.
  private(set) var rate: Double = 0

  mutating func set(media: Int64, host: HostTime, rate: Double) {
    anchorMedia = media.withinReach
    anchorHost = host.withinReach
    self.rate = rate
  }

  var isRunning: Bool { rate != 0 }

  func media(at host: HostTime) -> Int64 {
    let passed = host.withinReach - anchorHost
    if rate == 0 { return anchorMedia }
    if rate == 1 { return (anchorMedia + passed).withinReach }
    return anchorMedia.saturatingAdd(Int64(saturating: (Double(passed) * rate).rounded())).withinReach
  }

  /// Returns the first host time at which the clock shows or has passed `media`; nil if it is stopped, or if the time is out
  /// of reach.
  func host(for media: Int64) -> HostTime? {
    guard rate != 0, media == media.withinReach else { return nil }
    let way = media - anchorMedia
    if rate == 1 { return within(anchorHost + way) }
    let passed = Int64(saturating: (Double(way) / rate).rounded())
    let host = anchorHost.saturatingAdd(passed)
    // In both directions: anything due at this time must also be found due at it.
    let step = max(1, Int64((1 / abs(rate)).rounded(.up)))
    let shown = self.media(at: host)
    return within((rate > 0 ? shown >= media : shown <= media) ? host : host.saturatingAdd(step))
  }

  private func within(_ host: HostTime) -> HostTime? { host == host.withinReach ? host : nil }
}
