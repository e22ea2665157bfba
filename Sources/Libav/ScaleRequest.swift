import Pixels

/// What picture is wanted from a decoded frame.
public struct ScaleRequest: Hashable, Sendable {
  /// Size of the image that comes out, after turning.
  public var size: PixelSize
  /// The part of the displayed picture to take, as fractions of its sides.
  public var cropX: Double
  public var cropY: Double
  public var cropWidth: Double
  public var cropHeight: Double
  public var orientation: Orientation

  public init(size: PixelSize, orientation: Orientation = .upright) {
    self.size = size
    self.orientation = orientation
    (cropX, cropY, cropWidth, cropHeight) = (0, 0, 1, 1)
  }

  public init(geometry: PictureGeometry, orientation: Orientation) {
    self.init(size: geometry.imageSize, orientation: orientation)
    (cropX, cropY, cropWidth, cropHeight) = geometry.visible
  }

  /// Size of the image before turning.
  var sizeBeforeTurning: PixelSize {
    orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// The crop in pixels of the undisplayed, unturned source, on multiples of `alignment`.
  func sourceCrop(of source: PixelSize, alignment: Int) -> PixelRect {
    // Where the displayed rectangle comes from: turn back, then mirror back.
    var (x, y, w, h) = (cropX, cropY, cropWidth, cropHeight)
    switch orientation.quarterTurns {
    case 1: (x, y, w, h) = (cropY, 1 - cropX - cropWidth, cropHeight, cropWidth)
    case 2: (x, y) = (1 - cropX - cropWidth, 1 - cropY - cropHeight)
    case 3: (x, y, w, h) = (1 - cropY - cropHeight, cropX, cropHeight, cropWidth)
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
