import Playback

/// Shows a player's frames until its clip ends.
public func show(_ output: VideoOutput, draw: @escaping @Sendable (RenderedFrame) -> Void) async {
  // guide: loops
  let frames = Task {
    for await frame in output.frames { draw(frame) }
  }
  for await event in output.player.events where event == .playedToEnd { break }
  frames.cancel()
  // end
}
