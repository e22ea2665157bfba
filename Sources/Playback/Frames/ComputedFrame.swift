import Pixels

/// Support for sources that compute their frames, or hold them as pixels.
extension RenderRequest {
  /// Returns the layout of a frame for this request: the visible part, its scaled size and its position in the box.
  ///
  /// - Parameter size: the frame's displayed size, in square pixels.
  public func geometry(ofFrame size: PixelSize) -> FrameGeometry {
    FrameGeometry(
      aspect: Double(size.width) / Double(max(1, size.height)), region: region, box: box, pixelAspect: pixelAspect,
      gravity: gravity)
  }
}

extension PixelImage {
  /// Creates an image from a function that is called once per pixel, row by row.
  ///
  /// - Parameters:
  ///   - size: at least 1×1.
  ///   - color: returns the colour of pixel (x, y), in full-range BT.709 or sRGB. Its errors are rethrown.
  public init(
    size: PixelSize, color: (_ x: Int, _ y: Int) throws -> (red: UInt8, green: UInt8, blue: UInt8)
  ) rethrows {
    try self.init(size: size) { (bytes: UnsafeMutableBufferPointer<UInt8>) in
      var i = 0
      for y in 0..<size.height {
        for x in 0..<size.width {
          (bytes[i], bytes[i + 1], bytes[i + 2]) = try color(x, y)
          i += 3
        }
      }
    }
  }

  /// Creates an image of a part of a frame with computed colours.
  fileprivate init(
    size: PixelSize, of part: FrameRegion,
    color: (_ x: Double, _ y: Double) throws -> (red: UInt8, green: UInt8, blue: UInt8)
  ) rethrows {
    let (stepX, stepY) = (part.width / Double(size.width), part.height / Double(size.height))
    try self.init(size: size) { x, y in
      try color(part.x + (Double(x) + 0.5) * stepX, part.y + (Double(y) + 0.5) * stepY)
    }
  }
}

extension RenderedFrame {
  /// Creates a frame with computed colours, laid out for the request.
  ///
  /// - Parameters:
  ///   - size: the frame's displayed size, in square pixels.
  ///   - color: returns the colour at a position of the frame, in full-range BT.709 or sRGB. x runs from 0 at the left edge
  ///     to 1 at the right, and y from 0 at the top to 1 at the bottom. Called once per pixel, with its centre. Its errors
  ///     are rethrown.
  public init(
    for request: RenderRequest, size: PixelSize, timing: FrameTiming,
    color: (_ x: Double, _ y: Double) throws -> (red: UInt8, green: UInt8, blue: UInt8)
  ) rethrows {
    let geometry = request.geometry(ofFrame: size)
    self.init(
      image: try PixelImage(size: geometry.imageSize, of: geometry.visible, color: color), rect: geometry.imageRect,
      request: request, timing: timing)
  }
}

extension Still {
  /// Creates a still with computed colours.
  ///
  /// - Parameters:
  ///   - maximumSize: in pixels; a side of 0 is unconstrained. The still is never larger than `size`.
  ///   - size: the frame's displayed size, in square pixels.
  ///   - color: as for `RenderedFrame`.
  public init(
    maximumSize: PixelSize, size: PixelSize, timing: FrameTiming,
    color: (_ x: Double, _ y: Double) throws -> (red: UInt8, green: UInt8, blue: UInt8)
  ) rethrows {
    self.init(
      image: try PixelImage(size: Self.size(of: size, maximum: maximumSize), of: .whole, color: color),
      timing: timing)
  }
}
