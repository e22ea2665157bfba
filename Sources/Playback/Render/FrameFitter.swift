import Libav
import Pixels

/// Converts a composition's frames for an encoder.
///
/// Use from one thread, on which the frames were decoded.
final class FrameFitter {
  private let converter: FrameConverter
  private let presentationSize: PixelSize

  /// - Parameter presentationSize: the size of the composition's frames, in square pixels.
  init(_ format: VideoFormat, presentationSize: PixelSize) {
    converter = FrameConverter(format: format)
    self.presentationSize = presentationSize
  }

  /// Returns the frame in the encoder's format; a clip's own frame without a copy if it already has it.
  func fit(_ frame: any SourceFrame) throws -> DecodedFrame {
    if let movie = fileFrame(in: frame) {
      let shape = movie.presentationSize
      if movie.orientation == .upright, shape == presentationSize, converter.isInFormat(movie.decoded) { return movie.decoded }
      if movie.orientation == .upright, converter.canConvert(movie.decoded) {
        return try converter.convert(movie.decoded, fitting: fittedSize(shape))
      }
    }
    return try converter.convert(frame.still(maximumSize: PixelSize(width: 0, height: 0)).image)
  }

  /// Returns the file's frame if nothing else is visible and it fills the frame.
  private func fileFrame(in frame: any SourceFrame) -> MovieFrame? {
    guard let composed = frame as? CompositedFrame else { return frame as? MovieFrame }
    guard composed.size == presentationSize, let only = composed.onlyFrame else { return nil }
    return fileFrame(in: only)
  }

  /// Returns the size, in pixels of the format, of a frame displayed in a size.
  private func fittedSize(_ shape: PixelSize) -> PixelSize {
    let aspect = Double(shape.width) / Double(max(1, shape.height))
    let whole = Double(presentationSize.width) / Double(max(1, presentationSize.height))
    var size = converter.format.size
    guard abs(aspect / whole - 1) > FrameCanvas.shapeTolerance else { return size }
    if aspect > whole {
      size.height = max(1, Int((Double(size.height) * whole / aspect).rounded()))
    } else {
      size.width = max(1, Int((Double(size.width) * aspect / whole).rounded()))
    }
    return size
  }
}
