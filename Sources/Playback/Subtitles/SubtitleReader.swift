import Libav

/// What came of reading a little.
enum CueStep {
  /// What is to be seen from a time on; without an end, or without cues, also what was there before goes then.
  case cues([SubtitleCue], from: MediaTime)
  /// Nothing that changes what is to be seen.
  case progress
  case endOfFile
}

extension CueStep {
  /// What a decoder of captions tells, from the time on at which they appeared.
  static func captions(_ subtitle: DecodedSubtitle, from begin: MediaTime, _ script: SSAScript) -> CueStep {
    let end = subtitle.endOffset.map { begin + MediaTime(value: Int64($0), timescale: 1000) } ?? .positiveInfinity
    let cues = subtitle.lines.compactMap { SSALine($0, of: script) }.map {
      SubtitleCue(timeRange: TimeRange(start: begin, end: end), lines: $0.lines, placement: $0.placement)
    }
    return .cues(cues, from: begin)
  }
}

/// Reads cues in the order of a file.
protocol CueReader {
  /// Reads a packet at the most.
  ///
  /// - Throws: as `Demuxer.read`.
  func next() throws -> CueStep
}

/// Reads the cues of one track in the order of the file. Used by one thread at a time.
final class SubtitleReader: CueReader {
  private let demuxer: Demuxer
  private let decoder: SubtitleDecoder
  private let script: SSAScript
  private let track: AssetTrack
  /// The stream's time that is time 0 of what the subtitles are for.
  private let startTime: MediaTime
  private let packet: Packet
  private var isWebVTT: Bool { track.codec == "webvtt" }

  /// - Throws: an error of the layer below.
  init(_ demuxer: Demuxer, track: AssetTrack, startTime: MediaTime) throws {
    self.demuxer = demuxer
    self.track = track
    self.startTime = startTime
    decoder = try SubtitleDecoder(demuxer: demuxer, stream: track.index)
    script = SSAScript(decoder.scriptHeader)
    packet = try Packet()
    demuxer.select(streams: [track.index])
  }

  func next() throws -> CueStep {
    guard try demuxer.read(into: packet) == .packet else { return .endOfFile }
    guard packet.streamIndex == track.index, let ticks = packet.pts ?? packet.dts else { return .progress }
    let start = MediaTime(ticks: ticks, in: track.timeBase) - startTime
    let length = packet.duration > 0 ? MediaTime(ticks: packet.duration, in: track.timeBase) : nil
    if isWebVTT {
      let text = packet.withBytes { String(decoding: $0, as: UTF8.self) }
      let end = length.map { start + $0 } ?? .positiveInfinity
      guard let cue = WebVTTCue(text, settings: packet.webVTTSettings) else { return .progress }
      return .cues(
        [SubtitleCue(timeRange: TimeRange(start: start, end: end), lines: cue.lines, placement: cue.placement)], from: start)
    }
    // One that is damaged is as if it were not there.
    guard let subtitle = try? decoder.decode(packet) else { return .progress }
    if track.codec == "eia_608", let time = subtitle.time {
      // The packet is the one with which the caption went.
      return .captions(subtitle, from: MediaTime(value: time, timescale: 1_000_000) - startTime, script)
    }
    let begin = start + MediaTime(value: Int64(subtitle.startOffset), timescale: 1000)
    // libavcodec rounds to milliseconds what the packet says exactly.
    let told = subtitle.endOffset.map { start + MediaTime(value: Int64($0), timescale: 1000) }
    let end = length.map { start + $0 } ?? told ?? .positiveInfinity
    let range = TimeRange(start: begin, end: end)
    let images = subtitle.images.isEmpty
      ? [] : [SubtitleCue(timeRange: range, lines: [], bitmaps: subtitle.images.map(SubtitleBitmap.init))]
    return .cues(cues(subtitle.lines, range) + images, from: begin)
  }

  private func cues(_ lines: [String], _ range: TimeRange) -> [SubtitleCue] {
    lines.compactMap { SSALine($0, of: script) }.sorted { $0.layer < $1.layer }.map {
      SubtitleCue(timeRange: range, lines: $0.lines, placement: $0.placement)
    }
  }
}
