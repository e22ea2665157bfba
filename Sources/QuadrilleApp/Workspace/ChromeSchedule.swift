import Playback

/// Schedules drawing of the chrome: at once after input, otherwise a few times per second.
struct ChromeSchedule {
  private enum State { case drawn, stale, urgent }

  /// Nanoseconds between non-urgent drawings.
  static let interval: HostTime = 100_000_000

  private var state = State.urgent
  private var drawnAt: HostTime = 0
  /// Earliest time of a non-urgent drawing.
  private var opening: HostTime = 0

  /// True if the contents differ from the last drawing.
  var isStale: Bool { state != .drawn }

  /// Records a change.
  mutating func invalidate() {
    if state == .drawn { state = .stale }
  }

  /// Records a change that the user is waiting for.
  mutating func invalidateAtOnce() { state = .urgent }

  /// Delays non-urgent drawings until a host time.
  mutating func postpone(until opening: HostTime) { self.opening = opening }

  /// Host time of the next drawing; nil if nothing has changed.
  var deadline: HostTime? {
    switch state {
    case .drawn: nil
    case .stale: max(drawnAt + Self.interval, opening)
    case .urgent: 0
    }
  }

  func isDue(at now: HostTime) -> Bool { deadline.map { now >= $0 } ?? false }

  mutating func didDraw(at now: HostTime) {
    state = .drawn
    drawnAt = now
  }
}
