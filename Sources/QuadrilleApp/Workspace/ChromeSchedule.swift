import Playback

/// When the chrome is drawn: at once after input, else a few times a second.
struct ChromeSchedule {
  private enum State { case drawn, stale, urgent }

  /// Nanoseconds between two drawings that are not urgent.
  static let interval: HostTime = 100_000_000

  private var state = State.urgent
  private var drawnAt: HostTime = 0
  /// Before this it is not drawn, unless somebody waits for it.
  private var opening: HostTime = 0

  /// Whether it says something else than what was drawn.
  var isStale: Bool { state != .drawn }

  /// What it says has changed.
  mutating func invalidate() {
    if state == .drawn { state = .stale }
  }

  /// What it says has changed, and somebody waits for it.
  mutating func invalidateAtOnce() { state = .urgent }

  /// The terminal takes nothing that is not urgent before a host time.
  mutating func postpone(until opening: HostTime) { self.opening = opening }

  /// When it is to be drawn, as host time; nil while nothing has changed.
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
