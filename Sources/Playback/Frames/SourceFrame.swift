import Pixels

/// A decoded frame. It stays valid for as long as it is referenced, even after its source has moved on or is gone.
///
/// It may be passed to and released on any thread. It is rendered only within the steps of the lane that decoded it.
public protocol SourceFrame: AnyObject, Sendable {
  /// When the frame is shown, and its number; always the same for one frame.
  var timing: FrameTiming { get }

  /// Scales the frame for an output.
  ///
  /// - Throws: an error of the source, when memory is short or the pixel format is unknown.
  func render(for request: RenderRequest) throws -> RenderedFrame

  /// The frame upright and with square pixels, never enlarged.
  ///
  /// - Parameter maximumSize: in pixels; a side of 0 is free.
  /// - Throws: as `render(for:)`.
  func still(maximumSize: PixelSize) throws -> Still
}
