import Libav

/// The result of one reading step.
enum CueStep {
  /// The cues from a time on; earlier cues without an end are over then.
  ///
  /// - Parameter script: the lines that the cues were made of, if their author wrote them.
  case cues([SubtitleCue], from: MediaTime, script: ScriptPart? = nil)
  /// All cues from a time on; all earlier cues are over then, whatever their ends.
  case page([SubtitleCue], from: MediaTime)
  /// No change to the cues.
  case progress
  case endOfFile
}

extension CueStep {
  /// Returns the step for a caption decoder's output, from the time at which the captions appeared.
  static func captions(_ subtitle: DecodedSubtitle, from begin: MediaTime, _ script: SSAScript) -> CueStep {
    let end = subtitle.endOffset.map { begin + MediaTime(value: Int64($0), timescale: 1000) } ?? .positiveInfinity
    let cues = subtitle.lines.compactMap { SSALine($0, of: script) }.map {
      SubtitleCue(timeRange: TimeRange(start: begin, end: end), lines: $0.lines, placement: $0.placement)
    }
    return .cues(cues, from: begin)
  }
}

/// Reads cues in file order.
protocol CueReader {
  /// Reads at most one packet.
  ///
  /// - Throws: as `Demuxer.read` does.
  func next() throws -> CueStep
}

/// A reader that can start again.
protocol RewindableCueReader: CueReader {
  /// Seeks to the beginning.
  ///
  /// - Throws: an error of the layer below.
  func rewind() throws
}

/// Reads the cues of one track in file order. Use from one thread at a time.
final class SubtitleReader: RewindableCueReader {
  private let router: PacketRouter
  private let decoder: SubtitleDecoder
  private let header: String
  private let script: SSAScript
  private let track: AssetTrack
  /// The stream's time that is time 0 of the clip.
  private let startTime: MediaTime
  private let packet: Packet
  /// The video that the subtitles accompany, if its timestamps, and with them theirs, may jump.
  private var video: (index: Int, jumps: JumpFollower)?
  /// Packets after a jump that the video has not reached, and some that it has.
  private var waiting: [Packet] = []
  private var ready: [Packet] = []
  /// The number of video packets since the first of `waiting` came.
  private var waited = 0
  private var isWebVTT: Bool { track.codec == "webvtt" }
  /// True if an author wrote the lines of the script.
  private var isScript: Bool { track.codec == "ass" || track.codec == "ssa" }
  /// True if every cue of the format has an end: if it is not after its start, the cue has no duration.
  private let hasEnds: Bool

  /// The maximum number of packets that wait for the video, and of video packets waited for: a packet that is far from the
  /// video for longer is so without a jump.
  private static let maxWaiting = 64
  private static let patience = 100

  /// The length from which a cue has no end: files state the largest number for that.
  private static let maxLength = MediaTime(value: Int64(Int32.max), timescale: 1000)

  /// - Parameters:
  ///   - opened: at its beginning; the reader takes it over.
  ///   - video: the video that they accompany; nil for a separate file.
  /// - Throws: an error of the layer below.
  init(_ opened: OpenedInput, track: AssetTrack, beside video: AssetTrack?, startTime: MediaTime) throws {
    router = PacketRouter(opened, session: nil)
    hasEnds = ["srt", "webvtt", "ass"].contains(opened.demuxer.formatName)
    self.track = track
    self.startTime = startTime
    decoder = try SubtitleDecoder(demuxer: opened.demuxer, stream: track.index)
    header = decoder.scriptHeader
    script = SSAScript(header)
    packet = try Packet()
    router.add(stream: track.index)
    if let video, opened.demuxer.mayBeDiscontinuous {
      self.video = (video.index, JumpFollower(video: video, mayJump: true))
      router.add(stream: video.index)
    }
  }

  func rewind() throws {
    try router.seek(track.index, toKeyAtOrBefore: 0)
    decoder.flush()
    (waiting, ready, waited) = ([], [], 0)
  }

  func next() throws -> CueStep {
    if !ready.isEmpty { return step(ready.removeFirst()) }
    switch try router.read(track.index, into: packet) {
    case .packet:
      return try take()
    case .other:
      try readVideo()
      return .progress
    case .endOfFile:
      guard !waiting.isEmpty else { return .endOfFile }
      release()
      return .progress
    }
  }

  /// Processes the packet of the track, or makes it wait for the video.
  private func take() throws -> CueStep {
    guard !waiting.isEmpty || isFar(packet), waiting.count < Self.maxWaiting else { return step(packet) }
    let kept = try Packet()
    kept.take(packet)
    waiting.append(kept)
    return .progress
  }

  /// Follows the video, if the packet belongs to it rather than to the track.
  private func readVideo() throws {
    guard let index = video?.index, try router.read(index, into: packet) == .packet else { return }
    _ = video?.jumps.note(packet)
    if !waiting.isEmpty { waited += 1 }
    // A parser outputs the video's last packet before a jump once the jump has been passed.
    if waited >= Self.patience || waiting.first.map({ !isFar($0) }) ?? false { release() }
  }

  private func release() {
    ready += waiting
    (waiting, waited) = ([], 0)
  }

  /// Returns true if a packet is far from the video's current time, as after a jump.
  private func isFar(_ packet: Packet) -> Bool {
    guard let video, let ticks = packet.pts ?? packet.dts else { return false }
    return video.jumps.place(MediaTime(ticks: ticks, in: track.timeBase)) == nil
  }

  /// Returns the step for a packet of the track.
  private func step(_ packet: Packet) -> CueStep {
    guard let ticks = packet.pts ?? packet.dts else { return .progress }
    let stamp = MediaTime(ticks: ticks, in: track.timeBase)
    let start = start(of: stamp)
    let stated = packet.duration > 0 ? MediaTime(ticks: packet.duration, in: track.timeBase) : nil
    var length = stated.flatMap { $0 < Self.maxLength ? $0 : nil }
    if let language = track.samiLanguage {
      let text = packet.withBytes { String(decoding: $0, as: UTF8.self) }
      guard let own = language.text(in: text), (try? packet.replaceBytes(Array(own.utf8))) != nil else { return .progress }
      // It is the time until the next packet, which may be of another language.
      length = nil
    }
    if hasEnds, length == nil { return .progress }
    if isWebVTT {
      let text = packet.withBytes { String(decoding: $0, as: UTF8.self) }
      let end = length.map { start + $0 } ?? .positiveInfinity
      guard let cue = WebVTTCue(text, settings: packet.webVTTSettings) else { return .progress }
      return .cues(
        [SubtitleCue(timeRange: TimeRange(start: start, end: end), lines: cue.lines, placement: cue.placement)], from: start)
    }
    // Only the length of an empty text: the earlier text is over.
    if track.codec == "mov_text", packet.byteCount <= 2 { return .cues([], from: start) }
    if track.codec == "subrip" { try? packet.keepStrayBrackets() }
    guard let subtitle = try? decoder.decode(packet) else {
      // A damaged packet is ignored. Blank text, which is an error in SAMI, replaces the earlier one; images and captions may
      // take several packets.
      return track.subtitleForm == .text && track.codec != "eia_608" ? .cues([], from: start) : .progress
    }
    if track.codec == "eia_608", let time = subtitle.time {
      // The packet is the one at which the caption disappeared.
      return .captions(subtitle, from: MediaTime(value: time, timescale: 1_000_000) - startTime, script)
    }
    // A PGS page may come in several packets, the last of which has an earlier time.
    let page = track.codec == "hdmv_pgs_subtitle" ? subtitle.time.map { MediaTime(value: $0, timescale: 1_000_000) } : nil
    let later = page.flatMap { $0 - stamp > MediaTime(value: 1, timescale: 1000) ? $0 : nil }
    let begin = (later.map(self.start(of:)) ?? start) + MediaTime(value: Int64(subtitle.startOffset), timescale: 1000)
    // libavcodec rounds the packet's exact duration to milliseconds.
    let decodedEnd = track.samiLanguage == nil ? subtitle.endOffset.map { start + MediaTime(value: Int64($0), timescale: 1000) } : nil
    let end = length.map { start + $0 } ?? decodedEnd ?? .positiveInfinity
    let range = TimeRange(start: begin, end: end)
    let images = subtitle.images.isEmpty
      ? [] : [SubtitleCue(timeRange: range, lines: [], bitmaps: subtitle.images.map(SubtitleBitmap.init))]
    let all = cues(subtitle.lines, range) + images
    if isScript {
      let lines = subtitle.lines.map { SubtitleCue(timeRange: range, lines: [SubtitleLine([SubtitleSpan($0)])]) }
      return .cues(all, from: begin, script: ScriptPart(header: header, lines: lines))
    }
    // For images there is one page at a time; its own end, if any, is the latest possible.
    return track.subtitleForm == .bitmap ? .page(all, from: begin) : .cues(all, from: begin)
  }

  /// Returns the display time of a timestamp.
  private func start(of stamp: MediaTime) -> MediaTime { (video?.jumps.placed(stamp) ?? stamp) - startTime }

  private func cues(_ lines: [String], _ range: TimeRange) -> [SubtitleCue] {
    // QuickTime text has no comments and no markup.
    let hasComments = track.codec != "mov_text"
    return lines.compactMap { SSALine($0, of: script, hasComments: hasComments) }.sorted { $0.layer < $1.layer }.map {
      SubtitleCue(timeRange: range, lines: $0.lines, placement: $0.placement)
    }
  }
}

extension Packet {
  /// Keeps libavcodec from taking text such as "2<3 & 5>1" for a tag, whose name starts with a letter.
  ///
  /// - Throws: `AVError` if memory runs out.
  fileprivate func keepStrayBrackets() throws {
    let open = UInt8(ascii: "<"), slash = UInt8(ascii: "/")
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    let kept = withBytes { bytes -> [UInt8]? in
      func isStray(_ place: Int) -> Bool {
        let rest = bytes[(place + 1)...].prefix(2)
        guard bytes[place] == open, let first = rest.first else { return false }
        return !isLetter(first == slash && rest.count > 1 ? rest[place + 2] : first)
      }
      guard bytes.indices.contains(where: isStray) else { return nil }
      // An override without effect, which is left out.
      return bytes.indices.flatMap { isStray($0) ? [open] + "{\\q}".utf8 : [bytes[$0]] }
    }
    if let kept { try replaceBytes(kept) }
  }
}
