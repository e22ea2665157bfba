import Libav
import Pixels

/// A decoded frame of a file, with its pixels as decoded.
///
/// `@unchecked Sendable`: its content never changes, so any thread may read it. It may be released on any thread, since
/// libav's reference counts are atomic. Rendering, which uses the renderer's scaler, happens only within the steps of the lane
/// that decoded it, which never overlap.
final class MovieFrame: SourceFrame, @unchecked Sendable {
  let timing: FrameTiming
  let facts: FrameFacts
  private let frame: DecodedFrame
  private let renderer: FrameRenderer

  /// - Parameter frame: contains a frame; not used by anyone else from now on.
  init(_ frame: DecodedFrame, _ timing: FrameTiming, _ renderer: FrameRenderer) {
    self.frame = frame
    self.timing = timing
    self.renderer = renderer
    facts = FrameFacts(frame)
  }

  /// The frame as decoded; do not change it.
  var decoded: DecodedFrame { frame }
  /// The orientation to apply for display.
  var orientation: Orientation { renderer.orientation }
  /// The displayed size, upright and in square pixels.
  var presentationSize: PixelSize { renderer.presentationSize(of: frame) }

  /// Returns the pixel at a displayed position, in fractions of the frame's sides; nil outside the frame.
  ///
  /// May be called from any thread, at any time: it only reads the decoded frame, which this object retains and nobody writes
  /// to. The decoder that made it may still read it, for frames that depend on it, but has finished it; its memory returns to
  /// the decoder's pool only when the last reference is gone. The renderer's scaler, which belongs to the lane, is not used.
  func probe(x: Double, y: Double) throws -> ProbedPixel? { try frame.probe(x: x, y: y, orientation: orientation) }

  /// MD5 of the decoded frame in its own pixel format, as 32 hexadecimal digits.
  func md5() throws -> String { try frame.md5() }

  func render(for request: RenderRequest) throws -> RenderedFrame {
    let geometry = request.geometry(ofFrame: renderer.presentationSize(of: frame))
    if let scope = request.scope {
      return try RenderedFrame(measuring: request, timing: timing, facts: facts) { size in
        try renderer.measure(scope, frame, region: request.region, size: size)
      }
    }
    let image = try renderer.scale(frame) { orientation in
      var scaling = ScaleRequest(geometry: geometry, orientation: orientation)
      scaling.keepsOpacity = request.keepsOpacity
      (scaling.plane, scaling.fields, scaling.magnification) = (request.plane, request.fields, request.magnification)
      return scaling
    }
    var rendered = RenderedFrame(image: image, rect: geometry.imageRect, request: request, timing: timing, facts: facts)
    if request.keepsPixels { rendered.kept = KeptPixels(pixels: try FramePixels(sharing: frame), orientation: renderer.orientation) }
    return rendered
  }

  func still(maximumSize: PixelSize) throws -> Still {
    let size = Still.size(of: renderer.presentationSize(of: frame), maximum: maximumSize)
    return Still(
      image: try renderer.scale(frame, to: { ScaleRequest(size: size, orientation: $0) }), timing: timing)
  }
}

/// Scales the frames of one track; shared by all of them, and used by one thread at a time.
final class FrameRenderer {
  private let scaler = Scaler()
  private lazy var scopes = FrameScopes()
  let orientation: Orientation
  /// The pixel aspect ratio to use if the codec does not specify one.
  private let sampleAspectRatio: Ratio

  init(_ track: AssetTrack) {
    orientation = track.orientation
    sampleAspectRatio = track.sampleAspectRatio
  }

  /// Returns a frame's displayed size, in square pixels.
  func presentationSize(of frame: DecodedFrame) -> PixelSize {
    AssetTrack.presentationSize(frame.size, frame.sampleAspectRatio ?? sampleAspectRatio, orientation)
  }

  /// - Throws: `AVError` if libswscale does not know the pixel format, or memory runs out.
  func measure(_ scope: FrameScope, _ frame: DecodedFrame, region: FrameRegion, size: PixelSize) throws -> PixelImage {
    try scopes.image(scope, of: frame, region: region, orientation: orientation, size: size)
  }

  /// - Throws: `AVError` if libswscale does not know the pixel format, or memory runs out.
  func scale(_ frame: DecodedFrame, to request: (Orientation) -> ScaleRequest) throws -> PixelImage {
    try scaler.scale(frame, to: request(orientation))
  }
}
