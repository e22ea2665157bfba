/// When the cache is filled around a display that rests, and where that has been tried.
struct FillPolicy {
  private enum State {
    case off
    /// Starts once the display has been still for a while.
    case resting(since: HostTime, Cause)
    /// Filling, with the positions where decoding has started.
    case filling(tried: Set<MediaTime>, Cause)
  }

  /// Why the display rests.
  private enum Cause {
    /// Playback has stopped.
    case stop
    /// A step, a seek or a resize changed the display.
    case move
  }

  private var state = State.off
  /// The start of the last search for frames to go back to; searching there again would find no more.
  private(set) var exhaustedAt: MediaTime?

  /// Nothing is filled before the display has rested, and nobody has scrubbed in any pane, for so many nanoseconds.
  private static let rest = SeekQueue.movingPause

  var isFilling: Bool { if case .filling = state { true } else { false } }

  /// When filling may begin; nil when it has, or nothing has happened.
  var beginHost: HostTime? { if case .resting(let since, _) = state { since + Self.rest } else { nil } }

  /// The display has moved, or is about to: whatever is being filled has to wait.
  mutating func didMove(at host: HostTime) { state = .resting(since: host, .move) }

  /// Playing has come to a stop.
  mutating func didStop(at host: HostTime) { state = .resting(since: host, .stop) }

  /// Somebody scrubs elsewhere: filling has to wait.
  mutating func delay(at host: HostTime) { state = .resting(since: host, cause) }

  mutating func begin() { state = .filling(tried: [], cause) }

  private var cause: Cause {
    switch state {
    case .off: .move
    case .resting(_, let cause), .filling(_, let cause): cause
    }
  }

  /// True if the displayed frame is worth decoding once more, to be at hand for other sizes: where playing has stopped
  /// it is looked at. After a step another follows, and each would cost a group of frames.
  var keepsDisplayed: Bool { cause == .stop }

  /// Takes a place for filling to begin; false where it has been tried, since a second look would find no more.
  mutating func tryOnce(at place: MediaTime) -> Bool {
    guard case .filling(var tried, let cause) = state, tried.insert(place).inserted else { return false }
    state = .filling(tried: tried, cause)
    return true
  }

  // MARK: - Ahead of the way back

  /// Takes a place for a look ahead for going back; false where the last one was.
  mutating func lookAhead(from place: MediaTime) -> Bool {
    guard exhaustedAt != place else { return false }
    exhaustedAt = place
    return true
  }

  /// Frames found there may have been dropped since.
  mutating func forgetLookAhead() { exhaustedAt = nil }
}
