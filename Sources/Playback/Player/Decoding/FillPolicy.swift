/// When the cache is filled around a display that rests, and where that has been tried.
struct FillPolicy {
  private enum State {
    case off
    /// It is to begin once the display has rested for a while.
    case resting(since: HostTime)
    /// With the places where decoding has begun.
    case filling(tried: Set<MediaTime>)
  }

  private var state = State.off
  /// Where the last look ahead for going back began; a second one there would find no more.
  private(set) var exhaustedAt: MediaTime?

  /// Nothing is filled before the display has rested, and nobody has scrubbed in any pane, for so many nanoseconds.
  private static let rest = SeekQueue.movingPause

  var isFilling: Bool { if case .filling = state { true } else { false } }

  /// When filling may begin; nil when it has, or nothing has happened.
  var beginHost: HostTime? { if case .resting(let since) = state { since + Self.rest } else { nil } }

  /// The display has moved, or is about to: whatever is being filled has to wait.
  mutating func didMove(at host: HostTime) { state = .resting(since: host) }

  mutating func begin() { state = .filling(tried: []) }

  /// Whether filling may begin at a place; each is tried once, since a second look would find no more.
  mutating func tries(_ place: MediaTime) -> Bool {
    guard case .filling(var tried) = state, tried.insert(place).inserted else { return false }
    state = .filling(tried: tried)
    return true
  }

  // MARK: - Ahead of the way back

  /// Whether a look ahead for going back may begin at a place; it counts as done.
  mutating func looksAhead(from place: MediaTime) -> Bool {
    guard exhaustedAt != place else { return false }
    exhaustedAt = place
    return true
  }

  /// What was found there may have been dropped since.
  mutating func forgetLookAhead() { exhaustedAt = nil }
}
