/// Decides when to fill the cache around a display at rest, and records where that has been tried.
struct FillPolicy {
  private enum State {
    case off
    /// Starts once the display has been still for a while.
    case resting(since: HostTime, Cause)
    /// Filling, with the positions where decoding has started.
    case filling(tried: Set<MediaTime>, Cause)
  }

  /// The reason that the display is at rest.
  private enum Cause {
    /// Playback has stopped.
    case stop
    /// A step, a seek or a resize changed the display.
    case move
  }

  private var state = State.off
  /// The start of the last search for frames to go back to; searching there again would find no more.
  private(set) var exhaustedAt: MediaTime?

  /// The time in nanoseconds for which the display must rest, and no pane be scrubbed, before filling starts.
  private static let rest = SeekQueue.movingPause

  var isFilling: Bool { if case .filling = state { true } else { false } }

  /// The host time at which filling may start; nil if it has started, or nothing has happened.
  var beginHost: HostTime? { if case .resting(let since, _) = state { since + Self.rest } else { nil } }

  /// Notes that the display has moved or is about to, so that filling waits.
  mutating func didMove(at host: HostTime) { state = .resting(since: host, .move) }

  /// Notes that playback has stopped.
  mutating func didStop(at host: HostTime) { state = .resting(since: host, .stop) }

  /// Delays filling because another pane is being scrubbed.
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

  /// Claims a place for filling to start; returns false if it has been tried, since a second attempt would find no more.
  mutating func tryOnce(at place: MediaTime) -> Bool {
    guard case .filling(var tried, let cause) = state, tried.insert(place).inserted else { return false }
    state = .filling(tried: tried, cause)
    return true
  }

  // MARK: - Ahead of the way back

  /// Claims a place for decoding ahead in reverse; returns false if it was the last one.
  mutating func lookAhead(from place: MediaTime) -> Bool {
    guard exhaustedAt != place else { return false }
    exhaustedAt = place
    return true
  }

  /// Frames found there may have been dropped since.
  mutating func forgetLookAhead() { exhaustedAt = nil }
}
