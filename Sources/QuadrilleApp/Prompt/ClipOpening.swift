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
    case ready(Pane)
    case failed(Pane, PlaybackError)
  }

  /// The typed text, for correction.
  let text: String
  /// The pane; nil until the name has been resolved.
  private(set) var pane: Pane?
  private let list: BackgroundJob<ClipList>
  private var hasFrame = false

  /// - Parameter wake: Called from any thread when the name has been resolved.
  init(_ path: String, typed text: String, wake: @escaping @Sendable () -> Void) {
    self.text = text
    list = BackgroundJob(wake: wake) { reason in
      ClipList([ClipList.Clip(path: path, problem: PlaybackError(.system, "cannot be read: \(reason)"))])
    } body: {
      ClipListReader.read(path)
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
    guard let pane else { return list.value.map { .found($0) } ?? .underway }
    _ = pane.update(at: now)
    if let error = pane.error { return .failed(pane, error) }
    if !hasFrame, pane.takeFrame(at: now, mayBePartial: false) != nil { hasFrame = true }
    return hasFrame && pane.clip.facts != nil ? .ready(pane) : .underway
  }
}
