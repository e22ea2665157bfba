import Playback
import Terminal

/// Clips being found and opened before they have a place on the screen. Screen thread only.
///
/// Their pane appears with its first frame, so clips that cannot be played take no space.
final class ClipOpening {
  enum State {
    case underway
    /// The name has been resolved; call `open(_:)` with a pane for the list.
    case found(ClipList)
    /// The name is that of a subtitle file.
    case foundSubtitles(String)
    case ready(Pane)
    case failed(Pane, PlaybackError)
  }

  /// The typed text, for correction.
  let text: String
  /// The pane; nil until the name has been resolved.
  private(set) var pane: Pane?
  private let target: BackgroundJob<Target>
  private var hasFrame = false

  private enum Target {
    case clips(ClipList)
    case subtitles(String)
  }

  /// - Parameters:
  ///   - readings: The paths that may be meant, of which the first that exists is opened.
  ///   - wake: Called from any thread when the name has been resolved.
  ///   - frameRate: Frames per second of image sequences.
  init(_ readings: [String], typed text: String, frameRate: Ratio, wake: @escaping @Sendable () -> Void) {
    self.text = text
    target = BackgroundJob(wake: wake) { reason in
      let problem = PlaybackError(.system, "cannot be read: \(reason)")
      return .clips(ClipList([ClipList.Clip(path: readings.first ?? text, problem: problem)]))
    } body: {
      let path = TypedPath.existing(readings)
      return SubtitleFile.isNamed(path) ? .subtitles(path) : .clips(ClipListReader(frameRate: frameRate).read(path))
    }
  }

  /// - Parameter pane: Requests frames, unless nothing would display them.
  func open(_ pane: Pane) {
    self.pane = pane
    // An untimed player keeps its frames for the display.
    hasFrame = !pane.wantsFrames || pane.player.isUntimed
  }

  var status: TerminalText { "opening \(text)…  esc cancels" }

  /// Returns the progress of the opening.
  func update(at now: HostTime) -> State {
    guard let pane else {
      return switch target.value {
      case nil: .underway
      case .clips(let list): .found(list)
      case .subtitles(let path): .foundSubtitles(path)
      }
    }
    _ = pane.update(at: now)
    if let error = pane.error { return .failed(pane, error) }
    if !hasFrame, pane.takeFrame(at: now, mayBePartial: false) != nil { hasFrame = true }
    return hasFrame && pane.clip.facts != nil ? .ready(pane) : .underway
  }
}
