import CFFmpeg
import Pixels

/// The pixels of a decoded frame in its own format, shared without a copy and kept for as long as this exists.
///
/// `@unchecked Sendable`: the `AVFrame` is private to this object, made by `init` and only read afterwards. The pixels belong to
/// buffers whose references are counted atomically. Decoders never write to a frame that they have delivered: those that
/// continue with its pixels copy them first if there is another reference.
public final class FramePixels: @unchecked Sendable {
  private let frame: DecodedFrame
  /// Width and height in pixels, before rotation.
  public let size: PixelSize
  let form: SampleForm

  /// Shares the pixels of a decoded frame. The frame can be reused afterwards.
  ///
  /// - Throws: `AVError` if there are no pixels, they are not in memory or are too many, or memory runs out.
  public convenience init(sharing frame: DecodedFrame) throws {
    let own = try DecodedFrame()
    if !frame.isEmpty { try AVError.check(av_frame_ref(own.pointer, frame.pointer), "keeping the frame") }
    try self.init(own)
  }

  /// Copies the pixels of an image, without its opacity.
  ///
  /// - Throws: `AVError` if the image is too large or memory runs out.
  public convenience init(_ image: PixelImage) throws {
    let own = try DecodedFrame()
    let pointer = own.pointer
    pointer.pointee.width = Int32(clamping: image.width)
    pointer.pointee.height = Int32(clamping: image.height)
    pointer.pointee.format = AV_PIX_FMT_RGB24.rawValue
    pointer.pointee.color_range = AVCOL_RANGE_JPEG
    try AVError.check(av_frame_get_buffer(pointer, 0), "keeping the image")
    guard let data = pointer.pointee.data.0 else { throw AVError.outOfMemory("keeping the image") }
    image.withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      av_image_copy_plane(
        data, pointer.pointee.linesize.0, base, Int32(3 * image.width), Int32(3 * image.width), Int32(image.height))
    }
    try self.init(own)
  }

  private init(_ frame: DecodedFrame) throws {
    size = frame.size
    let format = AVPixelFormat(rawValue: frame.pointer.pointee.format)
    guard !frame.isEmpty, !size.isEmpty, size.width <= Demuxer.maximumSide, size.height <= Demuxer.maximumSide,
      let descriptor = av_pix_fmt_desc_get(format), descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
    else { throw AVError(code: qd_averror_invaliddata(), context: "keeping the frame") }
    self.frame = frame
    form = try SampleForm(frame.pointer)
  }

  /// Memory used by the pixels, in bytes, including padding.
  public var byteCount: Int {
    withFrame { frame in
      (0..<8).reduce(0) { $0 + (av_frame_get_plane_buffer(frame, Int32($1))?.pointee.size ?? 0) }
    }
  }

  /// Bits of a sample, such as 8 or 10.
  public var bitDepth: Int { form.depth }

  /// True if the pixels have a high dynamic range: PQ or HLG.
  public var isHDR: Bool { form.light != nil }

  /// The pixel format and what its values mean, such as "yuv420p10le, BT.2020, limited range, PQ".
  public var formatText: String { form.text }

  func withFrame<R>(_ body: (UnsafeMutablePointer<AVFrame>) throws -> R) rethrows -> R {
    try withExtendedLifetime(frame) { try body(frame.pointer) }
  }
}
