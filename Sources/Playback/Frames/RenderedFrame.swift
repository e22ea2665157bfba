import Pixels

/// A request to render frames: the output size, and how a frame fills it.
public struct RenderRequest: Hashable, Sendable {
  /// The output size in pixels; sides outside 1…16384 count as the nearest of these.
  public var box: PixelSize
  /// Width divided by height of one output pixel; above 0.
  public var pixelAspect: Double
  /// The way the frame fills the box.
  public var gravity: Gravity
  /// The visible part of the frame, which is laid out as if it were the whole.
  public var region: FrameRegion
  /// The way the frame is enlarged. With `.nearest`, the region is exact to a pixel as well.
  public var magnification = MagnificationFilter.smooth
  /// True to render a transparent frame with its opacity, to be drawn over another image. Otherwise it is drawn over a
  /// chequerboard.
  public var keepsOpacity = false
  /// True to keep the decoded pixels with the image, for `PairDifferencer`. They count as memory of cached frames.
  public var keepsPixels = false

  /// Creates a request; by default for the whole frame and square pixels.
  public init(
    box: PixelSize, pixelAspect: Double = 1, gravity: Gravity = .resizeAspect, region: FrameRegion = .whole
  ) {
    self.box = box
    self.pixelAspect = pixelAspect
    self.gravity = gravity
    self.region = region
  }
}

/// A frame scaled for a request.
public struct RenderedFrame: Sendable {
  /// The pixels; the size is that of `rect`.
  public var image: PixelImage
  /// The image's rectangle in the request's box.
  public var rect: PixelRect
  /// The request that the frame was rendered for.
  public var request: RenderRequest
  /// The frame's timing.
  public var timing: FrameTiming
  /// True for a frame on the way to a moving seek target.
  public var isApproximate = false
  /// The decoded pixels, if they were requested.
  var kept: KeptPixels?

  /// Creates a frame that is not approximate.
  public init(image: PixelImage, rect: PixelRect, request: RenderRequest, timing: FrameTiming) {
    self.image = image
    self.rect = rect
    self.request = request
    self.timing = timing
  }
}
