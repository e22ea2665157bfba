import Libav
import Pixels

/// Writes overlay text to a separate track, as text that players draw.
///
/// Use from one thread.
final class TextTrackWriter {
  private let muxer: Muxer
  private let stream: Muxer.Stream
  private let encoder: TextEncoder
  private let writer: SSAWriter
  private let packet: Packet
  private let timeBase: Ratio
  private let frameBefore: (MediaTime) -> MediaTime?
  /// Cues that are visible together, in order.
  private let cues: [[SubtitleCue]]
  private var done = 0

  /// Adds the track; nil if there is no text, or the container does not support it.
  ///
  /// - Parameters:
  ///   - cues: with their display times in the file, in order.
  ///   - size: the size of the frames as displayed, in pixels.
  ///   - videoTick: the time base of the frames' timestamps.
  ///   - frameBefore: returns the start of the last frame that starts before a time.
  /// - Throws: `MuxerError` or `AVError`.
  init?(
    _ cues: [SubtitleCue], size: PixelSize, _ muxer: Muxer, videoTick: Ratio, frameBefore: @escaping (MediaTime) -> MediaTime?
  ) throws {
    guard let format = muxer.textFormat, !cues.isEmpty else { return nil }
    self.muxer = muxer
    self.frameBefore = frameBefore
    self.cues = format == .movText ? Self.oneAtATime(cues) : cues.map { [$0] }
    writer = SSAWriter(size: size, format: format)
    encoder = try TextEncoder(format, header: writer.header)
    packet = try Packet()
    timeBase = muxer.textTick(besideVideo: videoTick)
    stream = try muxer.addStream(from: encoder, timeBase: timeBase)
  }

  /// The maximum text size that QuickTime supports in bytes, minus an allowance for markup.
  private static let maxBytes = 60_000

  /// Merges simultaneous cues into one.
  private static func oneAtATime(_ cues: [SubtitleCue]) -> [[SubtitleCue]] {
    let timeline = SubtitleTimeline(cues)
    var result: [[SubtitleCue]] = []
    var next = cues.first?.timeRange.start
    while let time = next {
      next = timeline.nextChange(after: time)
      guard let end = next else { break }
      var room = maxBytes
      let seen = timeline.cues(at: time).prefix { cue in
        room -= cue.text.utf8.count + 1
        return room >= 0
      }.map { cue in
        var cue = cue
        cue.timeRange = TimeRange(start: time, end: end)
        return cue
      }
      if !seen.isEmpty { result.append(seen) }
    }
    return result
  }

  /// Writes the text that starts up to a time.
  ///
  /// - Throws: `FileOutputError` or `AVError`.
  func write(through time: MediaTime) throws {
    while done < cues.count, let range = cues[done].first?.timeRange, range.start <= time {
      let start = ticks(range.start), length = max(1, ticks(range.end) - start)
      try encoder.encode(writer.line(cues[done], number: done), into: packet)
      try muxer.write(packet, to: stream, pts: start, dts: start, duration: length)
      done += 1
    }
  }

  /// Returns a time in ticks, after the previous frame and not after the one that starts then, however their times are
  /// rounded.
  private func ticks(_ time: MediaTime) -> Int64 {
    let floor = time.ticks(in: timeBase, rounding: .towardNegativeInfinity) ?? 0
    return max(floor, frameBefore(time).map { $0.ticks(of: timeBase) + 1 } ?? 0)
  }
}
