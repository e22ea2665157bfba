import Playback

/// What displays a player's frames in tests: the one place that knows how they are asked for and taken.
final class TestOutput: Sendable {
  private let player: Player

  init(_ player: Player) { self.player = player }

  /// What frames are made for; nil while nobody sees them.
  var request: RenderRequest? {
    get { player.pictureRequest }
    set { player.pictureRequest = newValue }
  }

  /// Takes the newest frame that is due at `host`, unless it has been taken, and when it was due.
  func take(at host: HostTime) -> (frame: RenderedFrame, due: HostTime)? {
    player.takePicture(at: host).map { ($0.picture, $0.due) }
  }

  /// When to call `take` next; nil when nothing waits or the clock stands.
  func nextTime(after host: HostTime) -> HostTime? { player.nextPictureTime(after: host) }

  /// Called from any thread when there is something new to take.
  func setWaker(_ wake: @escaping @Sendable () -> Void) { player.setDisplayWaker(wake) }

  /// Counts a frame as shown, handed over at `host`.
  func didShow(due: HostTime, at host: HostTime) { player.didShow(due: due, at: host) }
}
