import Alignment
import Libav
import Metrics

/// Brings frames to the format in which a reference is measured: its own, if that has planes of luma and chroma.
///
/// Not thread-safe.
struct MeasuredFormat {
  let format: VideoFormat
  private let converter: FrameConverter

  /// - Throws: `AVError`.
  init(of reference: DecodedFrame) {
    var format = reference.format
    if reference.planarSamples == nil { format.pixelFormat = "yuv444p" }
    self.format = format
    converter = FrameConverter(format: format)
  }

  /// Returns a frame in the format: the same one, if it is.
  ///
  /// - Throws: `AVError`.
  func frame(_ frame: DecodedFrame) throws -> DecodedFrame {
    converter.isInFormat(frame) && frame.planarSamples != nil ? frame : try converter.convert(frame, fitting: format.size)
  }

  /// True if candidates of another size or kind are converted.
  func converts(_ frame: DecodedFrame) -> Bool { !converter.isInFormat(frame) }
}

extension MetricFrame {
  /// The planes of a frame; valid until it changes.
  init?(_ frame: DecodedFrame) {
    guard let samples = frame.planarSamples else { return nil }
    self.init(
      samples.map { MetricPlane(bytes: $0.bytes, stride: $0.stride, width: $0.width, height: $0.height, depth: $0.depth) }, owner: frame)
  }
}

extension LumaPlane {
  /// The luma of a frame; valid until it changes.
  init?(_ frame: DecodedFrame) {
    guard let luma = frame.planarSamples?.first else { return nil }
    self.init(
      bytes: luma.memory, stride: luma.stride, width: luma.width, height: luma.height, bitDepth: luma.depth,
      range: frame.isFullRange ? .full : .limited)
  }
}
