/// Where a frame comes to lie in a box of pixels that need not be square, and how large it is scaled.
public struct FrameGeometry: Hashable, Sendable {
  /// Size of the scaled (and turned) image: what is to be made.
  public var imageSize: PixelSize
  /// Where that image lies in the box, in the box's pixels; never sticks out.
  public var imageRect: PixelRect
  /// The part of the frame that is seen.
  public var visible: FrameRegion

  /// Lays out a frame, or a part of one.
  ///
  /// - Parameters:
  ///   - aspect: width over height of the whole frame as it is to be seen (pixel shape and turning applied).
  ///   - region: the part of it that is laid out as if it were all.
  ///   - box: the pixels at hand; at least 1×1.
  ///   - pixelAspect: width over height of one pixel of the box; 1 for square ones.
  ///   - gravity: what to do when the shapes differ.
  public init(
    aspect: Double, region: FrameRegion = .whole, box: PixelSize, pixelAspect: Double, gravity: Gravity
  ) {
    let box = PixelSize(width: max(1, box.width), height: max(1, box.height))
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
        size.height = min(box.height, max(1, Int((Double(box.width) / shape).rounded())))
      } else {
        size.width = min(box.width, max(1, Int((Double(box.height) * shape).rounded())))
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
