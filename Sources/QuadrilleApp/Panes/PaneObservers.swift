import Playback

/// What a pane hears of its player: the events in order and the time, as its progress bar can show it.
///
/// Screen thread only; what comes from other threads waits in the inbox.
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

  /// Lets the time be told for each of the steps that a bar shows, but no more often than a person sees.
  ///
  /// - Parameters:
  ///   - width: of the bar, in cells.
  ///   - length: of the clip.
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

  /// The time last heard and the events since the last call; nil when there was nothing.
  func take() -> (time: MediaTime, events: [PlayerEvent])? { inbox.take() }

  func remove() {
    events?.remove()
    periodic?.remove()
  }
}
