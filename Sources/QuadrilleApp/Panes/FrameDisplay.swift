import CellGraphics
import Pixels
import Playback

/// The frame of a clip that is on the screen, and how much of it is there: a value without a player.
struct FrameDisplay {
  /// Whether all of the frame is on the screen. A terminal that takes little at a time gets one in parts.
  enum Delivery { case whole, partial }

  /// Whether the displayed frame may come once more because another size was asked for, or because the pane was
  /// hidden. Others that are under way may come before it, and with several sizes it may come several times.
  private enum Rescaling { case none, expected, done }

  private(set) var frame: RenderedFrame?
  private(set) var delivery = Delivery.whole
  private var rescaling = Rescaling.none
  /// When the frame was put on the screen.
  private var shownAt: HostTime = 0

  /// A frame that stands for so long is looked at closely, though its player plays on: a frame in four seconds, a stall.
  private static let standing: HostTime = 250_000_000

  /// Frames of another size have been asked for, or none.
  mutating func didChangeRequest() { rescaling = .expected }

  /// Puts a frame on the screen.
  ///
  /// - Returns: whether it is the one that was there before, only scaled again.
  mutating func show(_ new: RenderedFrame, _ delivery: Delivery, at now: HostTime) -> Bool {
    let isSame = frame?.timing.pts == new.timing.pts
    let isRescaled = isSame && (rescaling != .none || frame?.request != new.request)
    if isRescaled { rescaling = .done } else if rescaling == .done { rescaling = .none }
    frame = new
    shownAt = now
    self.delivery = delivery
    return isRescaled
  }

  /// Shows nothing until another frame comes.
  mutating func hide() { frame = nil }

  /// Whether the frame has been there for a while.
  func isStanding(at now: HostTime) -> Bool { now - shownAt >= Self.standing }

  /// When `isStanding` will be true; nil when it is already.
  func restTime(after now: HostTime) -> HostTime? { isStanding(at: now) ? nil : shownAt + Self.standing }

  /// All of the frame has been sent.
  mutating func didDeliver() { delivery = .whole }

  /// Where the frame goes on the grid, scaled roughly when it was made for a pane of another size.
  ///
  /// - Parameter image: one of the frame's size that is to be seen in its place; nil for the frame's own.
  func layer(of image: PixelImage? = nil, in cells: CellRect, gravity: Gravity, blitter: Blitter) -> FrameLayer? {
    guard let frame, !cells.isEmpty else { return nil }
    let box = blitter.pixelSize(ofCells: cells.size)
    var rect = frame.rect
    if frame.request.box != box {
      // The same frame in the new box, by the same rule.
      let aspect = Double(rect.width) * frame.request.pixelAspect / Double(max(1, rect.height))
      rect = FrameGeometry(
        aspect: aspect, box: box, pixelAspect: frame.request.pixelAspect,
        gravity: gravity == .resizeAspect ? .resizeAspect : .resize).imageRect
    }
    return FrameLayer(image: image ?? frame.image, cells: cells, imageRect: rect)
  }
}
