import Pixels

/// Frames for sources that compute theirs, or that hold them as pixels of their own.
extension RenderRequest {
  /// How a frame is laid out for this request: which part of it is seen, how large, and where in the box.
  ///
  /// - Parameter size: the frame's size as it is to be seen, in square pixels.
  public func geometry(ofFrame size: PixelSize) -> FrameGeometry {
    FrameGeometry(
      aspect: Double(size.width) / Double(max(1, size.height)), region: region, box: box, pixelAspect: pixelAspect,
      gravity: gravity)
  }
}

extension PixelImage {
  /// Makes an image from a function that is called once for each pixel, row by row.
  ///
  /// - Parameters:
  ///   - size: at least 1×1.
  ///   - color: of pixel (x, y), in full-range BT.709 or sRGB. Its errors pass through.
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

  /// Makes an image of a part of a frame whose colours are computed.
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
  /// Makes a frame whose colours are computed, laid out as the request says.
  ///
  /// - Parameters:
  ///   - size: the frame's size as it is to be seen, in square pixels.
  ///   - color: what is seen at a place of the frame, in full-range BT.709 or sRGB; x is 0 at its left edge and 1 at its
  ///     right one, y 0 at the top and 1 at the bottom. Called once for each pixel, with its middle. Its errors pass through.
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
  /// Makes a frame whose colours are computed.
  ///
  /// - Parameters:
  ///   - maximumSize: in pixels, of which a side of 0 is free; the frame is never made larger than `size`.
  ///   - size: the frame's size as it is to be seen, in square pixels.
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
