import CFFmpeg
import Pixels

/// Why a container cannot be written, beyond libav's own errors.
public enum MuxerError: Error, Hashable, Sendable {
  /// No container is called so, or none that is one file.
  case unknownContainer(name: String)
  /// The container does not hold what is coded so.
  case doesNotHold(codec: String, container: String)
  /// The container is put together at the end, which takes a file rather than a pipe.
  case needsFile(container: String)
  /// All frames have to be equally long in it.
  case needsConstantRate(container: String)
}

/// Writes packets of one video stream into a container: owns an `AVFormatContext`.
///
/// Not thread safe: one user at a time.
public final class Muxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let output: FileOutput
  private var stream: UnsafeMutablePointer<AVStream>?
  /// Of the time stamps of packets that are given.
  private var timeBase = AVRational(num: 1, den: 1000)

  /// - Parameters:
  ///   - ending: of the file's name, which tells the container: "mkv".
  ///   - descriptor: open for writing as long as this object lives; stays the caller's.
  ///   - isSeekable: whether it is a regular file of which nothing has been written.
  /// - Throws: `MuxerError` or `AVError`.
  public init(ending: String, descriptor: Int32, isSeekable: Bool) throws {
    output = try FileOutput(descriptor: descriptor, isSeekable: isSeekable)
    guard let format = av_guess_format(nil, "file.\(ending)", nil), !ending.isEmpty,
      format.pointee.flags & (AVFMT_NOFILE | AVFMT_NEEDNUMBER) == 0
    else { throw MuxerError.unknownContainer(name: ending) }
    var context: UnsafeMutablePointer<AVFormatContext>?
    try AVError.check(avformat_alloc_output_context2(&context, format, nil, nil), "opening the file")
    guard let context else { throw AVError.outOfMemory("opening the file") }
    context.pointee.pb = output.avio
    // The same packets give the same file, whenever it is made.
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    // Matroska has no decoding times that could be below zero.
    if ["matroska", "webm", "nut"].contains(String(cString: format.pointee.name)) { context.pointee.avoid_negative_ts = 0 }
    self.context = context
  }

  deinit { avformat_free_context(context) }

  /// libav's name of the container: "matroska".
  public var name: String { String(cString: context.pointee.oformat.pointee.name) }
  /// Whether headers of codecs are kept apart from packets.
  public var hasGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

  // MARK: - The stream

  /// Lets the file hold what an encoder gives.
  ///
  /// - Parameters:
  ///   - timeBase: of the time stamps that `write` is given.
  ///   - frameRate: where all frames are equally long.
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(from encoder: VideoEncoder, timeBase: Ratio, frameRate: Ratio?) throws {
    let stream = try makeStream(encoder.context.pointee.codec_id, timeBase, frameRate)
    try AVError.check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), "opening the file")
    stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
  }

  /// Lets the file hold packets of another one.
  ///
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(copying demuxer: Demuxer, stream index: Int, timeBase: Ratio, frameRate: Ratio?) throws {
    let source = try demuxer.knownStream(index)
    let stream = try makeStream(source.pointee.codecpar.pointee.codec_id, timeBase, frameRate)
    try AVError.check(avcodec_parameters_copy(stream.pointee.codecpar, source.pointee.codecpar), "opening the file")
    // The tag is the former container's.
    stream.pointee.codecpar.pointee.codec_tag = 0
    stream.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    if let matrix = qd_stream_display_matrix(source) {
      try AVError.check(qd_set_stream_display_matrix(stream, matrix), "opening the file")
    }
  }

  private func makeStream(
    _ codec: AVCodecID, _ timeBase: Ratio, _ frameRate: Ratio?
  ) throws -> UnsafeMutablePointer<AVStream> {
    // QuickTime takes more than its table tells.
    if name != "mov", avformat_query_codec(context.pointee.oformat, codec, FF_COMPLIANCE_NORMAL) == 0 {
      throw MuxerError.doesNotHold(codec: String(cString: avcodec_get_name(codec)), container: name)
    }
    guard let stream = avformat_new_stream(context, nil) else { throw AVError.outOfMemory("opening the file") }
    if name == "avi", frameRate == nil { throw MuxerError.needsConstantRate(container: name) }
    self.timeBase = AVRational(num: timeBase.numerator, den: timeBase.denominator)
    stream.pointee.time_base = self.timeBase
    if let frameRate {
      stream.pointee.avg_frame_rate = AVRational(num: frameRate.numerator, den: frameRate.denominator)
      stream.pointee.r_frame_rate = stream.pointee.avg_frame_rate
      // AVI counts frames.
      if name == "avi" { stream.pointee.time_base = AVRational(num: frameRate.denominator, den: frameRate.numerator) }
    }
    self.stream = stream
    return stream
  }

  // MARK: - Writing

  /// Writes what stands before the packets.
  ///
  /// - Throws: `MuxerError`, `FileOutputError` or `AVError`.
  public func writeHeader() throws {
    let code = avformat_write_header(context, nil)
    try output.check()
    if code < 0, output.avio.pointee.seekable == 0 { throw MuxerError.needsFile(container: name) }
    if code < 0, code != qd_averror(ENOMEM), let stream {
      let codec = String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id))
      throw MuxerError.doesNotHold(codec: codec, container: name)
    }
    try AVError.check(code, "writing the header")
  }

  /// Writes a packet, in decoding order; it is empty afterwards.
  ///
  /// - Parameters:
  ///   - pts, dts, duration: in ticks of the stream's time base as it was given.
  /// - Throws: `FileOutputError` or `AVError`.
  public func write(_ packet: Packet, pts: Int64, dts: Int64, duration: Int64) throws {
    guard let stream else { preconditionFailure("a file without a stream") }
    let pointer = packet.pointer
    pointer.pointee.pts = pts
    pointer.pointee.dts = dts
    pointer.pointee.duration = duration
    pointer.pointee.pos = -1
    pointer.pointee.stream_index = stream.pointee.index
    av_packet_rescale_ts(pointer, timeBase, stream.pointee.time_base)
    let code = av_interleaved_write_frame(context, pointer)
    try output.check()
    try AVError.check(code, "writing")
  }

  /// Writes what stands behind the packets; the file is whole then.
  ///
  /// - Throws: `FileOutputError` or `AVError`.
  public func finish() throws {
    let code = av_write_trailer(context)
    avio_flush(output.avio)
    try output.check()
    try AVError.check(code, "writing the end")
  }
}
