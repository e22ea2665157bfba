import CFFmpeg
import Pixels

/// The result of a packet of subtitles: something to show, or an empty screen.
public struct DecodedSubtitle: Hashable, Sendable {
  /// The start, in milliseconds after the packet's time.
  public var startOffset: Int
  /// The end, in milliseconds after the packet's time; nil if the next one or the packet's duration determines it.
  public var endOffset: Int?
  /// The start in microseconds, if the decoder gives it; nil if the packet's time does.
  public var time: Int64?
  /// Lines of an SSA script, each with the fields of a dialogue line as libavcodec writes them.
  public var lines: [String] = []
  /// Images with their own positions.
  public var images: [SubtitleImage] = []

  /// True if it only clears the screen.
  public var isEmpty: Bool { lines.isEmpty && images.isEmpty }
}

/// An image of a bitmap subtitle, with its own palette.
public struct SubtitleImage: Hashable, Sendable {
  /// The left edge, in pixels of `canvas`.
  public var x: Int
  public var y: Int
  public var size: PixelSize
  /// The size of the frame that it was made for; empty if unspecified.
  public var canvas: PixelSize
  /// Palette indices, one per pixel, row by row.
  public var indices: [UInt8]
  /// Colours as red, green, blue and alpha, from the lowest byte up.
  public var palette: [UInt32]
}

/// Decodes packets of one subtitle stream to text or images: owns an `AVCodecContext`.
///
/// Not thread-safe.
public final class SubtitleDecoder {
  private let owner: CodecOwner
  private var context: UnsafeMutablePointer<AVCodecContext> { owner.pointer }

  /// Opens a decoder for a stream of `demuxer`, whose text must be UTF-8.
  ///
  /// - Throws: `DecoderError` or `AVError`.
  public init(demuxer: Demuxer, stream index: Int) throws {
    let stream = try demuxer.knownStream(index)
    let parameters = stream.pointee.codecpar.pointee
    guard let codec = avcodec_find_decoder(parameters.codec_id) else {
      throw DecoderError.unknownCodec(name: String(cString: avcodec_get_name(parameters.codec_id)))
    }
    owner = try CodecOwner(codec)
    try AVError.check(avcodec_parameters_to_context(context, stream.pointee.codecpar), "setting up the decoder")
    context.pointee.pkt_timebase = stream.pointee.time_base
    try owner.open(codec)
  }

  /// Opens a decoder for captions carried in frames (EIA-608).
  ///
  /// - Parameter timeBase: the time base of the frames' timestamps.
  /// - Throws: `DecoderError` or `AVError`.
  public init(captionsIn timeBase: Ratio) throws {
    guard let codec = avcodec_find_decoder(AV_CODEC_ID_EIA_608) else { throw DecoderError.unknownCodec(name: "eia_608") }
    owner = try CodecOwner(codec)
    context.pointee.pkt_timebase = AVRational(num: timeBase.numerator, den: timeBase.denominator)
    try owner.open(codec)
  }

  /// Decodes the captions of a frame; empty triplets flush the rest at the end.
  ///
  /// - Throws: as `decode(_:)` does.
  public func decode(captions: (time: Int64, triplets: [UInt8])) throws -> DecodedSubtitle? {
    let packet = try Packet()
    if !captions.triplets.isEmpty {
      try AVError.check(av_new_packet(packet.pointer, Int32(captions.triplets.count)), "decoding")
      for (i, byte) in captions.triplets.enumerated() { packet.pointer.pointee.data[i] = byte }
    }
    packet.pointer.pointee.pts = captions.time
    return try decode(packet)
  }

  /// The header of the SSA script for `DecodedSubtitle.lines`: its styles, and the size that positions refer to.
  public var scriptHeader: String {
    guard let header = context.pointee.subtitle_header, context.pointee.subtitle_header_size > 0 else { return "" }
    let bytes = UnsafeBufferPointer(start: header, count: Int(context.pointee.subtitle_header_size))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Decodes a packet; returns nil if it does not change what is shown.
  ///
  /// - Throws: `AVError` for damaged data or text in another encoding; decoding can continue with the next packet.
  public func decode(_ packet: Packet) throws -> DecodedSubtitle? {
    var subtitle = AVSubtitle()
    var hasSubtitle: Int32 = 0
    let code = avcodec_decode_subtitle2(context, &subtitle, &hasSubtitle, packet.pointer)
    try AVError.check(code, "decoding")
    guard hasSubtitle != 0 else { return nil }
    defer { avsubtitle_free(&subtitle) }
    // A negative duration becomes a number near the largest.
    let isOpen = subtitle.end_display_time > Int32.max || subtitle.end_display_time <= subtitle.start_display_time
    var result = DecodedSubtitle(
      startOffset: Int(subtitle.start_display_time), endOffset: isOpen ? nil : Int(subtitle.end_display_time))
    if subtitle.pts != qd_nopts() { result.time = subtitle.pts }
    for i in 0..<Int(subtitle.num_rects) {
      guard let rect = subtitle.rects?[i] else { continue }
      switch rect.pointee.type {
      case SUBTITLE_ASS:
        if let line = rect.pointee.ass { result.lines.append(String(cString: line)) }
      case SUBTITLE_TEXT:
        // As a dialogue line with nothing but text.
        if let text = rect.pointee.text { result.lines.append("0,0,Default,,0,0,0,,\(String(cString: text))") }
      case SUBTITLE_BITMAP:
        if let image = image(rect.pointee) { result.images.append(image) }
      default: break
      }
    }
    return result
  }

  /// Discards decoded state, to continue from another place.
  public func flush() { avcodec_flush_buffers(context) }

  /// The maximum number of pixels in an image: twice those of a 3840×2160 frame.
  private static let largestImage = 1 << 24

  private func image(_ rect: AVSubtitleRect) -> SubtitleImage? {
    let (width, height, stride) = (Int(rect.w), Int(rect.h), Int(rect.linesize.0))
    guard width > 0, height > 0, stride >= width, width * height <= Self.largestImage, let pixels = rect.data.0,
      let colors = rect.data.1
    else { return nil }
    var indices: [UInt8] = []
    indices.reserveCapacity(width * height)
    for row in 0..<height { indices += UnsafeBufferPointer(start: pixels + row * stride, count: width) }
    let count = min(max(0, Int(rect.nb_colors)), 256)
    // Palette entries are native words, with alpha in the highest byte and blue in the lowest.
    let palette = UnsafeRawBufferPointer(start: colors, count: 4 * count).bindMemory(to: UInt32.self).map { word in
      word & 0xFF00_FF00 | (word & 0xFF) << 16 | (word >> 16) & 0xFF
    }
    return SubtitleImage(
      x: Int(rect.x), y: Int(rect.y), size: PixelSize(width: width, height: height),
      canvas: PixelSize(width: Int(context.pointee.width), height: Int(context.pointee.height)), indices: indices,
      palette: palette)
  }
}
