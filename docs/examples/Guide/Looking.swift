import Playback

// guide: looking
/// Shows one player's frames in two sizes.
public final class TwoViews {
  private let player: Player
  private let views: [VideoOutput]

  public init(_ player: Player) {
    self.player = player
    views = [
      VideoOutput(player, request: RenderRequest(box: PixelSize(width: 160, height: 90))),
      VideoOutput(player, request: RenderRequest(box: PixelSize(width: 90, height: 90), gravity: .resizeAspectFill)),
    ]
  }

  /// To be called at each refresh of the display, with what draws an image at its place in a view.
  public func refresh(draw: (_ view: Int, PixelImage, PixelRect) -> Void) {
    let now = player.hostTime
    for (number, view) in views.enumerated() {
      guard let (frame, due) = view.copyFrame(at: now) else { continue }
      draw(number, frame.image, frame.rect)
      view.didShow(due: due, at: now)
    }
  }
}
// end
