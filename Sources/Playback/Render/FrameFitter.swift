import Libav
import Pixels

/// Makes frames of a composition fit for an encoder.
///
/// Used by one thread, within which the frames were decoded.
final class FrameFitter {
  private let converter: FrameConverter
  private let presentationSize: PixelSize

  /// - Parameter presentationSize: of the composition's frames, in square pixels.
  init(_ format: VideoFormat, presentationSize: PixelSize) {
    converter = FrameConverter(format: format)
    self.presentationSize = presentationSize
  }

  /// The frame as the encoder takes it: a clip's own, without a copy, where it has the format.
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

  /// The frame of a file that is all there is to see, as large as it can be.
  private func fileFrame(in frame: any SourceFrame) -> MovieFrame? {
    guard let composed = frame as? CompositedFrame else { return frame as? MovieFrame }
    guard composed.size == presentationSize, let only = composed.onlyFrame else { return nil }
    return fileFrame(in: only)
  }

  /// The size, in pixels of the format, of a frame that is seen in a size.
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
