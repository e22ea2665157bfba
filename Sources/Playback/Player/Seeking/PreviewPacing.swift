/// The pacing of previews on the way to a target.
struct PreviewPacing {
  private var last: HostTime = .min

  /// The time between two previews, in nanoseconds.
  private static let interval: HostTime = 60_000_000
  /// A lone seek shorter than this, in nanoseconds, shows no previews.
  private static let shortWay: HostTime = 50_000_000
  /// No preview is shown for less than this, as far as can be foreseen, in nanoseconds.
  private static let minDuration: HostTime = 100_000_000

  mutating func didShow(at host: HostTime) { last = host }

  func isDue(_ search: TargetSearch, at host: HostTime) -> Bool {
    !search.hasPreviewed || host - Self.interval >= last
  }

  /// Returns true if the way to a target that rests takes so long that a frame on it is better than the former one, or none:
  /// by how long it has taken already, and how long the rest of it will take at the same pace.
  ///
  /// - Parameters:
  ///   - left: frames that are still to be decoded.
  ///   - askedAt: host time of the seek.
  func isLong(_ search: TargetSearch, left: Double, askedAt: HostTime, hasDisplayed: Bool, at host: HostTime) -> Bool {
    guard !search.hasPreviewed, search.passed > 1, !hasDisplayed || host - askedAt >= Self.shortWay else { return false }
    let pace = Double(host - search.firstAt) / Double(search.passed - 1)
    return pace * left >= Double(Self.minDuration)
  }
}
