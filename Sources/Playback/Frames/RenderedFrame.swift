import Pixels

/// What a player is to make of each frame: the pixels at hand and how they are to be filled.
public struct RenderRequest: Hashable, Sendable {
  /// The pane in pixels; at least 1×1.
  public var box: PixelSize
  /// Width over height of one of the box's pixels; above 0.
  public var pixelAspect: Double
  /// How the frame fills the box.
  public var gravity: Gravity
  /// The part of the frame that is to be seen, which is laid out as if it were all.
  public var region: FrameRegion
  /// Whether the image of a transparent frame comes with its opacity, to be laid over another. Otherwise it lies over a
  /// chequerboard.
  public var keepsOpacity = false

  /// A request with square pixels, unless told otherwise, for the whole frame to be seen.
  public init(
    box: PixelSize, pixelAspect: Double = 1, gravity: Gravity = .resizeAspect, region: FrameRegion = .whole
  ) {
    self.box = box
    self.pixelAspect = pixelAspect
    self.gravity = gravity
    self.region = region
  }
}

/// A frame scaled for its pane.
public struct RenderedFrame: Sendable {
  /// The pixels, `rect.size` of them.
  public var image: PixelImage
  /// Where the image lies in the request's box.
  public var rect: PixelRect
  /// What it was made for.
  public var request: RenderRequest
  /// When the frame is shown.
  public var timing: FrameTiming
  /// Shown on the way to another one, while the target of a seek is moving.
  public var isApproximate = false

  /// A frame that is not approximate.
  public init(image: PixelImage, rect: PixelRect, request: RenderRequest, timing: FrameTiming) {
    self.image = image
    self.rect = rect
    self.request = request
    self.timing = timing
  }
}
