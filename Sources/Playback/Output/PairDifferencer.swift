import Libav
import Pixels

/// Makes images of the difference of the two frames of a pair, at the depth and resolution in which they were decoded.
///
/// The frames must have been rendered with `RenderRequest.keepsPixels`. Not thread-safe.
public final class PairDifferencer {
  private let differencer = FrameDifferencer()

  /// Creates a differencer.
  public init() {}

  /// Returns an image of the difference, of the size of the first frame's image.
  ///
  /// The second frame is converted to the size and format of the first one, if they differ.
  ///
  /// - Parameters:
  ///   - pair: A pair of frames.
  ///   - settings: as in `DifferenceRequest`; its size, region and orientations are replaced by those of the frames.
  /// - Returns: nil if the frames came without their decoded pixels.
  /// - Throws: an error if a pixel format is unknown or memory runs out. Its message is a few words.
  public func difference(_ pair: FramePair, _ settings: DifferenceRequest) throws(PlaybackError) -> FrameDifference? {
    try difference(pair, settings, size: pair.first.image.size)
  }

  /// Returns an image of another size.
  func difference(_ pair: FramePair, _ settings: DifferenceRequest, size: PixelSize) throws(PlaybackError) -> FrameDifference? {
    guard let one = pair.first.kept, let other = pair.second.kept else { return nil }
    var request = settings
    request.size = size
    // Requests of pairs are laid out to fill their box.
    request.region = pair.first.request.region
    (request.orientation, request.referenceOrientation) = (one.orientation, other.orientation)
    do {
      return try differencer.difference(of: one.pixels, from: other.pixels, request)
    } catch {
      let failure = PlaybackError(error)
      throw failure.reason == .system ? failure : PlaybackError(.unknownFormat, "frames cannot be compared")
    }
  }
}
