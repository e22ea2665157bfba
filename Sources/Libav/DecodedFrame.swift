import CFFmpeg
import Pixels

/// A decoded frame in the decoder's own pixel format: owns an `AVFrame`.
///
/// Not thread-safe.
public final class DecodedFrame {
  let pointer: UnsafeMutablePointer<AVFrame>

  public init() throws {
    guard let pointer = av_frame_alloc() else { throw AVError.outOfMemory("allocating a frame") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }

  /// libav's best guess of the PTS in ticks of the stream's time base; nil if it has none.
  public var bestEffortTimestamp: Int64? {
    let value = pointer.pointee.best_effort_timestamp
    return value == qd_nopts() ? nil : value
  }

  /// The tag passed with the frame's packet to `Decoder.send`.
  public var tag: Int64 { qd_frame_tag(pointer) }

  /// The duration in ticks; 0 if unknown.
  public var duration: Int64 { max(0, qd_frame_duration(pointer)) }
  public var isKey: Bool { qd_frame_is_key(pointer) != 0 }
  public var isInterlaced: Bool { qd_frame_is_interlaced(pointer) != 0 }
  public var size: PixelSize { PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }

  /// The pixel aspect ratio given by the codec; nil if it gives none.
  public var sampleAspectRatio: Ratio? {
    let ratio = pointer.pointee.sample_aspect_ratio
    return ratio.num > 0 && ratio.den > 0 ? Ratio(ratio.num, ratio.den) : nil
  }

  /// True if the decoder marked the frame as damaged.
  public var isDamaged: Bool {
    pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }

  /// True if the pixel format has transparency.
  public var mayBeTransparent: Bool { qd_pix_fmt_has_alpha(AVPixelFormat(rawValue: pointer.pointee.format)) != 0 }

  /// True if there is no decoded frame.
  public var isEmpty: Bool { pointer.pointee.data.0 == nil }

  /// Releases the decoded frame; the object can be reused.
  public func clear() { av_frame_unref(pointer) }

  /// Takes over the content of `other`, leaving it empty; no pixels are copied.
  public func take(_ other: DecodedFrame) {
    av_frame_unref(pointer)
    av_frame_move_ref(pointer, other.pointer)
  }

  /// Returns a hash of the frame in its own pixel format, to distinguish frames within one run of the program.
  ///
  /// 64 bits of a 128-bit MurmurHash3 (Appleby). 0 if there is no frame or memory runs out.
  public func quickHash() -> UInt64 {
    guard let context = av_murmur3_alloc() else { return 0 }
    defer { av_free(UnsafeMutableRawPointer(context)) }
    av_murmur3_init(context)
    forEachRow { av_murmur3_update(context, $0, $1) }
    var digest = [UInt8](repeating: 0, count: 16)
    av_murmur3_final(context, &digest)
    return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the MD5 of the frame in its own pixel format with packed rows, as in ffmpeg's framemd5, in hexadecimal.
  ///
  /// - Throws: `AVError` if there is no frame or memory runs out.
  public func md5() throws -> String {
    let frame = pointer.pointee
    try AVError.check(
      av_image_get_buffer_size(AVPixelFormat(rawValue: frame.format), frame.width, frame.height, 1), "hashing the frame")
    let hash = try MD5()
    forEachRow(hash.update)
    return hash.hexadecimal()
  }

  /// Calls `body` with the frame's bytes in the order of `av_image_copy_to_buffer`, without copying them: each plane's rows
  /// from the top, without padding, and a palette last. Does nothing if there is no frame.
  private func forEachRow(_ body: (UnsafePointer<UInt8>, _ count: Int) -> Void) {
    let frame = pointer.pointee
    let format = AVPixelFormat(rawValue: frame.format)
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return }
    let planes = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
    let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    for plane in planes.indices {
      let bytes = Int(av_image_get_linesize(format, frame.width, Int32(plane)))
      guard let data = planes[plane], bytes > 0, strides[plane] != 0 else { continue }
      let isChroma = plane == 1 || plane == 2
      let rows = isChroma ? -((-frame.height) >> Int32(descriptor.log2_chroma_h)) : frame.height
      for row in 0..<Int(rows) { body(data + row * Int(strides[plane]), bytes) }
    }
    guard descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0, let palette = planes[1] else { return }
    let colors = UnsafeRawBufferPointer(start: palette, count: 256 * 4).bindMemory(to: UInt32.self).map(\.littleEndian)
    colors.withUnsafeBytes { bytes in
      if let start = bytes.bindMemory(to: UInt8.self).baseAddress { body(start, bytes.count) }
    }
  }
}
