import CFFmpeg

/// A reason that a stream cannot be decoded, beyond libav's own errors.
public enum DecoderError: Error, Hashable, Sendable {
  /// libavcodec has no decoder for the codec.
  case unknownCodec(name: String)
  /// The decoder rejects the stream's headers.
  case refusesHeaders
  /// The stream's packets are encrypted.
  case isEncrypted
  /// The file does not have the stream, or no longer has it.
  case noStream
}

/// Decodes the packets of one stream to frames, or to sound samples: owns an `AVCodecContext`.
///
/// Not thread-safe. Its own worker threads, if any, end with it.
public final class Decoder {
  /// The packets that the decoder may skip, to save time.
  public enum Discard: Int, Comparable, Sendable {
    case nothing, nonReference, nonKey

    public static func < (a: Discard, b: Discard) -> Bool { a.rawValue < b.rawValue }
  }

  /// Options of a decoder beyond delivering the frames to be shown.
  public struct Features: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// Frames carry their quantisers (`DecodedFrame.meanQuantizer`). H.264, MPEG-1 to 4 and VP9 report them, others do not.
    public static let quantizers = Features(rawValue: 1)
    /// Film grain that the stream describes is not added to the frames. Only AV1 (by libdav1d) and, with FFmpeg 6.1 or later,
    /// H.264 and HEVC have it.
    public static let omitsFilmGrain = Features(rawValue: 2)

    /// Frames come without the delay of threads that work on several frames, and of a stream's possible reordering if it was
    /// found to have none.
    public static let lowDelay = Features(rawValue: 4)

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// libavcodec's flags for side data that frames carry; grain that is carried is not applied.
    fileprivate var exports: Int32 {
      (contains(.quantizers) ? AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS : 0)
        | (contains(.omitsFilmGrain) ? AV_CODEC_EXPORT_DATA_FILM_GRAIN : 0)
    }
  }

  /// The result of requesting a frame.
  public enum ReceiveResult: Sendable {
    case frame
    /// The decoder needs another packet first.
    case needsPacket
    /// Drained: no more frames until `flush()`.
    case endOfStream
  }

  private let owner: CodecOwner
  private var context: UnsafeMutablePointer<AVCodecContext> { owner.pointer }
  private let memoryNote = MemoryNote()
  /// The coding of the packets that it decodes, of a source in which it may change; nil for others.
  public let format: StreamFormat?
  /// True if no packet has been sent: `flush()` does not reset the decoder completely.
  public private(set) var isFresh = true

  /// Opens a decoder for a stream of `demuxer`.
  ///
  /// - Parameters:
  ///   - threads: the number of threads that libavcodec may use; 1 means the calling thread only.
  ///   - keepsAlpha: true to use another decoder than libavcodec's default if only that one keeps the alpha layer.
  ///   - format: the coding of the packets; nil for that of the stream.
  /// - Throws: `DecoderError` or `AVError`.
  public init(
    demuxer: Demuxer, stream index: Int, threads: Int, keepsAlpha: Bool = true, features: Features = [],
    format: StreamFormat? = nil
  ) throws {
    let stream = try demuxer.knownStream(index)
    self.format = format ?? demuxer.segments?.firstFormat(ofStream: index)
    let parameters = format?.parameters ?? stream.pointee.codecpar
    guard let parameters, let codec = Self.codec(parameters.pointee.codec_id, of: stream, keepsAlpha: keepsAlpha) else {
      let id = parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
      throw DecoderError.unknownCodec(name: String(cString: avcodec_get_name(id)))
    }
    // With several threads, libavcodec cannot change the size of Theora in mid-stream: it outputs nothing from there.
    let maxThreads = max(1, codec.pointee.id == AV_CODEC_ID_THEORA ? 1 : threads)
    do {
      owner = try Self.open(codec, parameters, of: stream, threads: maxThreads, features, memoryNote)
    } catch where maxThreads > 1 {
      // If the system starts no more threads, or has no memory for their stacks, the calling thread does the work.
      owner = try Self.open(codec, parameters, of: stream, threads: 1, features, memoryNote)
    }
  }

  /// Returns true if a frame was lost for lack of memory since the last call; decoders report that as damage.
  public func takeMemoryShortage() -> Bool { qd_take_note(memoryNote.pointer) != 0 }

  private static func open(
    _ codec: UnsafePointer<AVCodec>, _ parameters: UnsafePointer<AVCodecParameters>, of stream: UnsafeMutablePointer<AVStream>,
    threads: Int, _ features: Features, _ note: MemoryNote
  ) throws -> CodecOwner {
    let owner = try CodecOwner(codec, companion: note)
    let context = owner.pointer
    try AVError.check(avcodec_parameters_to_context(context, parameters), "setting up the decoder")
    context.pointee.pkt_timebase = stream.pointee.time_base
    context.pointee.thread_count = Int32(clamping: threads)
    context.pointee.max_pixels = Demuxer.maximumArea
    context.pointee.export_side_data = features.exports
    if features.contains(.lowDelay) {
      context.pointee.thread_type = FF_THREAD_SLICE
      if stream.pointee.codecpar.pointee.video_delay == 0 { context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY }
    }
    qd_tag_packets(context)
    qd_note_memory(context, note.pointer)
    try owner.open(codec)
    return owner
  }

  /// libav's own VP8 and VP9 decoders drop the alpha layer, libvpx keeps it.
  private static func codec(
    _ id: AVCodecID, of stream: UnsafeMutablePointer<AVStream>, keepsAlpha: Bool
  ) -> UnsafePointer<AVCodec>? {
    if keepsAlpha, Demuxer.dictionary(stream.pointee.metadata)["alpha_mode"] == "1" {
      if id == AV_CODEC_ID_VP9, let codec = avcodec_find_decoder_by_name("libvpx-vp9") { return codec }
      if id == AV_CODEC_ID_VP8, let codec = avcodec_find_decoder_by_name("libvpx") { return codec }
    }
    return avcodec_find_decoder(id)
  }

  /// The name of the decoder in use: "h264", "libdav1d".
  public var name: String { String(cString: context.pointee.codec.pointee.name) }

  /// The size of a decoded frame in bytes, as far as known before there is one; 0 if unknown.
  public var frameByteCount: Int {
    let format = context.pointee.pix_fmt == AV_PIX_FMT_NONE ? AV_PIX_FMT_YUV420P : context.pointee.pix_fmt
    return max(0, Int(av_image_get_buffer_size(format, context.pointee.width, context.pointee.height, 32)))
  }

  public var discard: Discard = .nothing {
    didSet {
      guard discard != oldValue else { return }
      context.pointee.skip_frame =
        switch discard {
        case .nothing: AVDISCARD_DEFAULT
        case .nonReference: AVDISCARD_NONREF
        case .nonKey: AVDISCARD_NONKEY
        }
    }
  }

  /// Sends a packet to the decoder, or starts draining it with nil.
  ///
  /// - Parameter tag: a number that is returned as `DecodedFrame.tag` of the packet's frame; all frames must have been
  ///   received before.
  /// - Returns: true if it was taken; false if frames must be received first.
  /// - Throws: `AVError` for damaged data; decoding can continue with the next packet.
  public func send(_ packet: Packet?, tag: Int64 = 0) throws -> Bool {
    isFresh = false
    if let packet { qd_tag_packet(context, packet.pointer, tag) }
    let code = avcodec_send_packet(context, packet?.pointer)
    if code == qd_averror(EAGAIN) { return false }
    if code == qd_averror_eof() { return true }
    try AVError.check(code, "decoding")
    return true
  }

  /// Receives the next frame in display order into `frame`.
  ///
  /// - Throws: `AVError` for damaged data; decoding can continue with the next packet.
  public func receive(into frame: DecodedFrame) throws -> ReceiveResult {
    let code = avcodec_receive_frame(context, frame.pointer)
    if code == qd_averror(EAGAIN) { return .needsPacket }
    if code == qd_averror_eof() { return .endOfStream }
    try AVError.check(code, "decoding")
    return .frame
  }

  /// Discards the frames sent, to decode from another place.
  public func flush() { qd_flush_decoder(context) }
}

/// Owns the memory that `qd_note_memory` writes to.
private final class MemoryNote {
  let pointer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  init() { pointer.initialize(to: 0) }
  deinit { pointer.deallocate() }
}
