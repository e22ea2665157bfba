import Playback
import Terminal

/// A clip that was asked for and is being opened, before it has a place on the screen. Screen thread only.
///
/// Its pane joins the others when its first frame is there, so that a clip that cannot be played takes no room.
final class ClipOpening {
  enum State { case underway, ready, failed(PlaybackError) }

  /// What was typed, to be corrected.
  let text: String
  let pane: Pane
  private var hasFrame: Bool

  /// - Parameter pane: asks for frames, unless nobody would see them.
  init(_ pane: Pane, typed text: String) {
    self.pane = pane
    self.text = text
    // A player that gives out every frame once keeps them for the display.
    hasFrame = !pane.wantsFrames || pane.player.isUntimed
  }

  var status: TerminalText { "opening \(text)…  esc calls it off" }

  /// Takes in what has come of it.
  func update(at now: HostTime) -> State {
    _ = pane.update(at: now)
    if let error = pane.error { return .failed(error) }
    if !hasFrame, pane.takeFrame(at: now, mayBePartial: false) != nil { hasFrame = true }
    return hasFrame && pane.clip.facts != nil ? .ready : .underway
  }
}
