import Synchronization

/// Where a player's frames can be looked at: in a size and shape of its own, as often as its owner likes.
///
/// The counterpart of AVPlayerItemVideoOutput. A player may have any number of outputs: each frame is decoded once, and scaled once
/// for each size that differs. Safe from any thread; keeps its player, which does not keep it.
public final class VideoOutput: Sendable {
  /// Whose frames it gives; kept as long as the output lasts.
  public let player: Player
  private let id: Int

  /// - Parameter request: what frames are to be made for; nil while nobody looks.
  public init(_ player: Player, request: RenderRequest? = nil) {
    self.player = player
    id = player.addOutput()
    if let request { self.request = request }
  }

  deinit { player.removeOutput(id) }

  /// What frames are made for; nil while nobody looks. A player decodes nothing while all its outputs are so, and plays
  /// by its clock alone; without a clock (`Player.isUntimed`) it waits. With a request, due frames are to be taken: the player comes to its end only then.
  ///
  /// A frame on display is made anew for another request: at once from what was decoded where that is kept, as it is
  /// while paused after a seek, else decoded once more. The former one may be shown in another size meanwhile.
  public var request: RenderRequest? {
    get { player.read { core, _ in core.outputs.request(of: id) } }
    set { player.setRequest(newValue, of: id) }
  }

  /// Whether `copyFrame(at:)` gives a frame that is on display already, and was not taken.
  public var hasNewFrame: Bool {
    player.read { core, _ in core.newFrame(for: id) != nil }
  }

  /// Takes the newest frame that is due at `host`, unless this output has taken it, and when it was due.
  ///
  /// Frames between that were due, too, are dropped. Each output takes frames for itself.
  ///
  /// - Parameter host: the host clock's time at which the frame will be seen; `Player.hostTime`, or a little later.
  /// - Returns: a frame that is the caller's to keep, with the host time at which it was to be shown.
  public func copyFrame(at host: HostTime) -> (frame: RenderedFrame, due: HostTime)? {
    player.update { core, _ in core.takeFrame(for: id, at: host) }
  }

  /// When to call `copyFrame(at:)` next; nil when nothing waits or the clock stands.
  public func nextFrameTime(after host: HostTime) -> HostTime? {
    player.read { core, _ in core.nextFrameHost(for: id, after: host) }
  }

  /// Calls `wake` from any thread when there may be something new to see; it must be quick and must not call the player or
  /// the output. Replaces the former one; nil ends the calls, of which one may still be under way.
  public func setWaker(_ wake: (@Sendable () -> Void)?) { player.setWaker(wake, of: id) }

  /// Counts a frame as shown in `Player.statistics`.
  ///
  /// - Parameters:
  ///   - due: as `copyFrame(at:)` gave it.
  ///   - host: the host clock's time at which it was handed over.
  public func didShow(due: HostTime, at host: HostTime) {
    player.update { core, _ in core.countShown(late: host - due) }
  }
}
