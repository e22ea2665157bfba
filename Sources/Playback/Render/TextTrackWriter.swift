import Libav
import Pixels

/// Writes text that lies over the frames into a track of its own, as text: players draw it.
///
/// Used by one thread.
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

  /// Adds the track; nil where there is no text, or the container holds none.
  ///
  /// - Parameters:
  ///   - cues: with the times at which they are to be seen in the file, in order.
  ///   - size: of the frames as they are shown, in pixels.
  ///   - videoTick: of the time stamps of the frames.
  ///   - frameBefore: when the last frame begins that begins before a time.
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

  /// Bytes of text that QuickTime takes at once, less what markup adds.
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

  /// Writes what begins up to a time.
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

  /// Behind the frame before, and not behind the one that begins then, wherever their times are rounded to.
  private func ticks(_ time: MediaTime) -> Int64 {
    let floor = time.ticks(in: timeBase, rounding: .towardNegativeInfinity) ?? 0
    return max(floor, frameBefore(time).map { $0.ticks(of: timeBase) + 1 } ?? 0)
  }
}
