import CFFmpeg
import Pixels

/// The format of an image file.
public enum ImageFormat: String, CaseIterable, Hashable, Sendable {
  case png, jpeg
}

/// Encodes an image as a PNG or JPEG file: owns an `AVCodecContext` while it works.
///
/// Pixels are full-range sRGB, as in `PixelImage`. PNG stores them unchanged and marks them as sRGB; JPEG uses the best
/// quality and full chroma, in full-range BT.601 as JFIF requires.
public enum ImageEncoder {
  /// Returns the bytes of the file.
  ///
  /// - Parameter isQuick: True to make a PNG in a fifth of the time, about a tenth larger.
  /// - Throws: `AVError`, also if libavcodec lacks the encoder.
  public static func encode(_ image: PixelImage, as format: ImageFormat, isQuick: Bool = false) throws -> [UInt8] {
    let context = try Context(image.size, format, isQuick: isQuick)
    let frame = try DecodedFrame()
    try fill(frame, image, format)
    return try context.encode(frame)
  }

  private static func fill(_ frame: DecodedFrame, _ image: PixelImage, _ format: ImageFormat) throws {
    let pointer = frame.pointer
    pointer.pointee.width = Int32(image.width)
    pointer.pointee.height = Int32(image.height)
    pointer.pointee.format = Context.pixelFormat(format).rawValue
    pointer.pointee.color_range = AVCOL_RANGE_JPEG
    pointer.pointee.color_primaries = AVCOL_PRI_BT709
    pointer.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    pointer.pointee.pts = 0
    try AVError.check(av_frame_get_buffer(pointer, 0), "encoding the image")
    let rowBytes = image.width * 3
    try image.withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      switch format {
      case .png:
        guard let out = pointer.pointee.data.0 else { return }
        for y in 0..<image.height {
          (out + y * Int(pointer.pointee.linesize.0)).update(from: base + y * rowBytes, count: rowBytes)
        }
      case .jpeg:
        let scaler = try SwsOwner(
          SwsOwner.Key(
            source: image.size, sourceFormat: AV_PIX_FMT_RGB24.rawValue, target: image.size,
            targetFormat: AV_PIX_FMT_YUVJ444P.rawValue, matrix: -1, isFullRange: true,
            flags: SWS_POINT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP))
        let source: [UnsafePointer<UInt8>?] = [base, nil, nil, nil]
        let target = [pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2, nil]
        let strides = [pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2, 0]
        try AVError.check(
          sws_scale(
            scaler.pointer, source, [Int32(rowBytes), 0, 0, 0], 0, Int32(image.height), target, strides),
          "encoding the image")
      }
    }
  }

  /// Owns the encoder.
  private final class Context {
    private let owner: CodecOwner
    private var context: UnsafeMutablePointer<AVCodecContext> { owner.pointer }

    static func pixelFormat(_ format: ImageFormat) -> AVPixelFormat {
      format == .png ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUVJ444P
    }

    init(_ size: PixelSize, _ format: ImageFormat, isQuick: Bool) throws {
      let id = format == .png ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG
      guard let codec = avcodec_find_encoder(id) else {
        throw AVError(code: qd_averror_encoder_not_found(), context: "encoding the image")
      }
      owner = try CodecOwner(codec)
      context.pointee.width = Int32(size.width)
      context.pointee.height = Int32(size.height)
      context.pointee.pix_fmt = Self.pixelFormat(format)
      context.pointee.time_base = AVRational(num: 1, den: 25)
      context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
      context.pointee.color_range = AVCOL_RANGE_JPEG
      context.pointee.thread_count = 1
      if format == .png, isQuick {
        av_opt_set(context.pointee.priv_data, "pred", "up", 0)
        context.pointee.compression_level = 1
      } else if format == .png {
        // Chooses a filter for each row, which makes photographs a third smaller.
        av_opt_set(context.pointee.priv_data, "pred", "mixed", 0)
      } else {
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.global_quality = FF_QP2LAMBDA * 2
      }
      try AVError.check(avcodec_open2(context, codec, nil), "opening the encoder")
    }

    func encode(_ frame: DecodedFrame) throws -> [UInt8] {
      frame.pointer.pointee.quality = context.pointee.global_quality
      let packet = try Packet()
      try AVError.check(avcodec_send_frame(context, frame.pointer), "encoding the image")
      try AVError.check(avcodec_send_frame(context, nil), "encoding the image")
      try AVError.check(avcodec_receive_packet(context, packet.pointer), "encoding the image")
      return packet.withBytes { Array($0) }
    }
  }
}
