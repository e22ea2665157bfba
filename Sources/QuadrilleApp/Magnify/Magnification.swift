import Pixels
import Playback
import Terminal

/// The part of a frame that a pane shows, and its scale: a value without a player.
public struct Magnification: Equatable, Sendable {
  /// A position in a frame, as fractions of its sides from the top left.
  public struct Point: Equatable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double = 0.5, y: Double = 0.5) { (self.x, self.y) = (x, y) }
  }

  public enum Scale: Equatable, Sendable {
    /// The whole frame, as the pane's gravity says.
    case fit
    /// Every pixel of the clip covers this many pixels of the pane in each direction.
    ///
    /// - Parameter grid: The frame size of the pane that sets the scale for all linked ones, which show the same part; nil
    ///   for the pane's own.
    case pixels(Int, grid: PixelSize? = nil)
    /// A part of the frame in its own pixels, fitted as if it were the whole.
    case crop(PixelRect)
  }

  public var scale = Scale.fit
  public var center = Point()
  /// The way to enlarge; nil for that of the scale: at 1:1 and above, the clip's pixels are shown as they are.
  public var filter: MagnificationFilter?

  public init() {}

  /// The factors that keys go through after `fit`.
  static let factors = [1, 2, 4, 8]
  /// The factors that options accept.
  public static let validFactors = 1...32

  /// True if the whole frame is shown.
  var isFit: Bool { scale == .fit }

  /// The number of pixels of the pane that a pixel of the clip covers in each direction; nil if it is not set.
  var factor: Int? {
    if case .pixels(let factor, _) = scale { return factor }
    return nil
  }

  /// The factor some steps away: `fit` (nil) is followed by the smallest. It wraps around if `wraps`, else stops at the ends.
  func factor(steps: Int, wraps: Bool) -> Int? {
    let all: [Int?] = [nil] + Self.factors
    let current = all.firstIndex { $0 == factor } ?? all.lastIndex { ($0 ?? 0) <= factor ?? 0 } ?? 0
    let next = current + steps
    return all[wraps ? (next % all.count + all.count) % all.count : min(max(next, 0), all.count - 1)]
  }
}

/// A frame's size and shape, and the pane's box for it.
struct MagnificationStage: Equatable {
  /// The frame's size in its own pixels, upright.
  var frame: PixelSize
  /// Width divided by height of the frame as displayed.
  var aspect: Double
  /// The pane's box in pixels.
  var box: PixelSize
  /// Width divided by height of a pixel of the box.
  var pixelAspect: Double
  var gravity: Gravity

  /// Pixels of a frame that a pixel of the box covers at 1:1. More than one only for boxes with oblong pixels.
  private var step: (across: Int, down: Int) {
    (max(1, Int(saturating: pixelAspect.rounded())), max(1, Int(saturating: (1 / pixelAspect).rounded())))
  }

  /// The request for a part of the frame. Its box is smaller than the pane's if the frame does not fill that.
  func request(_ magnification: Magnification) -> RenderRequest {
    var request = RenderRequest(box: box, pixelAspect: pixelAspect, gravity: gravity)
    switch magnification.scale {
    case .fit:
      guard gravity == .resizeAspectFill, magnification.center != .init() else { break }
      // The same part as the gravity's, around another centre.
      request.region = region(of: visible(.whole), around: magnification.center)
      request.gravity = .resize
    case .pixels(let factor, let grid):
      let grid = grid ?? frame
      let across = span(box.width * step.across, grid.width, factor, magnification.center.x)
      let down = span(box.height * step.down, grid.height, factor, magnification.center.y)
      request.region = FrameRegion(x: across.start, y: down.start, width: across.length, height: down.length)
      request.box = PixelSize(
        width: min(box.width, max(1, across.shown / step.across)), height: min(box.height, max(1, down.shown / step.down)))
      request.gravity = .resize
      request.magnification = magnification.filter ?? .nearest
    case .crop(let rect):
      request.region = FrameRegion(rect, of: frame)
      request.magnification = magnification.filter ?? .smooth
    }
    return request
  }

  /// A stretch of a frame's side, as fractions of it, and the number of box pixels that show it.
  private func span(_ available: Int, _ length: Int, _ factor: Int, _ center: Double) -> (start: Double, length: Double, shown: Int) {
    let count = (available + factor - 1) / factor
    guard count < length else { return (0, 1, length.saturatingMultiply(factor)) }
    let first = min(max(0, Int(saturating: (center * Double(length) - Double(count) / 2).rounded())), length - count)
    return (Double(first) / Double(length), Double(count) / Double(length), available)
  }

  /// The part of `region` that the gravity leaves visible.
  private func visible(_ region: FrameRegion) -> FrameRegion {
    FrameGeometry(aspect: aspect, region: region, box: box, pixelAspect: pixelAspect, gravity: gravity).visible
  }

  private func region(of size: FrameRegion, around center: Magnification.Point) -> FrameRegion {
    FrameRegion(x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
  }

  /// The part of the frame that is visible.
  func visiblePart(_ magnification: Magnification) -> FrameRegion {
    let request = request(magnification)
    return FrameGeometry(
      aspect: aspect, region: request.region, box: request.box, pixelAspect: pixelAspect, gravity: request.gravity).visible
  }

  /// The same magnification with a centre that needs no clamping.
  func centered(_ magnification: Magnification) -> Magnification {
    let part = visiblePart(magnification)
    var result = magnification
    if magnification.scale != .fit || gravity == .resizeAspectFill {
      result.center = .init(x: part.x + part.width / 2, y: part.y + part.height / 2)
    }
    return result
  }

  /// Moves the visible part by fractions of its own size.
  func panned(_ magnification: Magnification, x: Double, y: Double) -> Magnification {
    let part = visiblePart(magnification)
    var result = magnification
    // At least a pixel.
    func step(_ fraction: Double, _ length: Double, _ pixels: Int) -> Double {
      fraction == 0 ? 0 : max(abs(fraction) * length, 1 / Double(max(1, pixels))) * (fraction < 0 ? -1 : 1)
    }
    let (dx, dy) = (step(x, part.width, frame.width), step(y, part.height, frame.height))
    result.center = .init(x: part.x + part.width / 2 + dx, y: part.y + part.height / 2 + dy)
    return centered(moved(result))
  }

  /// Moves the visible part so that a point of the frame appears at a place of it, given as fractions of the part.
  func moved(_ magnification: Magnification, point: Magnification.Point, to place: Magnification.Point) -> Magnification {
    let part = visiblePart(magnification)
    var result = magnification
    result.center = .init(
      x: point.x + (0.5 - place.x) * part.width, y: point.y + (0.5 - place.y) * part.height)
    return centered(moved(result))
  }

  /// Moves a crop to its centre.
  private func moved(_ magnification: Magnification) -> Magnification {
    guard case .crop(var rect) = magnification.scale else { return magnification }
    func start(_ center: Double, _ length: Int, _ total: Int) -> Int {
      min(max(0, Int(saturating: (center * Double(total) - Double(length) / 2).rounded())), max(0, total - length))
    }
    rect.x = start(magnification.center.x, rect.width, frame.width)
    rect.y = start(magnification.center.y, rect.height, frame.height)
    var result = magnification
    result.scale = .crop(rect)
    return result
  }

  /// True if there is more of the frame than is visible.
  func canPan(_ magnification: Magnification) -> Bool {
    let part = visiblePart(magnification)
    return part.width < 1 || part.height < 1
  }

  /// The scale for the title, such as "2:1"; nil for `fit`.
  func label(_ magnification: Magnification) -> TerminalText? {
    switch magnification.scale {
    case .fit: return nil
    case .crop: return "crop"
    case .pixels(let factor, let grid):
      let own = Double(factor) * Double((grid ?? frame).width) / Double(max(1, frame.width))
      return "\(PaneText.decimal((own * 100).rounded() / 100)):1"
    }
  }
}

extension FrameRegion {
  fileprivate init(_ rect: PixelRect, of frame: PixelSize) {
    let (width, height) = (Double(max(1, frame.width)), Double(max(1, frame.height)))
    self.init(
      x: Double(rect.x) / width, y: Double(rect.y) / height, width: Double(rect.width) / width, height: Double(rect.height) / height)
  }
}
