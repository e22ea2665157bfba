import Playback

// guide: pairs
/// Shows the difference of two players' frames.
public final class DifferenceView {
  private let output: PairedOutput
  private let differencer = PairDifferencer()
  private var settings = DifferenceRequest(size: PixelSize(width: 640, height: 360))

  public init(_ reference: Player, _ player: Player) {
    output = PairedOutput(reference, player)
    var request = RenderRequest(box: settings.size, gravity: .resize)
    request.keepsPixels = true
    output.requests = (request, request)
    settings.gain = 8
    settings.style = .heat
  }

  /// To be called at each refresh of the display.
  public func refresh(at now: HostTime, draw: (PixelImage) -> Void) throws {
    guard let pair = output.copyPair(at: now), let difference = try differencer.difference(pair, settings) else { return }
    draw(difference.image)
    output.didShow(pair, at: now)
  }
}
// end
