import Playback

// guide: scrubbing
/// Lets a bar be dragged.
public struct Scrubber {
  let player: Player

  /// To be called as often as the pointer moves; `fraction` is its place on the bar, 0…1.
  public func drag(to fraction: Double) { player.seek(to: player.duration * fraction) }

  /// To be called when the pointer is released.
  public func drop(at fraction: Double) async -> SeekResult {
    await player.seek(to: player.duration * fraction, toleranceBefore: .zero, toleranceAfter: .zero)
  }
}
// end

extension Scrubber {
  public init(_ player: Player) { self.player = player }
}
