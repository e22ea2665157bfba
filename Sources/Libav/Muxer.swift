import CFFmpeg
import Pixels

/// A reason that a container cannot be written, beyond libav's own errors.
public enum MuxerError: Error, Hashable, Sendable {
  /// There is no such container format, or none that is a single file.
  case unknownContainer(name: String)
  /// The container does not support the codec.
  case doesNotHold(codec: String, container: String)
  /// The container is completed by seeking back, which needs a file rather than a pipe.
  case needsFile(container: String)
  /// The container requires frames of equal duration.
  case needsConstantRate(container: String)
  /// Writing failed, with libav's reason.
  case failed(container: String, reason: String)
  /// The file written does not contain the video that was to be written.
  case cannotBeReadBack(codec: String, container: String)
}

/// Writes packets of a video stream, and of sound and overlay text, to a container: owns an `AVFormatContext`.
///
/// Not thread-safe.
public final class Muxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let output: FileOutput

  /// A stream of the file.
  public struct Stream {
    fileprivate let pointer: UnsafeMutablePointer<AVStream>
    /// The time base of the packets passed to `write`.
    fileprivate let timeBase: AVRational

    /// The number of samples of sound before the first one to be heard, which encoders need.
    public var priming: Int { max(0, Int(pointer.pointee.codecpar.pointee.initial_padding)) }
  }

  /// - Parameters:
  ///   - ending: the file extension, which selects the container: "mkv".
  ///   - descriptor: must stay open for writing for the lifetime of this object; owned by the caller.
  ///   - isSeekable: true for a regular file to which nothing has been written.
  ///   - isLive: true for a file that must be readable even if writing it is cut short.
  /// - Throws: `MuxerError` or `AVError`.
  public init(ending: String, descriptor: Int32, isSeekable: Bool, isLive: Bool = false) throws {
    output = try FileOutput(descriptor: descriptor, isSeekable: isSeekable)
    guard let format = av_guess_format(nil, "file.\(ending)", nil), !ending.isEmpty,
      format.pointee.flags & (AVFMT_NOFILE | AVFMT_NEEDNUMBER) == 0
    else { throw MuxerError.unknownContainer(name: ending) }
    var context: UnsafeMutablePointer<AVFormatContext>?
    _ = LibavLog.isSilentByDefault
    try AVError.check(avformat_alloc_output_context2(&context, format, nil, nil), "opening the file")
    guard let context else { throw AVError.outOfMemory("opening the file") }
    context.pointee.pb = output.avio
    // The same packets always give the same file.
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    if isLive, ["mov", "mp4"].contains(String(cString: format.pointee.name)) {
      let flags = "frag_keyframe+empty_moov+default_base_moof"
      try AVError.check(av_opt_set(context.pointee.priv_data, "movflags", flags, 0), "opening the file")
    }
    // Matroska cannot store negative decoding times.
    if ["matroska", "webm", "nut"].contains(String(cString: format.pointee.name)) { context.pointee.avoid_negative_ts = 0 }
    self.context = context
  }

  deinit { avformat_free_context(context) }

  /// libav's name of the container: "matroska".
  public var name: String { String(cString: context.pointee.oformat.pointee.name) }
  /// True if codec headers are stored separately from packets.
  public var hasGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

  // MARK: - Streams

  /// The format of overlay text in the container; nil if it is not supported.
  public var textFormat: TextFormat? {
    switch name {
    case "matroska": .ass
    case "webm": .webVTT
    case "mov", "mp4", "ipod": .movText
    default: nil
    }
  }

  /// Returns the time base for text. libavformat's MP4 muxer takes text ticks for video ticks, which it refines, when it
  /// checks whether text must be cleared.
  public func textTick(besideVideo tick: Ratio) -> Ratio {
    guard textFormat == .movText else { return Ratio(1, 1000) }
    var scale = Int64(tick.denominator)
    while scale < 10_000 { scale *= 2 }
    // It stores a text's duration in 31 bits: with fine ticks, empty texts without duration are the lesser evil.
    return scale <= 100_000 ? Ratio(tick.numerator, Int32(scale)) : Ratio(1, 1000)
  }

  /// Adds a stream for an encoder's output.
  ///
  /// - Parameters:
  ///   - timeBase: the time base of the timestamps passed to `write`.
  ///   - frameRate: the frame rate, if all frames have the same duration.
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(from encoder: VideoEncoder, timeBase: Ratio, frameRate: Ratio?) throws -> Stream {
    let stream = try makeVideo(encoder.context.pointee.codec_id, timeBase, frameRate)
    try check(avcodec_parameters_from_context(stream.pointer.pointee.codecpar, encoder.context))
    stream.pointer.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
    return stream
  }

  /// Adds a stream of overlay text, which players show by default. Write its packets no later than those of the frames that
  /// they cover.
  ///
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(from encoder: TextEncoder, timeBase: Ratio) throws -> Stream {
    let stream = try makeStream(encoder.context.pointee.codec_id, timeBase)
    try check(avcodec_parameters_from_context(stream.pointer.pointee.codecpar, encoder.context))
    stream.pointer.pointee.disposition = AV_DISPOSITION_DEFAULT
    // Frames do not wait in memory for text that comes much later.
    context.pointee.max_interleave_delta = 1
    return stream
  }

  /// The codec that libavformat proposes for the container's sound; nil if it has none.
  public var usualSoundCodec: String? {
    let codec = context.pointee.oformat.pointee.audio_codec
    return codec == AV_CODEC_ID_NONE ? nil : String(cString: avcodec_get_name(codec))
  }

  /// Adds a stream of sound; the timestamps passed to `write` count samples. Write its packets no later than those of the frames
  /// that are shown at the same time.
  ///
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(from encoder: SoundEncoder) throws -> Stream {
    let stream = try makeStream(encoder.context.pointee.codec_id, Ratio(1, Int32(clamping: encoder.sampleRate)))
    try check(avcodec_parameters_from_context(stream.pointer.pointee.codecpar, encoder.context))
    stream.pointer.pointee.disposition = AV_DISPOSITION_DEFAULT
    return stream
  }

  /// Adds a stream for sound packets copied from another file; the timestamps passed to `write` count samples.
  ///
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(copyingSound demuxer: Demuxer, stream index: Int) throws -> Stream {
    let source = try demuxer.knownStream(index)
    guard let parameters = source.pointee.codecpar else { throw AVError.outOfMemory("opening the file") }
    let stream = try makeStream(parameters.pointee.codec_id, Ratio(1, max(1, parameters.pointee.sample_rate)))
    try check(avcodec_parameters_copy(stream.pointer.pointee.codecpar, parameters))
    stream.pointer.pointee.codecpar.pointee.codec_tag = 0
    stream.pointer.pointee.disposition = AV_DISPOSITION_DEFAULT
    return stream
  }

  /// Adds a stream for packets copied from another file.
  ///
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(copying demuxer: Demuxer, stream index: Int, timeBase: Ratio, frameRate: Ratio?) throws -> Stream {
    let source = try demuxer.knownStream(index)
    let made = try makeVideo(source.pointee.codecpar.pointee.codec_id, timeBase, frameRate)
    let stream = made.pointer
    try check(avcodec_parameters_copy(stream.pointee.codecpar, source.pointee.codecpar))
    // The tag belongs to the old container.
    stream.pointee.codecpar.pointee.codec_tag = 0
    stream.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    if let matrix = qd_stream_side_data(source, AV_PKT_DATA_DISPLAYMATRIX, 36) {
      try check(qd_set_stream_display_matrix(stream, matrix))
    }
    return made
  }

  /// Adds a stream for packets copied from elsewhere; packets passed to `write` have its time base.
  ///
  /// - Throws: `MuxerError` or `AVError`.
  public func addStream(_ parameters: StreamParameters) throws -> Stream {
    let made = try makeStream(parameters.codec, parameters.timeBase)
    try parameters.apply(to: made.pointer)
    // The tag belongs to the old container.
    made.pointer.pointee.codecpar.pointee.codec_tag = 0
    return made
  }

  private func makeVideo(_ codec: AVCodecID, _ timeBase: Ratio, _ frameRate: Ratio?) throws -> Stream {
    if name == "avi", frameRate == nil { throw MuxerError.needsConstantRate(container: name) }
    let stream = try makeStream(codec, timeBase)
    if let frameRate {
      let pointer = stream.pointer
      pointer.pointee.avg_frame_rate = AVRational(num: frameRate.numerator, den: frameRate.denominator)
      pointer.pointee.r_frame_rate = pointer.pointee.avg_frame_rate
      // AVI counts frames.
      if name == "avi" { pointer.pointee.time_base = AVRational(num: frameRate.denominator, den: frameRate.numerator) }
    }
    return stream
  }

  private func makeStream(_ codec: AVCodecID, _ timeBase: Ratio) throws -> Stream {
    // QuickTime and Matroska accept more codecs than their tables list.
    if name != "mov", name != "matroska", avformat_query_codec(context.pointee.oformat, codec, FF_COMPLIANCE_NORMAL) == 0 {
      throw MuxerError.doesNotHold(codec: String(cString: avcodec_get_name(codec)), container: name)
    }
    guard let stream = avformat_new_stream(context, nil) else { throw AVError.outOfMemory("opening the file") }
    let timeBase = AVRational(num: timeBase.numerator, den: timeBase.denominator)
    stream.pointee.time_base = timeBase
    return Stream(pointer: stream, timeBase: timeBase)
  }

  // MARK: - What people call it

  /// Sets the title of the file. Ignored by containers without titles.
  public func setTitle(_ title: String) { av_dict_set(&context.pointee.metadata, "title", title, 0) }

  /// Appends a chapter, with times in milliseconds. Ignored by containers without chapters.
  ///
  /// - Throws: `AVError` if memory runs out.
  public func addChapter(_ title: String?, from start: Int64, to end: Int64) throws {
    let count = Int(context.pointee.nb_chapters)
    guard let list = av_realloc_array(context.pointee.chapters, count + 1, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.size) else {
      throw AVError.outOfMemory("adding a chapter")
    }
    // The context owns and frees them.
    context.pointee.chapters = list.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
    guard let memory = av_mallocz(MemoryLayout<AVChapter>.size) else { throw AVError.outOfMemory("adding a chapter") }
    let chapter = memory.assumingMemoryBound(to: AVChapter.self)
    chapter.pointee.id = Int64(count)
    chapter.pointee.time_base = AVRational(num: 1, den: 1000)
    (chapter.pointee.start, chapter.pointee.end) = (start, end)
    if let title { av_dict_set(&chapter.pointee.metadata, "title", title, 0) }
    context.pointee.chapters[count] = chapter
    context.pointee.nb_chapters += 1
  }

  // MARK: - Writing

  /// - Throws: `MuxerError`, or `AVError` if memory runs out.
  private func check(_ code: Int32) throws {
    do {
      try AVError.check(code, "writing")
    } catch let error as AVError where !error.isOutOfMemory {
      throw MuxerError.failed(container: name, reason: error.reason)
    }
  }

  /// Writes the header.
  ///
  /// - Throws: `MuxerError`, `FileOutputError` or `AVError`.
  public func writeHeader() throws {
    let code = avformat_write_header(context, nil)
    try output.check()
    if code < 0, output.avio.pointee.seekable == 0 { throw MuxerError.needsFile(container: name) }
    if code < 0, code != qd_averror(ENOMEM), context.pointee.nb_streams > 0 {
      let codecs = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0]?.pointee.codecpar.pointee }
        .filter { $0.codec_type != AVMEDIA_TYPE_SUBTITLE }.map { String(cString: avcodec_get_name($0.codec_id)) }
      throw MuxerError.doesNotHold(codec: codecs.joined(separator: " with "), container: name)
    }
    try check(code)
  }

  /// Writes a packet, in its stream's decoding order, leaving it empty.
  ///
  /// - Parameters:
  ///   - stream: a stream of this file.
  ///   - pts, dts, duration: in ticks of the time base that the stream was added with.
  /// - Throws: `FileOutputError` or `AVError`.
  public func write(_ packet: Packet, to stream: Stream, pts: Int64, dts: Int64, duration: Int64) throws {
    let pointer = packet.pointer
    pointer.pointee.pts = pts
    pointer.pointee.dts = dts
    pointer.pointee.duration = duration
    pointer.pointee.pos = -1
    pointer.pointee.stream_index = stream.pointer.pointee.index
    av_packet_rescale_ts(pointer, stream.timeBase, stream.pointer.pointee.time_base)
    let code = av_interleaved_write_frame(context, pointer)
    try output.check()
    // AVI accepts H.264 only in the form that broadcasts use.
    if code == qd_averror_invaliddata() {
      throw MuxerError.doesNotHold(codec: String(cString: avcodec_get_name(stream.pointer.pointee.codecpar.pointee.codec_id)), container: name)
    }
    try check(code)
  }

  /// Writes the trailer, which completes the file.
  ///
  /// - Throws: `FileOutputError` or `AVError`.
  public func finish() throws {
    let code = av_write_trailer(context)
    avio_flush(output.avio)
    try output.check()
    try check(code)
  }
}
