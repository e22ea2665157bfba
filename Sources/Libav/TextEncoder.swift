import CFFmpeg

/// The format of overlay text in a container.
public enum TextFormat: String, CaseIterable, Sendable {
  /// Lines of a script with positions, styles and fades, which may overlap in time.
  case ass
  /// QuickTime text, one at a time, at the bottom.
  case movText = "mov_text"
  /// WebVTT, at the bottom.
  case webVTT = "webvtt"
}

/// Encodes lines of an SSA script as packets of a text stream: owns an `AVCodecContext`.
///
/// Not thread-safe.
public final class TextEncoder {
  private let owner: CodecOwner
  var context: UnsafeMutablePointer<AVCodecContext> { owner.pointer }

  /// - Parameter header: the script's header: its styles and its size.
  /// - Throws: `AVError`, also if libavcodec lacks the encoder.
  public init(_ format: TextFormat, header: String) throws {
    guard let codec = avcodec_find_encoder_by_name(format.rawValue) else {
      throw AVError(code: qd_averror(ENOSYS), context: "encoding text")
    }
    owner = try CodecOwner(codec)
    // The context frees it.
    guard let copy = av_strdup(header) else { throw AVError.outOfMemory("setting up the encoder") }
    let bytes = UnsafeMutableRawPointer(copy).assumingMemoryBound(to: UInt8.self)
    (context.pointee.subtitle_header, context.pointee.subtitle_header_size) = (bytes, Int32(header.utf8.count))
    context.pointee.time_base = AVRational(num: 1, den: 1000)
    try AVError.check(avcodec_open2(context, codec, nil), "encoding text")
  }

  /// Encodes a line into `packet`; the caller sets its times.
  ///
  /// - Parameter line: the fields ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect and Text.
  /// - Throws: `AVError`.
  public func encode(_ line: String, into packet: Packet) throws {
    // Markup expands the text; the longest is a WebVTT entity for one character.
    let room = 8 * line.utf8.count + 4096
    packet.clear()
    try AVError.check(av_new_packet(packet.pointer, Int32(clamping: room)), "encoding text")
    let size = line.withCString { text in
      var rectangle = AVSubtitleRect()
      rectangle.type = SUBTITLE_ASS
      // It is only read.
      rectangle.ass = UnsafeMutablePointer(mutating: text)
      return withUnsafeMutablePointer(to: &rectangle) { rectangle in
        var first: UnsafeMutablePointer<AVSubtitleRect>? = rectangle
        return withUnsafeMutablePointer(to: &first) { rectangles in
          var subtitle = AVSubtitle()
          subtitle.num_rects = 1
          subtitle.rects = rectangles
          return avcodec_encode_subtitle(context, packet.pointer.pointee.data, packet.pointer.pointee.size, &subtitle)
        }
      }
    }
    try AVError.check(size, "encoding text")
    av_shrink_packet(packet.pointer, size)
    packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
  }
}
