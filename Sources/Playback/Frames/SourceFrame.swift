import Pixels

/// A decoded frame. It stays valid for as long as it is referenced, even after its source has moved on or is gone.
///
/// It may be passed to and released on any thread. It is rendered only within the steps of the lane that decoded it.
public protocol SourceFrame: AnyObject, Sendable {
  /// The frame's timing and number; constant for a frame.
  var timing: FrameTiming { get }

  /// Scales the frame for an output.
  ///
  /// - Throws: an error of the source, if memory runs out or the pixel format is unknown.
  func render(for request: RenderRequest) throws -> RenderedFrame

  /// Returns the frame upright and with square pixels, never enlarged.
  ///
  /// - Parameter maximumSize: in pixels; a side of 0 is unconstrained.
  /// - Throws: as `render(for:)` does.
  func still(maximumSize: PixelSize) throws -> Still
}
