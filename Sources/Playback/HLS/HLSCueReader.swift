import Libav

/// Reads the cues of a subtitle rendition, whose segments are WebVTT files, as they come. Use from one thread at a time.
///
/// Source: RFC 8216, 3.5. Each file tells the timestamp of the video that belongs to one of its times. Where it does not, or where
/// that leads far from the segment's place in the playlist, times count from the start of the playlist, or of the segment.
final class HLSCueReader: CueReader {
  /// Retained: the source ends all loading when it is freed.
  private let source: HLSSource
  private let supply: HLSSupply
  private let interrupter: Interrupter
  /// The video's timestamp that is time 0.
  private let startTime: MediaTime
  private var last: HLSSupply.Place?

  /// The size of a file.
  private static let maxBytes = 8 << 20
  /// The difference from its segment's time beyond which a cue counts as misplaced, in seconds.
  private static let tolerance = 30.0
  /// The time after which MPEG timestamps begin again, in seconds.
  private static let wrap = Double(UInt64(1) << 33) / 90_000

  /// - Parameter startTime: the video's timestamp that is time 0.
  init(_ source: HLSSource, _ supply: HLSSupply, startTime: MediaTime, _ interrupter: Interrupter) {
    (self.source, self.supply, self.startTime, self.interrupter) = (source, supply, startTime, interrupter)
  }

  func next() throws -> CueStep {
    let place = try last.map { try supply.next(after: $0, interrupter) } ?? supply.place(at: firstTime, interrupter)
    guard let place else { return .endOfFile }
    last = place
    guard let stream = supply.known(place.stream), let resource = try stream.resource(of: place.number),
      let range = stream.timeline.timeRange(ofSegment: place.number)
    else { return .progress }
    do throws(PlaybackError) {
      let bytes = try source.loader.contents(of: resource, "subtitles", limit: Self.maxBytes, interrupter)
      stream.noteLoaded()
      return .cues(cues(in: bytes, at: range.start), from: range.start)
    } catch {
      if error.reason == .cancelled { throw error }
      stream.noteMissing(place.number, error)
      return .progress
    }
  }

  private var firstTime: MediaTime {
    let timeline = supply.current?.timeline
    return timeline?.isLive == true ? source.startTime : timeline?.timeRange.start ?? .zero
  }

  /// Returns the cues of a file.
  ///
  /// - Parameter start: the time of the segment.
  private func cues(in bytes: [UInt8], at start: MediaTime) -> [SubtitleCue] {
    guard let demuxer = try? Demuxer(BytesInMemory(bytes), name: "segment.vtt", interrupter: interrupter),
      let packet = try? Packet(),
      let track = demuxer.streams.first(where: { $0.kind == .subtitle })
    else { return [] }
    let map = WebVTTTimestampMap(bytes)
    func time(_ stamp: MediaTime) -> MediaTime {
      guard let map else { return [stamp, start + stamp].first { isNear($0, start) } ?? stamp }
      let mapped = map.timestamp(of: stamp) - startTime
      let turns = ((start - mapped).seconds / Self.wrap).rounded()
      let placed = mapped + MediaTime(seconds: turns * Self.wrap, preferredTimescale: 90_000)
      return [placed, stamp, start + stamp].first { isNear($0, start) } ?? placed
    }
    var cues: [SubtitleCue] = []
    while (try? demuxer.read(into: packet)) == .packet {
      guard packet.streamIndex == track.index, packet.duration > 0, let ticks = packet.pts else { continue }
      let begin = time(MediaTime(ticks: ticks, in: track.timeBase))
      let text = packet.withBytes { String(decoding: $0, as: UTF8.self) }
      guard let cue = WebVTTCue(text, settings: packet.webVTTSettings) else { continue }
      let range = TimeRange(start: begin, duration: MediaTime(ticks: packet.duration, in: track.timeBase))
      cues.append(SubtitleCue(timeRange: range, lines: cue.lines, placement: cue.placement))
    }
    return cues
  }

  private func isNear(_ time: MediaTime, _ other: MediaTime) -> Bool { abs((time - other).seconds) <= Self.tolerance }
}
