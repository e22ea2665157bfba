import CellGraphics
import Pixels
import Playback

/// A measurement of a pane's frames, drawn in its upper right corner. Screen thread only.
final class PaneScope {
  let scope: FrameScope
  private let output: VideoOutput
  private var image: PixelImage?
  private(set) var rect: CellRect?

  /// The share of a pane's sides that it takes, and its sides in cells.
  private static let share = 0.4
  private static let widths = 16...48
  private static let heights = 5...14

  /// - Parameter wake: Called from any thread when there is something new to show.
  init(_ scope: FrameScope, _ player: Player, wake: @escaping @Sendable () -> Void) {
    self.scope = scope
    output = VideoOutput(player)
    output.setWaker(wake)
  }

  /// Requests measurements of the visible part of frames; nil measures nothing.
  func request(_ region: FrameRegion?, in body: CellRect?, pixelAspect: Double, blitter: Blitter) {
    guard let region, let body, body.width > Self.widths.lowerBound, body.height > Self.heights.lowerBound + 1 else {
      rect = nil
      return output.request = nil
    }
    func side(_ whole: Int, _ range: ClosedRange<Int>) -> Int {
      min(max(Int(Double(whole) * Self.share), range.lowerBound), range.upperBound, whole)
    }
    let size = CellSize(width: side(body.width, Self.widths), height: side(body.height, Self.heights))
    rect = CellRect(x: body.maxX - size.width, y: body.y, width: size.width, height: size.height)
    var request = RenderRequest(box: blitter.pixelSize(ofCells: size), pixelAspect: pixelAspect, gravity: .resize, region: region)
    request.scope = scope
    output.request = request
  }

  /// Takes a new measurement. Returns true if there was one.
  func take(at now: HostTime) -> Bool {
    guard let (frame, _) = output.copyFrame(at: now), frame.request == output.request else { return false }
    image = frame.image
    return true
  }

  func layer() -> FrameLayer? {
    guard let rect, let image else { return nil }
    return FrameLayer(image: image, cells: rect, imageRect: PixelRect(size: image.size))
  }
}
