import Playback

/// In the words of the tests.
extension VideoOutput {
  /// Takes the newest frame that is due at `host`, unless it has been taken, and when it was due.
  func take(at host: HostTime) -> (frame: RenderedFrame, due: HostTime)? { copyFrame(at: host) }

  /// When to call `take` next; nil when nothing waits or the clock stands.
  func nextTime(after host: HostTime) -> HostTime? { nextFrameTime(after: host) }
}
