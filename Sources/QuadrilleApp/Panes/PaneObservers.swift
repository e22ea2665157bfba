import Playback

/// Observes a pane's player: events in order, and the time at the resolution of the progress bar.
///
/// Screen thread only; reports from other threads wait in the inbox.
final class PaneObservers {
  private let player: Player
  private let inbox = PaneInbox()
  private var events: TimeObserver?
  private var periodic: TimeObserver?
  private var interval = MediaTime.zero

  init(_ player: Player) {
    self.player = player
    events = player.addEventObserver(on: InlineExecutor()) { [inbox] in inbox.put(event: $0) }
    observe(every: MediaTime(value: 1, timescale: 4))
  }

  /// Sets the interval of time reports to the steps of the bar, but no shorter than a person can notice.
  ///
  /// - Parameters:
  ///   - width: Width of the bar, in cells.
  ///   - length: Length of the clip.
  func observe(barOfWidth width: Int, length: MediaTime) {
    let seconds = length.seconds
    let step = seconds.isFinite && width > 0 ? seconds / Double(8 * width) : 0.25
    observe(every: MediaTime(seconds: min(max(step, 0.05), 0.5), preferredTimescale: 1000))
  }

  private func observe(every interval: MediaTime) {
    guard interval != self.interval else { return }
    self.interval = interval
    periodic?.remove()
    periodic = player.addPeriodicTimeObserver(forInterval: interval, on: InlineExecutor()) { [inbox] in
      inbox.put(time: $0)
    }
  }

  /// The latest time and the events since the last call; nil if there was nothing.
  func take() -> (time: MediaTime, events: [PlayerEvent])? { inbox.take() }

  func remove() {
    events?.remove()
    periodic?.remove()
  }
}
