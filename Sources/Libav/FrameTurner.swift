import CFFmpeg
import Pixels

/// Turns and mirrors frames, sample by sample.
///
/// Not thread-safe.
public final class FrameTurner {
  private let orientation: Orientation
  /// The converter for frames of the format seen last whose samples cannot simply change places.
  private var converter: (source: VideoFormat, converter: FrameConverter)?

  /// - Parameter orientation: the orientation in which frames are displayed; turned ones look the same upright.
  public init(_ orientation: Orientation) { self.orientation = orientation }

  /// Returns a frame turned: the same one if nothing changes, else a new one.
  ///
  /// The format stays the same, unless its samples cannot simply change places, as where chroma is halved across only: such a frame
  /// becomes one of the same depth without chroma subsampling first.
  ///
  /// - Throws: `AVError`.
  public func turn(_ frame: DecodedFrame) throws -> DecodedFrame {
    guard orientation != .upright else { return frame }
    if let layout = layout(of: frame) { return try turn(frame, layout) }
    let plain = try plain(frame)
    guard let layout = layout(of: plain) else { throw AVError(code: qd_averror_invaliddata(), context: "turning the frame") }
    return try turn(plain, layout)
  }

  /// The layout of a frame's samples; nil if they cannot simply change places.
  private func layout(of frame: DecodedFrame) -> SampleLayout? {
    let format = AVPixelFormat(rawValue: frame.pointer.pointee.format)
    guard let layout = SampleLayout(format) else { return nil }
    let planes = Dictionary(grouping: layout.components, by: \.plane).values
    let isRegular = planes.allSatisfy { components in
      components.allSatisfy { $0.step == components[0].step && $0.chromaShift == components[0].chromaShift }
    }
    let turnsChroma = !orientation.swapsSides || layout.components.allSatisfy { $0.chromaShift.across == $0.chromaShift.down }
    // A plane without a component is one of opacity.
    return isRegular && turnsChroma && planes.count == Int(av_pix_fmt_count_planes(format)) ? layout : nil
  }

  private func plain(_ frame: DecodedFrame) throws -> DecodedFrame {
    let source = frame.format
    if let converter, converter.source == source { return try converter.converter.convert(frame, fitting: frame.size) }
    let form = try SampleForm(frame.pointer)
    let format = SampleForm.plainFormat(form.family, depth: form.comparedDepth, SampleForm.ChromaShift())
    let new = FrameConverter(format: source.with(pixelFormat: format))
    converter = (source, new)
    return try new.convert(frame, fitting: frame.size)
  }

  private func turn(_ frame: DecodedFrame, _ layout: SampleLayout) throws -> DecodedFrame {
    let result = try DecodedFrame()
    let (from, to) = (frame.pointer, result.pointer)
    try AVError.check(av_frame_copy_props(to, from), "turning the frame")
    to.pointee.format = from.pointee.format
    (to.pointee.width, to.pointee.height) = (from.pointee.width, from.pointee.height)
    if orientation.swapsSides {
      swap(&to.pointee.width, &to.pointee.height)
      swap(&to.pointee.sample_aspect_ratio.num, &to.pointee.sample_aspect_ratio.den)
    }
    try AVError.check(av_frame_get_buffer(to, 0), "turning the frame")
    try SamplePlanes(from, layout).turn(orientation, into: SamplePlanes(to, layout))
    return result
  }
}
