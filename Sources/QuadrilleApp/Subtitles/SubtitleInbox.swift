import Playback
import Synchronization

/// What comes of looking for a pane's subtitles, for the screen thread. Safe from any thread.
final class SubtitleInbox: Sendable {
  enum News: Sendable {
    /// The files beside the clip have been looked for.
    case searched
    /// A file that was asked for has been added, or could not be.
    case added(path: String, Result<[MediaSelectionOption], PlaybackError>)
    /// Captions in the frames have been looked for.
    case lookedForCaptions
  }

  private let news = Mutex<[News]>([])
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func put(_ item: News) {
    news.withLock { $0.append(item) }
    wake()
  }

  /// Cues have been read.
  func cuesDidChange() { wake() }

  func take() -> [News] {
    news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}
