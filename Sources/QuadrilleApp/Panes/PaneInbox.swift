import Playback
import Synchronization

/// Reports from a pane's observers to the screen thread. Safe from any thread.
final class PaneInbox: Sendable {
  private struct State {
    var time = MediaTime.zero
    var events: [PlayerEvent] = []
    var hasNews = false
  }

  private let state = Mutex(State())

  func put(time: MediaTime) {
    state.withLock { state in
      state.time = time
      state.hasNews = true
    }
  }

  func put(event: PlayerEvent) {
    state.withLock { state in
      state.events.append(event)
      state.hasNews = true
    }
  }

  /// The latest time and the events since the last call; nil if there was nothing.
  func take() -> (time: MediaTime, events: [PlayerEvent])? {
    state.withLock { state in
      guard state.hasNews else { return nil }
      defer {
        state.events = []
        state.hasNews = false
      }
      return (state.time, state.events)
    }
  }
}
