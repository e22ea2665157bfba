/// Where a picture comes to lie in a box of pixels that need not be square, and how large it is scaled.
public struct PictureGeometry: Hashable, Sendable {
  /// Size of the scaled (and turned) image: what is to be made.
  public var imageSize: PixelSize
  /// Where that image lies in the box, in the box's pixels; never sticks out.
  public var imageRect: PixelRect
  /// The part of the displayed picture that is seen, as fractions of its sides: x, y, width, height.
  public var visible: (x: Double, y: Double, width: Double, height: Double) {
    (visibleX, visibleY, visibleWidth, visibleHeight)
  }
  private var visibleX = 0.0
  private var visibleY = 0.0
  private var visibleWidth = 1.0
  private var visibleHeight = 1.0

  /// Lays out a picture.
  ///
  /// - Parameters:
  ///   - aspect: width over height of the picture as it is to be seen (pixel shape and turning applied).
  ///   - box: the pixels at hand; at least 1×1.
  ///   - pixelAspect: width over height of one pixel of the box; 1 for square ones.
  ///   - gravity: what to do when the shapes differ.
  public init(aspect: Double, box: PixelSize, pixelAspect: Double, gravity: Gravity) {
    let box = PixelSize(width: max(1, box.width), height: max(1, box.height))
    let aspect = aspect.isFinite && aspect > 0 ? aspect : 1
    // The picture's shape counted in pixels of the box.
    let shape = aspect / (pixelAspect.isFinite && pixelAspect > 0 ? pixelAspect : 1)
    let boxShape = Double(box.width) / Double(box.height)
    var size = box
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
        visibleWidth = boxShape / shape
        visibleX = (1 - visibleWidth) / 2
      } else {
        visibleHeight = shape / boxShape
        visibleY = (1 - visibleHeight) / 2
      }
    }
    imageSize = size
    imageRect = PixelRect(
      x: (box.width - size.width) / 2, y: (box.height - size.height) / 2,
      width: size.width, height: size.height)
  }
}
