import Alignment
import Libav
import Metrics
import Pixels
import Playback

/// Brings frames to the format in which a reference is measured: its own, if that has planes of luma and chroma.
///
/// Not thread-safe.
struct MeasuredFormat {
  let format: VideoFormat
  private let converter: FrameConverter
  private let turner: FrameTurner

  /// - Parameter turning: the orientation in which candidates' frames look like the reference's as it is stored.
  init(of reference: DecodedFrame, turning: Orientation = .upright) {
    var format = reference.format
    if reference.planarSamples == nil { format.pixelFormat = "yuv444p" }
    self.format = format
    converter = FrameConverter(format: format)
    turner = FrameTurner(turning)
  }

  /// Returns a frame in the format: the same one, if it is.
  ///
  /// - Throws: `AVError`.
  func frame(_ frame: DecodedFrame) throws -> DecodedFrame {
    converter.isInFormat(frame) && frame.planarSamples != nil ? frame : try converter.convert(frame, fitting: format.size)
  }

  /// Returns a candidate's frame, turned, in the format, and what was changed for that.
  ///
  /// - Throws: `AVError`.
  func candidate(_ frame: DecodedFrame) throws -> (frame: DecodedFrame, changes: CandidateChanges) {
    // Turned first, so that what its size alone tells, as the matrix, is the same for both.
    let turned = try turner.turn(frame)
    let result = try self.frame(turned)
    var changes: CandidateChanges = []
    if turned !== frame { changes.insert(.turned) }
    if result !== turned { changes.insert(.converted) }
    return (result, changes)
  }
}

extension AssetTrack {
  /// Returns the orientation in which this track's frames look like another's as they are stored.
  func turning(to reference: AssetTrack) -> Orientation { orientation.relative(to: reference.orientation) }
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
