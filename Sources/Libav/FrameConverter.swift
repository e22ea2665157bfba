import CFFmpeg
import Pixels

/// Converts frames of any format, and images, to frames of one format.
///
/// Not thread-safe.
public final class FrameConverter {
  /// The output format.
  public let format: VideoFormat
  private var contexts = SwsContexts(capacity: 8)

  public init(format: VideoFormat) { self.format = format }

  /// Returns true if a frame already has the format, including its colours.
  public func isInFormat(_ frame: DecodedFrame) -> Bool {
    let own = frame.pointer.pointee
    return frame.size == format.size
      && ScalerSource.withoutJPEGRange(AVPixelFormat(rawValue: own.format)).0 == format.format && hasSameColors(frame)
  }

  private func hasSameColors(_ frame: DecodedFrame) -> Bool {
    guard hasSameLight(frame), let source = try? ScalerSource(whole: frame.pointer) else { return false }
    return source.isFullRange == format.isFullRange && source.matrix == format.matrix
  }

  /// Returns true if values of both mean the same light, as far as specified; otherwise high dynamic range is tone-mapped.
  private func hasSameLight(_ frame: DecodedFrame) -> Bool {
    HDRTransfer(frame.pointer.pointee.color_trc) == HDRTransfer(format.transfer)
  }

  /// Returns true if `convert` keeps everything in the frame: it has no fields, no alpha and no different transfer
  /// function.
  public func canConvert(_ frame: DecodedFrame) -> Bool {
    !frame.isInterlaced && hasSameLight(frame) && qd_pix_fmt_has_alpha(AVPixelFormat(rawValue: frame.pointer.pointee.format)) == 0
      && !frame.size.isEmpty && frame.size.width <= Demuxer.maximumSide && frame.size.height <= Demuxer.maximumSide
  }

  /// Scales a frame into the centre of a new one, on black.
  ///
  /// - Parameter fitting: its size in the new frame, in pixels.
  /// - Throws: `AVError`.
  public func convert(_ frame: DecodedFrame, fitting: PixelSize) throws -> DecodedFrame {
    try make(of: ScalerSource(whole: frame.pointer), fitting)
  }

  /// Converts an image to a frame.
  ///
  /// - Throws: `AVError`.
  public func convert(_ image: PixelImage) throws -> DecodedFrame {
    try image.withBytes { bytes in try make(of: ScalerSource(rgb: bytes, size: image.size), format.size) }
  }

  private func make(of source: ScalerSource, _ fitting: PixelSize) throws -> DecodedFrame {
    let frame = try DecodedFrame()
    let pointer = frame.pointer
    pointer.pointee.width = Int32(format.size.width)
    pointer.pointee.height = Int32(format.size.height)
    format.mark(pointer)
    try AVError.check(av_frame_get_buffer(pointer, 0), "converting the frame")
    let target = place(fitting)
    var planes = [pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2, pointer.pointee.data.3]
    var strides = [pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2, pointer.pointee.linesize.3]
    if target.size != format.size {
      var wide = strides.map { Int($0) }
      try AVError.check(
        av_image_fill_black(
          &planes, &wide, format.format, format.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG, pointer.pointee.width,
          pointer.pointee.height),
        "converting the frame")
    }
    for plane in 0..<4 where planes[plane] != nil {
      let offset = ScalerSource.offset(ofX: target.x, y: target.y, plane: plane, format.format, stride: strides[plane])
      planes[plane] = planes[plane].map { $0 + offset }
    }
    let context = try contexts.context(for: SwsOwner.Key(
      source: source.size, sourceFormat: source.format.rawValue, target: target.size, targetFormat: format.format.rawValue,
      matrix: source.matrix, isFullRange: source.isFullRange,
      // If the size stays the same, that of the chroma may still change.
      flags: SwsOwner.flags(from: source.size, to: target.size, unscaled: SWS_BICUBIC),
      targetMatrix: format.matrix, targetIsFullRange: format.isFullRange))
    var from = source.planes
    var fromStrides = source.strides
    let done = sws_scale(context.pointer, &from, &fromStrides, 0, Int32(source.size.height), &planes, &strides)
    try AVError.check(done, "converting the frame")
    return frame
  }

  /// Returns the centred position of a size, aligned to chroma samples.
  private func place(_ fitting: PixelSize) -> PixelRect {
    let descriptor = av_pix_fmt_desc_get(format.format)?.pointee
    func span(_ length: Int, _ whole: Int, _ shift: UInt8) -> (Int, Int) {
      guard length < whole else { return (0, whole) }
      let step = 1 << Int(shift)
      let length = min(whole, max(step, (length + step / 2) / step * step))
      return ((whole - length) / 2 / step * step, length)
    }
    let (x, width) = span(fitting.width, format.size.width, descriptor?.log2_chroma_w ?? 0)
    let (y, height) = span(fitting.height, format.size.height, descriptor?.log2_chroma_h ?? 0)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}
