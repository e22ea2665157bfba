/// The scaled size and position of a frame in a box whose pixels need not be square.
public struct FrameGeometry: Hashable, Sendable {
  /// Size of the scaled (and rotated) image to produce.
  public var imageSize: PixelSize
  /// Position of that image in the box, in the box's pixels; always inside the box.
  public var imageRect: PixelRect
  /// The part of the frame that is visible.
  public var visible: FrameRegion

  /// The longest side of an image that is rendered, as of frames that are decoded.
  package static let maxSide = 16_384

  /// Lays out a frame, or a region of one.
  ///
  /// - Parameters:
  ///   - aspect: width divided by height of the whole frame as displayed (pixel shape and rotation applied).
  ///   - region: the part of the frame that is laid out as if it were the whole.
  ///   - box: the available pixels; sides outside 1…16384 count as the nearest of these.
  ///   - pixelAspect: width divided by height of a pixel of the box; 1 for square pixels.
  ///   - gravity: how to resolve a difference in shape.
  public init(
    aspect: Double, region: FrameRegion = .whole, box: PixelSize, pixelAspect: Double, gravity: Gravity
  ) {
    let box = PixelSize(width: min(max(1, box.width), Self.maxSide), height: min(max(1, box.height), Self.maxSide))
    let aspect = (aspect.isFinite && aspect > 0 ? aspect : 1) * region.width / region.height
    // Its shape counted in pixels of the box.
    let shape = aspect / (pixelAspect.isFinite && pixelAspect > 0 ? pixelAspect : 1)
    let boxShape = Double(box.width) / Double(box.height)
    var size = box
    visible = region
    switch gravity {
    case .resize:
      break
    case .resizeAspect:
      if shape > boxShape {
        size.height = min(box.height, max(1, Int(saturating: (Double(box.width) / shape).rounded())))
      } else {
        size.width = min(box.width, max(1, Int(saturating: (Double(box.height) * shape).rounded())))
      }
    case .resizeAspectFill:
      if shape > boxShape {
        let width = boxShape / shape
        visible = region.part(x: (1 - width) / 2, y: 0, width: width, height: 1)
      } else {
        let height = shape / boxShape
        visible = region.part(x: 0, y: (1 - height) / 2, width: 1, height: height)
      }
    }
    imageSize = size
    imageRect = PixelRect(
      x: (box.width - size.width) / 2, y: (box.height - size.height) / 2,
      width: size.width, height: size.height)
  }
}
