import CellGraphics
import Pixels
import Playback

/// The frame displayed on the screen and how complete it is: a value without a player.
struct FrameDisplay {
  /// True if the whole frame has been sent. A slow terminal receives a frame in parts.
  enum Delivery { case whole, partial }

  /// True if the displayed frame may arrive again, because another size was requested or the pane was hidden. Other frames in
  /// flight may arrive first, and with several sizes it may arrive several times.
  private enum Rescaling { case none, expected, done }

  private(set) var frame: RenderedFrame?
  private(set) var delivery = Delivery.whole
  private var rescaling = Rescaling.none
  /// When the frame was displayed.
  private var shownAt: HostTime = 0

  /// A frame displayed this long gets full detail even during playback: one frame in four seconds, or a stall.
  private static let standing: HostTime = 250_000_000

  /// Records that another frame size, or none, has been requested.
  mutating func didChangeRequest() { rescaling = .expected }

  /// Displays a frame.
  ///
  /// - Returns: True if it is the previous frame in another size.
  mutating func show(_ new: RenderedFrame, _ delivery: Delivery, at now: HostTime) -> Bool {
    let isSame = frame?.timing.pts == new.timing.pts
    let isRescaled = isSame && (rescaling != .none || frame?.request != new.request)
    if isRescaled { rescaling = .done } else if rescaling == .done { rescaling = .none }
    frame = new
    shownAt = now
    self.delivery = delivery
    return isRescaled
  }

  /// Shows nothing until another frame arrives.
  mutating func hide() { frame = nil }

  /// True if the frame has been displayed for a while.
  func isStanding(at now: HostTime) -> Bool { now - shownAt >= Self.standing }

  /// Host time at which `isStanding` becomes true; nil if it already is.
  func restTime(after now: HostTime) -> HostTime? { isStanding(at: now) ? nil : shownAt + Self.standing }

  /// Records that the whole frame has been sent.
  mutating func didDeliver() { delivery = .whole }

  /// The placement of the frame on the grid, scaled coarsely if it was made for another pane size.
  ///
  /// - Parameters:
  ///   - image: An image of the frame's size to show instead; nil for the frame itself.
  ///   - current: The request for frames, whose box may be smaller than the cells; nil if it fills them.
  func layer(
    of image: PixelImage? = nil, in cells: CellRect, gravity: Gravity, blitter: Blitter, current: RenderRequest? = nil
  ) -> FrameLayer? {
    guard let frame, !cells.isEmpty else { return nil }
    let box = blitter.pixelSize(ofCells: cells.size)
    var rect = frame.rect
    if frame.request == current {
      rect.x += (box.width - frame.request.box.width) / 2
      rect.y += (box.height - frame.request.box.height) / 2
    } else if frame.request.box != box {
      // The same frame placed in the new box by the same rule.
      let aspect = Double(rect.width) * frame.request.pixelAspect / Double(max(1, rect.height))
      rect = FrameGeometry(
        aspect: aspect, box: box, pixelAspect: frame.request.pixelAspect,
        gravity: gravity == .resizeAspect ? .resizeAspect : .resize).imageRect
    }
    return FrameLayer(image: image ?? frame.image, cells: cells, imageRect: rect)
  }
}
