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
  /// The shapes with which to keep the image as cells (`PixelImage.cells`) instead of pixels: the box has 4×8 for each cell. Nil
  /// to keep pixels.
  public var shapes: CellShapes?
  /// The part of the coded values to show. Computed frames, and what movies draw themselves, always show their picture.
  public var plane = FramePlane.picture
  /// The fields to show.
  public var fields = FrameFields.automatic
  /// A measurement to draw in the whole box instead of the frame: of the lines of both fields, in the visible region; nil for
  /// the frame itself. Computed frames always show themselves.
  public var scope: FrameScope?

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
  /// The decoder's facts about the frame; nil if it was computed, or composed of several.
  public var facts: FrameFacts?
  /// The loudness of the sound before the frame, for a clip that has only sound; nil for others.
  public var loudness: Loudness?
  /// True for a frame on the way to a moving seek target.
  public var isApproximate = false
  /// The decoded pixels, if they were requested.
  var kept: KeptPixels?

  /// Creates a frame that is not approximate.
  public init(image: PixelImage, rect: PixelRect, request: RenderRequest, timing: FrameTiming, facts: FrameFacts? = nil) {
    self.image = image
    self.rect = rect
    self.request = request
    self.timing = timing
    self.facts = facts
  }
}

extension RenderedFrame {
  /// Creates a frame that shows a measurement in the whole box of a request.
  init(
    measuring request: RenderRequest, timing: FrameTiming, facts: FrameFacts? = nil, _ draw: (PixelSize) throws -> PixelImage
  ) rethrows {
    // As large as the box of a frame may be, and never empty.
    let geometry = FrameGeometry(aspect: 1, box: request.box, pixelAspect: request.pixelAspect, gravity: .resize)
    self.init(
      image: try draw(geometry.imageSize), rect: geometry.imageRect, request: request, timing: timing, facts: facts)
  }
}
