import Playback

/// Plays two clips in sync until both have reached `end`, and returns their times once paused.
public func playInStep(_ left: String, _ right: String, until end: MediaTime) async throws -> [MediaTime] {
  // guide: in step
  let context = PlaybackContext()
  try context.bus.startDelivering()
  let players = [left, right].map { path in
    let player = Player(context: context)
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: path)))
    return player
  }
  let outputs = players.map { VideoOutput($0, request: RenderRequest(box: PixelSize(width: 320, height: 180))) }

  let group = PlayerGroup(clock: context.clock)
  let observers = players.map { player in
    player.addEventObserver(on: InlineExecutor()) { _ in group.releaseIfReady() }
  }
  group.play(players)
  // end
  while players.contains(where: { $0.currentTime() < end && $0.currentItem?.error == nil }) {
    try await Task.sleep(for: .milliseconds(5))
  }
  group.pause(players)
  for observer in observers { observer.remove() }
  context.bus.stopDelivering()
  return withExtendedLifetime(outputs) { players.map { $0.currentTime() } }
}
