import CFFmpeg
import Glibc
import Pixels

/// A reason that a file cannot be demuxed, beyond libav's own errors.
public enum DemuxerError: Error, Hashable, Sendable {
  /// The container format is unknown to libav.
  case unknownFormat
  /// The file is text, which libav would render as video.
  case text
  /// The file is a playlist ("hls", "concat", …).
  case playlist(format: String)
  /// A frame side exceeds `Demuxer.maximumSide`; rejected before memory is allocated.
  case tooLarge(width: Int, height: Int)
  /// The file is an index of images, and the image file is missing.
  case missingPart(name: String)
  /// The file claims more frames than it has bytes; rejected before memory is allocated.
  case tooManySamples(Int64)
}

/// Reads packets from a file, a pipe or another source of bytes: owns an `AVFormatContext` and its input.
///
/// Not thread-safe. Everything it returns is a plain value, except `Packet`.
public final class Demuxer {
  /// The maximum size of a frame's side, in pixels.
  public static let maximumSide = 16384
  /// The maximum number of pixels in a frame.
  static let maximumArea: Int64 = 16384 * 16384

  /// The result of reading.
  public enum ReadResult: Sendable {
    case packet
    case endOfFile
  }

  let context: UnsafeMutablePointer<AVFormatContext>
  let input: ByteInput
  private let interrupter: Interrupter
  /// Reads instead of libav if the source is an image sequence; see `images`.
  var sequence: SequenceReader?
  /// Reads instead of libav if the source is in segments; see `segments`.
  var segments: SegmentReader?
  /// Reads instead of libav if the source keeps packets; see `packets`.
  private let packets: PacketReader?

  /// The highest score, out of 100, at which libav considers a format possibly misdetected.
  private static let doubtfulScore = AVPROBE_SCORE_MAX / 4

  /// Demuxers that open further sources on their own, which a local file must not do.
  private static let playlistFormats: Set<String> = [
    "hls", "concat", "dash", "sdp", "rtsp", "imf", "vapoursynth", "avisynth", "tedcaptions",
  ]

  /// File extensions of playlists that libav does not read; it does not recognise them, or takes them for some kind of
  /// text.
  private static let playlistEndings: Set<String> = ["m3u", "m3u8", "pls", "xspf", "asx", "wpl"]

  /// Opens the file literally named `path` and reads its headers; blocks until done or interrupted.
  ///
  /// - Parameters:
  ///   - appliesEditLists: true for timestamps of what is shown, false for those of the media.
  ///   - subtitleEnding: the extension of a subtitle file's name, which decides about its format if its contents do not; nil
  ///     for other files.
  ///   - frameRate: the frame rate of the video, for subtitles that count frames and do not state it themselves (MicroDVD).
  ///   - probedName: the name that helps to find out the format; nil for `path`.
  /// - Throws: `FileInputError`, `DemuxerError` or `AVError`.
  public convenience init(
    path: String, interrupter: Interrupter, appliesEditLists: Bool = true, subtitleEnding: String? = nil,
    frameRate: Ratio? = nil, probedName: String? = nil
  ) throws {
    let input = try ByteInput(path: path, interrupter: interrupter)
    try self.init(
      input, path: path, name: probedName ?? path, interrupter: interrupter, appliesEditLists: appliesEditLists,
      subtitleEnding: subtitleEnding, frameRate: frameRate)
  }

  /// Reads a source's headers; blocks until done or interrupted.
  ///
  /// - Parameters:
  ///   - name: helps to find out the format.
  ///   - appliesEditLists: as for a file.
  /// - Throws: `DemuxerError` or `AVError`.
  public convenience init(
    _ source: any ByteSource, name: String, interrupter: Interrupter, appliesEditLists: Bool = true
  ) throws {
    try self.init(
      ByteInput(source, interrupter: interrupter), path: nil, name: name, interrupter: interrupter,
      appliesEditLists: appliesEditLists, subtitleEnding: nil, frameRate: nil)
  }

  /// - Parameter path: the file's name; nil if the bytes come from elsewhere.
  private init(
    _ input: ByteInput, path: String?, name probedName: String, interrupter: Interrupter, appliesEditLists: Bool,
    subtitleEnding: String?, frameRate: Ratio?
  ) throws {
    let (format, isAssumed) = try Self.probe(input, name: probedName, subtitleEnding)
    let name = String(cString: format.pointee.name)
    if name.split(separator: ",").contains(where: { Self.playlistFormats.contains(String($0)) }) {
      throw DemuxerError.playlist(format: name)
    }
    // The first two render any bytes as characters; the last takes lines in brackets for lyrics.
    if ["tty", "bin", "lrc"].contains(name) { try Self.refusePlaylist(input, name: probedName) }
    if name == "tty" { throw DemuxerError.text }
    if name == "bin" { throw DemuxerError.unknownFormat }
    try Self.refuseAbsurdTables(of: input, format: name)
    _ = LibavLog.isSilentByDefault
    guard var context = avformat_alloc_context() else { throw AVError.outOfMemory("opening the file") }
    context.pointee.pb = input.avio
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.interrupt_callback = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<Interrupter>.fromOpaque(opaque).takeUnretainedValue().isInterrupted ? 1 : 0
      }, opaque: Unmanaged.passUnretained(interrupter).toOpaque())

    // A file must not make libav open nested sources; but an index has its images in the file of the same name.
    let isIndex = name == "vobsub"
    guard let url = isIndex ? path.map({ "file:" + $0 }) : path ?? "" else { throw DemuxerError.unknownFormat }
    if isIndex, let path { try Self.checkImages(ofIndex: path) }
    var options: OpaquePointer?
    av_dict_set(&options, "protocol_whitelist", isIndex ? "file" : "none", 0)
    // MPEG-TS: also find the streams that are announced later on, as ffmpeg's own programs do.
    if input.hasRandomAccess { av_dict_set(&options, "scan_all_pmts", "1", 0) }
    if name == "microdvd", let frameRate, frameRate.isPositive {
      av_dict_set(&options, "subfps", "\(frameRate.numerator)/\(frameRate.denominator)", 0)
    }
    if !appliesEditLists { av_dict_set(&options, "ignore_editlist", "1", 0) }
    var opening: UnsafeMutablePointer<AVFormatContext>? = context
    let opened = FileName.withBytes(url) { avformat_open_input(&opening, $0, format, &options) }
    av_dict_free(&options)
    // On failure libav has freed the context.
    if opened < 0 { try Self.refusePlaylist(input, name: probedName) }
    try AVError.check(opened, "reading the header")
    if let opening { context = opening }

    self.context = context
    self.input = input
    self.interrupter = interrupter
    packets = nil
    // From here on `deinit` cleans up.
    input.permitSeeking()
    // Who waits for bytes would rather see a frame than learn of tracks that come late.
    if input.isStreamed { context.pointee.max_analyze_duration = 1_500_000 }
    // Fragments of a movie that arrive in order: also once it could seek, libav must read them one at a time.
    if !input.hasRandomAccess { context.pointee.flags |= AVFMT_FLAG_IGNIDX }
    try refuseAbsurdSizes()
    try findStreamInfo()
    input.permitSearching()
    try refuseAbsurdSizes()
    try findLateSubpictures()
    if isAssumed { try refuseWithoutPackets() }
  }

  /// Creates a demuxer without streams for kept packets.
  ///
  /// - Throws: `AVError` if memory runs out.
  init(_ input: ByteInput, _ packets: PacketReader, _ interrupter: Interrupter) throws {
    guard let context = avformat_alloc_context() else { throw AVError.outOfMemory("opening the stream") }
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    (self.context, self.input, self.interrupter, self.packets) = (context, input, interrupter, packets)
    input.permitSeeking()
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  /// Checks the image file of a VobSub index, which libav opens by itself: it must be a file, since libav would wait for a
  /// pipe.
  private static func checkImages(ofIndex path: String) throws {
    let images = FileName.images(ofIndex: path)
    guard FileName.ending(of: path) == "idx", let status = FileName.status(of: images),
      status.st_mode & S_IFMT == S_IFREG
    else { throw DemuxerError.missingPart(name: images) }
  }

  static func probe(_ input: ByteInput, name: String) throws -> UnsafePointer<AVInputFormat> {
    var format: UnsafePointer<AVInputFormat>?
    let score = av_probe_input_buffer2(input.avio, &format, name, nil, 0, 0)
    if score == qd_averror_exit() { throw AVError(code: score, context: "opening the file") }
    if input.hasNoWriter { throw FileInputError.hasNoWriter }
    guard score >= 0, let format else {
      try refusePlaylist(input, name: name)
      throw DemuxerError.unknownFormat
    }
    // Raw H.263 is recognised by 22 bits, which noise matches now and then, so the file's name must agree.
    if score <= doubtfulScore, String(cString: format.pointee.name) == "h263", av_match_ext(name, "h263,263") == 0 {
      throw DemuxerError.unknownFormat
    }
    return format
  }

  /// Rejects a file that is not a clip if it is named like a playlist, or begins like one.
  private static func refusePlaylist(_ input: ByteInput, name: String) throws {
    let ending = FileName.ending(of: name)
    if playlistEndings.contains(ending) { throw DemuxerError.playlist(format: ending) }
    // libavformat 61 recognises HLS by the file's name only.
    if input.beginning(count: hlsTag.count).elementsEqual(hlsTag) { throw DemuxerError.playlist(format: "hls") }
  }

  private static let hlsTag = Array("#EXTM3U".utf8)

  /// The number of samples that is always accepted.
  private static let usualSamples: Int64 = 1_000_000

  /// Single samples may be empty, but not most of them. The tables of a truncated file claim more than it has, but not a
  /// million times as much.
  private static func refuseAbsurdTables(of input: ByteInput, format: String) throws {
    guard format.split(separator: ",").contains("mp4"), let boxes = input.movieBoxes else { return }
    let count = SampleClaim(boxes).count
    if count > max(usualSamples, input.byteCount) { throw DemuxerError.tooManySamples(count) }
  }

  private func findStreamInfo() throws {
    // libav may decode a little to find sizes, so the limit must apply there too.
    let count = Int(context.pointee.nb_streams)
    var options = [OpaquePointer?](repeating: nil, count: count)
    for i in 0..<count {
      av_dict_set(&options[i], "max_pixels", String(Self.maximumArea), 0)
      av_dict_set(&options[i], "threads", "1", 0)
    }
    let result = options.withUnsafeMutableBufferPointer {
      avformat_find_stream_info(context, $0.baseAddress)
    }
    for i in 0..<count { av_dict_free(&options[i]) }
    try AVError.check(result, "reading the streams")
  }

  /// The maximum number of packets to read for one of a track whose position is known.
  private static let packetsToTrack = 32

  /// Makes libav find the subtitles of a program stream that start after the part it has probed; see `SubpictureScan`.
  private func findLateSubpictures() throws {
    guard formatName == "mpeg", input.hasRandomAccess else { return }
    func isKnown(_ number: UInt8) -> Bool {
      (0..<Int(context.pointee.nb_streams)).contains { stream($0).pointee.id == Int32(number) }
    }
    let scan = SubpictureScan(byteCount: input.byteCount, read: input.extent.read) { interrupter.isInterrupted }
    let late = scan.places.filter { !isKnown($0.key) }.sorted { $0.key < $1.key }
    guard !late.isEmpty else { return }
    let packet = try Packet()
    for (number, place) in late {
      guard av_seek_frame(context, -1, place, AVSEEK_FLAG_BYTE) >= 0 else { continue }
      for _ in 0..<Self.packetsToTrack where !isKnown(number) {
        packet.clear()
        guard av_read_frame(context, packet.pointer) >= 0 else { break }
      }
    }
    try AVError.check(av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE), "rewinding")
  }

  private func refuseAbsurdSizes() throws {
    for i in 0..<Int(context.pointee.nb_streams) {
      guard let parameters = stream(i).pointee.codecpar,
        parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
      else { continue }
      let width = Int(parameters.pointee.width), height = Int(parameters.pointee.height)
      if width > Self.maximumSide || height > Self.maximumSide || width < 0 || height < 0 {
        throw DemuxerError.tooLarge(width: width, height: height)
      }
    }
  }

  /// True if reading reached the end of a truncated file.
  public var isCutOff: Bool { breaksOff || (hasEnded && fileIsCutOff) }
  /// True if the last packet read was shorter than stated by the container.
  private var lastIsPart = false
  private var breaksOff = false
  private var hasEnded = false
  /// Computed once, on first use.
  public private(set) lazy var fileIsCutOff = input.extent.isCutOff(format: formatName)

  /// Reads the next packet of any selected stream into `packet`; may block.
  ///
  /// - Throws: `AVError`; libav skips damage inside the file if it can.
  public func read(into packet: Packet) throws -> ReadResult {
    packet.clear()
    if let sequence { return isSequenceSelected ? try sequence.read(into: packet) : .endOfFile }
    if let segments { return try segments.read(into: packet, for: self) }
    if let packets { return try packets.read(into: packet) }
    return try readOwn(into: packet)
  }

  /// Reads the next packet of the context.
  func readOwn(into packet: Packet) throws -> ReadResult {
    packet.clear()
    let code = av_read_frame(context, packet.pointer)
    let isAtFileEnd = input.avio.pointee.eof_reached != 0
    if code == qd_averror_eof() {
      hasEnded = true
      breaksOff = lastIsPart
      return .endOfFile
    }
    // The container announces more data, which is missing.
    if code < 0, code != qd_averror_exit(), isAtFileEnd { breaksOff = true }
    try AVError.check(code, "reading")
    // MPEG streams also flag other damage this way.
    lastIsPart = packet.isCorrupt && isAtFileEnd && !mayBeDiscontinuous
    return .packet
  }

  /// Reads only the given streams; packets of others are skipped if the container allows it.
  public func select(streams: Set<Int>) {
    segments?.select(streams)
    packets?.select(streams)
    for i in 0..<Int(context.pointee.nb_streams) {
      stream(i).pointee.discard = streams.contains(i) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Seeks to the last key packet at or before `timestamp` (in ticks of that stream), or to the first one.
  ///
  /// - Throws: `AVError` if the source cannot seek.
  public func seek(stream index: Int, toKeyAtOrBefore timestamp: Int64) throws {
    if let sequence { return sequence.seek(toFrame: timestamp) }
    if let segments { return segments.seek(to: timestamp, of: stream(index)) }
    if let packets { return packets.seek(toKeyAtOrBefore: timestamp, stream: index) }
    input.clearError()
    let code = av_seek_frame(context, Int32(index), timestamp, AVSEEK_FLAG_BACKWARD)
    try AVError.check(code, "seeking")
  }

  /// Seeks to a byte of the file, if the container can be read from any position (MPEG streams).
  ///
  /// - Throws: `AVError` if it cannot.
  public func seek(toByte position: Int64) throws {
    guard mayBeDiscontinuous else { throw AVError(code: qd_averror(ENOSYS), context: "seeking to a byte") }
    input.clearError()
    try AVError.check(av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE), "seeking")
  }

  /// Returns the codec headers that the container stores separately from packets; empty if it does not.
  public func codecHeaders(ofStream index: Int) -> [UInt8] {
    guard let parameters = try? knownStream(index).pointee.codecpar, let data = parameters.pointee.extradata else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: Int(max(0, parameters.pointee.extradata_size))))
  }

  /// Returns true if every frame of the stream's codec can be decoded alone.
  public func isIntraOnly(stream index: Int) -> Bool {
    guard let parameters = try? knownStream(index).pointee.codecpar,
      let descriptor = avcodec_descriptor_get(parameters.pointee.codec_id)
    else { return false }
    return descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
  }

  /// Seeks to the first byte of the data, whatever the timestamps.
  public func rewind() throws {
    if let sequence { return sequence.seek(toFrame: 0) }
    if let segments { return segments.rewind() }
    if let packets { return packets.rewind() }
    input.clearError()
    let start = context.pointee.start_time
    if start != qd_nopts(),
      avformat_seek_file(context, -1, Int64.min, start, start, AVSEEK_FLAG_BACKWARD) >= 0 { return }
    try AVError.check(av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE), "rewinding")
  }

  public var isSeekable: Bool { input.isSeekable }

  /// libav's short name of the container: "mov,mp4,m4a,3gp,3g2,mj2".
  public var formatName: String {
    if let packets { return packets.formatName }
    return sequence == nil ? String(cString: context.pointee.iformat.pointee.name) : "image2"
  }

  var isMovie: Bool { formatName.split(separator: ",").contains("mp4") }

  /// True for a movie in fragments (ISO 14496-12, 8.8); computed once, on first use.
  private lazy var isFragmented: Bool = {
    var isFragmented = false
    if isMovie { input.movieBoxes?.forEach { if $0.name == "mvex" { isFragmented = true } } }
    return isFragmented
  }()

  /// True if the format's timestamps may jump (MPEG streams).
  public var mayBeDiscontinuous: Bool { segments == nil && packets == nil && context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

  /// The first timestamp of all streams in microseconds; nil if unknown.
  public var startMicroseconds: Int64? {
    context.pointee.start_time == qd_nopts() ? nil : context.pointee.start_time
  }

  /// The duration in microseconds, from the header or estimated by libav; nil if unknown.
  public var durationMicroseconds: Int64? {
    // In order, libav knows only the first fragment.
    if segments == nil, !input.hasRandomAccess, isFragmented { return nil }
    let duration = context.pointee.duration
    let known = duration == qd_nopts() || duration <= 0 ? nil : duration
    guard formatName == "avi", fileIsCutOff else { return known }
    let longest = (0..<Int(context.pointee.nb_streams)).compactMap { i in
      announcedDuration(of: stream(i)).map { av_rescale_q($0, stream(i).pointee.time_base, AVRational(num: 1, den: 1_000_000)) }
    }.max()
    return max(known ?? 0, longest ?? 0)
  }

  /// True if `durationMicroseconds` is only estimated from the bit rate.
  public var durationIsGuess: Bool {
    context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  public var bitRate: Int64 { context.pointee.bit_rate }
  public var byteCount: Int64 { sequence?.input.files.byteCount ?? input.byteCount }
  /// The number of bytes read from the file so far, including repeated reads.
  public var readByteCount: Int64 { input.avio.pointee.bytes_read + (sequence?.readByteCount ?? 0) }
  public var metadata: [String: String] { Self.dictionary(context.pointee.metadata) }

  public var chapters: [ChapterInfo] {
    (0..<Int(context.pointee.nb_chapters)).compactMap { i in
      guard let chapter = context.pointee.chapters?[i]?.pointee else { return nil }
      return ChapterInfo(
        start: chapter.start, end: chapter.end,
        timeBase: Ratio(chapter.time_base.num, chapter.time_base.den),
        title: Self.dictionary(chapter.metadata)["title"])
    }
  }

  /// Returns a stream that the file had when it was opened.
  ///
  /// - Throws: `DecoderError.noStream` if the file has been replaced.
  func knownStream(_ index: Int) throws -> UnsafeMutablePointer<AVStream> {
    guard index >= 0, index < Int(context.pointee.nb_streams), let stream = context.pointee.streams[index]
    else { throw DecoderError.noStream }
    return stream
  }

  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> {
    guard let stream = try? knownStream(index) else { preconditionFailure("no stream \(index)") }
    return stream
  }

  static func dictionary(_ dictionary: OpaquePointer?) -> [String: String] {
    var result: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while true {
      entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
      guard let found = entry, let key = found.pointee.key, let value = found.pointee.value else { break }
      result[String(cString: key).lowercased()] = String(cString: value)
    }
    return result
  }
}
