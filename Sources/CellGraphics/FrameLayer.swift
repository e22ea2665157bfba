import Pixels

/// An image and its position on the grid.
public struct FrameLayer: Sendable {
  public var image: PixelImage
  /// The part of the grid that belongs to the image, in cells; anything outside the grid is not drawn.
  public var cells: CellRect
  /// The image's rectangle in the blitter's pixels, relative to the top left corner of `cells`; cropped to `cells`.
  ///
  /// If the size differs from the image's, the image is scaled by nearest neighbour, as a stopgap until one of the right
  /// size arrives.
  public var imageRect: PixelRect
  /// The colour of the pixels of `cells` that the image does not cover.
  public var backdrop: CellColor
  /// The blitter that draws the image; nil for that of the screen.
  public var blitter: Blitter?

  public init(
    image: PixelImage, cells: CellRect, imageRect: PixelRect, backdrop: CellColor = .rgb(0, 0, 0), blitter: Blitter? = nil
  ) {
    self.image = image
    self.cells = cells
    self.imageRect = imageRect
    self.backdrop = backdrop
    self.blitter = blitter
  }

  /// Returns the part of `cells` that the image covers, including partly covered cells.
  ///
  /// - Parameter blitter: that of the screen.
  public func imageCells(_ blitter: Blitter) -> CellRect {
    let blitter = self.blitter ?? blitter
    let (wide, high) = (blitter.blockWidth, blitter.blockHeight)
    let left = max(0, imageRect.x) / wide, top = max(0, imageRect.y) / high
    let right = min((imageRect.maxX + wide - 1) / wide, cells.width)
    let bottom = min((imageRect.maxY + high - 1) / high, cells.height)
    return CellRect(x: cells.x + left, y: cells.y + top, width: max(0, right - left), height: max(0, bottom - top))
  }
}

extension FrameLayer {
  /// Writes `width` pixels as 0x00RRGGBB, from (x, y) in blitter pixels relative to `cells`, into `row`.
  ///
  /// For a scaled image, `sourceX` gives the byte offset in an image row for each of those pixels.
  func fetchRow(
    y: Int, x: Int, width: Int, bytes: UnsafePointer<UInt8>, sourceX: UnsafePointer<Int32>,
    backdrop: UInt32, into row: UnsafeMutablePointer<UInt32>
  ) {
    let left = max(0, min(width, imageRect.x - x))
    let right = max(left, min(width, imageRect.maxX - x))
    guard left < right, y >= imageRect.y, y < imageRect.maxY else {
      row.update(repeating: backdrop, count: width)
      return
    }
    row.update(repeating: backdrop, count: left)
    (row + right).update(repeating: backdrop, count: width - right)
    let sourceY =
      imageRect.height == image.height
      ? y - imageRect.y : FrameLayer.nearest(y - imageRect.y, of: imageRect.height, in: image.height)
    let source = bytes + sourceY * image.width * 3
    if imageRect.width == image.width {
      var pixel = source + (x + left - imageRect.x) * 3
      for n in left..<right {
        row[n] = UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
        pixel += 3
      }
    } else {
      for n in left..<right {
        let pixel = source + Int(sourceX[n])
        row[n] = UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
      }
    }
  }

  /// Returns which of `count` pixels contains the centre of pixel `position` of `scaled`.
  @inline(__always)
  package static func nearest(_ position: Int, of scaled: Int, in count: Int) -> Int {
    (2 * position + 1) * count / (2 * scaled)
  }
}
