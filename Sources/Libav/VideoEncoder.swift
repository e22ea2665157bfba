import CFFmpeg
import Pixels

/// Why video cannot be coded, beyond libav's own errors.
public enum VideoEncoderError: Error, Hashable, Sendable {
  /// This libavcodec has no encoder of the name, or none that codes video.
  case unknownCodec(name: String)
  /// The encoder does not take frames of this size or pixel format.
  case refusesFormat(encoder: String, format: VideoFormat)
  /// Encoding failed, with libav's reason.
  case failed(encoder: String, reason: String)
}

/// Turns frames into packets of one video stream: owns an `AVCodecContext`.
///
/// Time stamps of what goes in and comes out are numbers of frames. Not thread safe: one user at a time. Its own worker
/// threads, if any, end with it.
public final class VideoEncoder {
  /// The result of requesting a packet.
  public enum ReceiveResult: Sendable {
    case packet
    /// The encoder needs another frame first.
    case needsFrame
    /// All frames have been encoded.
    case endOfStream
  }

  private let owner: CodecOwner
  var context: UnsafeMutablePointer<AVCodecContext> { owner.pointer }
  /// The format of the encoder: the supported one nearest to the requested one.
  public let format: VideoFormat
  private let shell: DecodedFrame

  /// Opens an encoder, losslessly if the codec can, otherwise so that the loss is hardly visible.
  ///
  /// - Parameters:
  ///   - codec: name of a codec ("h264") or of an encoder ("libx264").
  ///   - frameRate: frames a second, for rate control.
  ///   - threads: how many threads libavcodec may use.
  ///   - hasGlobalHeader: whether the container keeps headers apart from packets.
  /// - Throws: `VideoEncoderError` or `AVError`.
  public init(codec name: String, format: VideoFormat, frameRate: Ratio, threads: Int, hasGlobalHeader: Bool) throws {
    let codec = try Self.codec(name)
    self.format = format.with(pixelFormat: Self.pixelFormat(format.format, of: codec))
    shell = try DecodedFrame()
    owner = try CodecOwner(codec)
    try Self.open(context, codec, self.format, frameRate, threads, hasGlobalHeader)
  }

  /// Name of the encoder: "libx264".
  public var name: String { String(cString: context.pointee.codec.pointee.name) }

  // MARK: - Opening

  /// Encoders in software that libavcodec would not, or not always, take first.
  private static let preferred = [
    "h264": "libx264", "hevc": "libx265", "vp8": "libvpx", "vp9": "libvpx-vp9", "av1": "libsvtav1", "mpeg4": "mpeg4",
  ]

  private static func codec(_ name: String) throws -> UnsafePointer<AVCodec> {
    var found = preferred[name].flatMap { avcodec_find_encoder_by_name($0) } ?? avcodec_find_encoder_by_name(name)
    if found == nil, let descriptor = avcodec_descriptor_get_by_name(name) {
      found = avcodec_find_encoder(descriptor.pointee.id)
    }
    guard let found, found.pointee.type == AVMEDIA_TYPE_VIDEO else { throw VideoEncoderError.unknownCodec(name: name) }
    return found
  }

  private static func pixelFormat(_ wanted: AVPixelFormat, of codec: UnsafePointer<AVCodec>) -> AVPixelFormat {
    guard let formats = qd_encoder_pixel_formats(codec) else { return wanted }
    // It lists the formats it accepts only if it knows that they are not JPEG's.
    if String(cString: codec.pointee.name) == "mjpeg" {
      return [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_NONE].withUnsafeBufferPointer {
        avcodec_find_best_pix_fmt_of_list($0.baseAddress, wanted, qd_pix_fmt_has_alpha(wanted), nil)
      }
    }
    var known = formats
    while known.pointee != AV_PIX_FMT_NONE {
      if known.pointee == wanted { return wanted }
      known += 1
    }
    return avcodec_find_best_pix_fmt_of_list(formats, wanted, qd_pix_fmt_has_alpha(wanted), nil)
  }

  private static func open(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>, _ format: VideoFormat,
    _ frameRate: Ratio, _ threads: Int, _ hasGlobalHeader: Bool
  ) throws {
    let name = String(cString: codec.pointee.name)
    let rate = frameRate.isPositive ? frameRate : Ratio(25, 1)
    context.pointee.width = Int32(format.size.width)
    context.pointee.height = Int32(format.size.height)
    context.pointee.pix_fmt = format.format
    context.pointee.sample_aspect_ratio = AVRational(
      num: format.sampleAspectRatio.numerator, den: format.sampleAspectRatio.denominator)
    context.pointee.colorspace = format.space
    context.pointee.color_trc = format.transfer
    context.pointee.color_primaries = format.primaries
    context.pointee.color_range = format.range
    // MPEG-4 counts in at most 65535 parts of a second.
    let isFine = rate.numerator <= 65_535
    context.pointee.framerate =
      isFine ? AVRational(num: rate.numerator, den: rate.denominator)
      : AVRational(num: Int32(max(1, rate.value.rounded())), den: 1)
    context.pointee.time_base = AVRational(num: context.pointee.framerate.den, den: context.pointee.framerate.num)
    context.pointee.thread_count = Int32(clamping: max(1, threads))
    if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    var options = Self.options(of: name, format.size, context)
    defer { av_dict_free(&options) }
    guard avcodec_open2(context, codec, &options) >= 0 else {
      throw VideoEncoderError.refusesFormat(encoder: name, format: format)
    }
  }

  /// Options that make an encoder lossless, or nearly so.
  private static func options(
    of name: String, _ size: PixelSize, _ context: UnsafeMutablePointer<AVCodecContext>
  ) -> OpaquePointer? {
    var options: OpaquePointer?
    func set(_ values: [String: String]) { for (key, value) in values { av_dict_set(&options, key, value, 0) } }
    switch name {
    case "ffv1":
      context.pointee.level = 3
      context.pointee.gop_size = 1
      // By default in four slices, which not all sizes allow.
      set(["slicecrc": "1"])
    case "libx264", "libx264rgb": set(["crf": "18", "preset": "medium"])
    // By default it writes to the terminal itself.
    case "libx265": set(["crf": "20", "preset": "medium", "x265-params": "log-level=none"])
    case "libvpx": set(["crf": "8", "b": "20M", "cpu-used": "4"])
    case "libvpx-vp9": set(["crf": "22", "b": "0", "cpu-used": "4", "row-mt": "1"])
    case "libsvtav1", "libaom-av1": set(["crf": "24", "b": "0", "cpu-used": "6", "preset": "8"])
    default:
      // Of codecs without loss it changes nothing.
      context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      context.pointee.global_quality = FF_QP2LAMBDA * 2
      context.pointee.bit_rate = max(1_000_000, Int64(size.area) * 8)
    }
    return options
  }

  // MARK: - Coding

  /// - Throws: `VideoEncoderError`, or `AVError` if memory runs out.
  private func check(_ code: Int32) throws {
    do {
      try AVError.check(code, "encoding")
    } catch let error as AVError where !error.isOutOfMemory {
      throw VideoEncoderError.failed(encoder: name, reason: error.reason)
    }
  }

  /// Hands a frame over, or with nil begins draining.
  ///
  /// - Parameters:
  ///   - frame: in `format`; stays the caller's.
  ///   - number: its time stamp; one more than that of the frame before.
  /// - Throws: `VideoEncoderError` or `AVError`.
  public func send(_ frame: DecodedFrame?, number: Int64 = 0) throws {
    guard let frame else {
      let code = avcodec_send_frame(context, nil)
      if code != qd_averror_eof() { try check(code) }
      return
    }
    shell.clear()
    try AVError.check(av_frame_ref(shell.pointer, frame.pointer), "coding")
    format.mark(shell.pointer)
    shell.pointer.pointee.pts = number
    // The encoder would take the frame type set by the decoder for a request.
    shell.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    shell.pointer.pointee.quality = context.pointee.global_quality
    defer { shell.clear() }
    try check(avcodec_send_frame(context, shell.pointer))
  }

  /// Takes the next packet, in decoding order; its time stamps are numbers of frames.
  ///
  /// - Throws: `VideoEncoderError` or `AVError`.
  public func receive(into packet: Packet) throws -> ReceiveResult {
    let code = avcodec_receive_packet(context, packet.pointer)
    if code == qd_averror(EAGAIN) { return .needsFrame }
    if code == qd_averror_eof() { return .endOfStream }
    try check(code)
    return .packet
  }
}
