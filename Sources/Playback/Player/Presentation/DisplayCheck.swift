/// A requested look at the current time, because the display may show the wrong frame or size, and the time for which that has
/// been found out.
struct DisplayCheck {
  /// Another look at the current time, once the source has done what it is at.
  enum Refresh: Equatable {
    case again
    /// Skips all frames after one that was far too late.
    case jump(from: FrameTiming)
  }

  private(set) var refresh: Refresh?
  /// The time at which the clock stopped and the display was checked, so that each time is checked once.
  private(set) var checkedAt: Int64?

  mutating func wantRefresh(_ refresh: Refresh = .again) { self.refresh = refresh }

  mutating func dropRefresh() { refresh = nil }

  /// Takes the refresh, which is starting or no longer needed.
  mutating func takeRefresh() -> Refresh? {
    defer { refresh = nil }
    return refresh
  }

  mutating func didCheck(at media: Int64?) { checkedAt = media }
}
