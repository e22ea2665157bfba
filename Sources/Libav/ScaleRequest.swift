import Pixels

/// A request for an image of a decoded frame.
public struct ScaleRequest: Hashable, Sendable {
  /// Size of the output image, after rotation.
  public var size: PixelSize
  /// The part of the displayed frame to use.
  public var region = FrameRegion.whole
  public var orientation: Orientation
  /// The way to enlarge. With `.nearest`, the region is exact to a pixel as well.
  public var magnification = MagnificationFilter.smooth
  /// True if transparent frames keep their opacity instead of being drawn over a chequerboard.
  public var keepsOpacity = false
  /// The part of the coded values to show.
  public var plane = FramePlane.picture
  /// The fields to show.
  public var fields = FrameFields.automatic

  public init(size: PixelSize, orientation: Orientation = .upright) {
    self.size = size
    self.orientation = orientation
  }

  public init(geometry: FrameGeometry, orientation: Orientation) {
    self.init(size: geometry.imageSize, orientation: orientation)
    region = geometry.visible
  }

  /// Size of the image before rotation.
  var sizeBeforeTurning: PixelSize {
    orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Returns true if the image repeats pixels of a crop of this size.
  func magnifies(_ crop: PixelSize) -> Bool {
    let target = sizeBeforeTurning
    return magnification == .nearest && crop.width <= target.width && crop.height <= target.height
  }

  /// Returns the crop in pixels of the unrotated source, which starts at multiples of `alignment`.
  func sourceCrop(of source: PixelSize, alignment: Int = 1) -> PixelRect {
    // The origin of the displayed rectangle: undo the rotation, then the mirroring.
    var (x, y, w, h) = (region.x, region.y, region.width, region.height)
    switch orientation.quarterTurns {
    case 1: (x, y, w, h) = (y, 1 - x - w, h, w)
    case 2: (x, y) = (1 - x - w, 1 - y - h)
    case 3: (x, y, w, h) = (1 - y - h, x, h, w)
    default: break
    }
    if orientation.isMirrored { x = 1 - x - w }
    func span(_ start: Double, _ length: Double, _ total: Int) -> (Int, Int) {
      if length >= 1 { return (0, total) }
      let last = max(0, total - 1)
      let from = min(max(0, Int((start * Double(total)).rounded())), last) / alignment * alignment
      let count = min(total - from, max(1, Int((length * Double(total)).rounded())))
      return (from, count)
    }
    let (left, width) = span(x, w, source.width)
    let (top, height) = span(y, h, source.height)
    return PixelRect(x: left, y: top, width: width, height: height)
  }
}
