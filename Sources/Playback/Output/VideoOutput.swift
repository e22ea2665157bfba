import Pixels
import Synchronization

/// A view of a player's frames in its own size and shape, polled by its owner.
///
/// Like AVPlayerItemVideoOutput. A player may have any number of outputs: each frame is decoded once, and scaled once per
/// distinct size. Safe to use from any thread. Retains its player; the player does not retain its outputs.
public final class VideoOutput: Sendable {
  /// The player whose frames the output returns; retained by the output.
  public let player: Player
  private let id: Int

  /// Creates an output of a player.
  ///
  /// - Parameter request: how to render frames; nil while they are not displayed.
  public init(_ player: Player, request: RenderRequest? = nil) {
    self.player = player
    id = player.addOutput()
    if let request { self.request = request }
  }

  deinit { player.removeOutput(id) }

  /// The request to render frames for; nil while they are not displayed.
  ///
  /// While all outputs of a player have nil, the player decodes nothing and only its clock runs; without a clock
  /// (`Player.isUntimed`) it waits. An output with a request must take due frames: the player reaches its end only then.
  ///
  /// On a change, the frame on display is rendered again: immediately if its decoded frame is still available, as it is
  /// while paused after a seek, otherwise after decoding it once more. Until then, it may be shown in the old size.
  public var request: RenderRequest? {
    get { player.read { core, _ in core.outputs.request(of: id) } }
    set { player.setRequest(newValue, of: id) }
  }

  /// True if `copyFrame(at:)` would return a frame that is already on display but has not been taken.
  public var hasNewFrame: Bool {
    player.read { core, _ in core.newFrame(for: id) != nil }
  }

  /// Returns the newest frame due at `host` and its due time, unless this output has already taken it.
  ///
  /// Earlier frames that were also due are dropped. Each output takes frames independently.
  ///
  /// - Parameter host: the host time at which the frame will be visible; `Player.hostTime` or a little later.
  /// - Returns: a frame that the caller may keep, with the host time at which it was due.
  public func copyFrame(at host: HostTime) -> (frame: RenderedFrame, due: HostTime)? {
    player.followSound(at: host.withinReach)
    return player.update { core, _ in core.takeFrame(for: id, at: host.withinReach) }
  }

  /// Returns when to call `copyFrame(at:)` next; nil if no frame waits or the clock is stopped.
  public func nextFrameTime(after host: HostTime) -> HostTime? {
    player.read { core, _ in core.nextFrameHost(for: id, after: host.withinReach) }
  }

  /// Sets a closure to call from any thread when there may be something new to show. It must be quick and must not call the
  /// player or the output. Replaces the previous one; nil ends the calls, though one may still be running.
  public func setWaker(_ wake: (@Sendable () -> Void)?) { player.setWaker(wake, of: id) }

  /// Counts a frame as shown in `Player.statistics`.
  ///
  /// - Parameters:
  ///   - due: the due time returned by `copyFrame(at:)`.
  ///   - host: the host time at which the frame was displayed.
  public func didShow(due: HostTime, at host: HostTime) {
    player.update { core, _ in core.countShown(late: host.saturatingSubtract(due)) }
  }
}
