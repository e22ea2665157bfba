import Playback
import Terminal

/// Clips that were asked for and are being found and opened, before they have a place on the screen. Screen thread only.
///
/// Their pane joins the others when its first frame is there, so that what cannot be played takes no room.
final class ClipOpening {
  enum State {
    case underway
    /// What the name stands for: `open(_:)` is to be called with a pane for it.
    case found(ClipList)
    case ready(Pane)
    case failed(Pane, PlaybackError)
  }

  /// What was typed, to be corrected.
  let text: String
  /// nil until it is known what the name stands for.
  private(set) var pane: Pane?
  private let list: BackgroundJob<ClipList>
  private var hasFrame = false

  /// - Parameter wake: called from any thread when it is known what the name stands for.
  init(_ path: String, typed text: String, wake: @escaping @Sendable () -> Void) {
    self.text = text
    list = BackgroundJob(wake: wake) { reason in
      ClipList([ClipList.Clip(path: path, problem: PlaybackError(.system, "cannot be read: \(reason)"))])
    } body: {
      ClipListReader.read(path)
    }
  }

  /// - Parameter pane: asks for frames, unless nobody would see them.
  func open(_ pane: Pane) {
    self.pane = pane
    // A player that gives out every frame once keeps them for the display.
    hasFrame = !pane.wantsFrames || pane.player.isUntimed
  }

  var status: TerminalText { "opening \(text)…  esc cancels" }

  /// Takes in what has come of it.
  func update(at now: HostTime) -> State {
    guard let pane else { return list.value.map { .found($0) } ?? .underway }
    _ = pane.update(at: now)
    if let error = pane.error { return .failed(pane, error) }
    if !hasFrame, pane.takeFrame(at: now, mayBePartial: false) != nil { hasFrame = true }
    return hasFrame && pane.clip.facts != nil ? .ready(pane) : .underway
  }
}
