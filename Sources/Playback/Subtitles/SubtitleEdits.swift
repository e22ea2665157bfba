import Libav

/// Applies a container's edit list to a subtitle track.
///
/// libavformat (5.1) takes a cue within which an edit begins for one that ends where the edit begins: what follows is early by what
/// is left of it. So the cues are read with the times of the media, and cut and moved here.
struct SubtitleEdits {
  /// A part of the media that is shown.
  struct Part {
    let media: TimeRange
    /// The offset from media times to display times.
    let offset: MediaTime

    /// Returns the display time for a media time, clamped to the part.
    func place(_ time: MediaTime) -> MediaTime { min(max(time, media.start), media.end) + offset }

    /// Returns the visible part of a cue; nil if there is none.
    func place(_ cue: SubtitleCue) -> SubtitleCue? {
      guard cue.timeRange.start < media.end, cue.timeRange.end > media.start else { return nil }
      var placed = cue
      // A cue without an end ends with the next.
      let end = cue.timeRange.end.isPositiveInfinity ? MediaTime.positiveInfinity : place(cue.timeRange.end)
      placed.timeRange = TimeRange(start: place(cue.timeRange.start), end: end)
      return placed
    }
  }

  /// In display order.
  private let parts: [Part]
  private let list: EditList
  private let videoList: EditList?

  /// The maximum number of video packets examined for one part.
  private static let maxPackets = 1000

  /// Reads the container's edit lists; nil if it has none.
  init?(_ demuxer: Demuxer, of track: AssetTrack, beside video: AssetTrack?) {
    guard let list = demuxer.editList(ofStream: track.index) else { return nil }
    self.list = list
    videoList = video.flatMap { demuxer.editList(ofStream: $0.index) }
    guard !list.edits.isEmpty || videoList?.edits.isEmpty == false else { return nil }
    parts = Self.parts(list)
  }

  static func parts(_ list: EditList) -> [Part] {
    guard !list.edits.isEmpty else { return [Part(media: TimeRange(start: .zero, end: .positiveInfinity), offset: .zero)] }
    var parts: [Part] = [], start = MediaTime.zero
    for edit in list.edits {
      let duration = MediaTime(ticks: edit.duration, in: list.movieTick)
      if let time = edit.mediaTime {
        let begin = MediaTime(ticks: time, in: list.mediaTick)
        parts.append(Part(media: TimeRange(start: begin, duration: edit.duration == 0 ? .positiveInfinity : duration), offset: start - begin))
        if edit.duration == 0 { break }
      }
      start = start + duration
    }
    return parts
  }

  /// Returns a reader of the cues at their display times.
  ///
  /// - Parameters:
  ///   - demuxer: with edit lists applied, at the beginning; its packets are consumed.
  ///   - media: the same input without edit lists, at the beginning.
  ///   - startTime: the stream's time that is time 0.
  ///   - makeReader: creates a reader of the cues at their media times; it takes over `media`.
  /// - Throws: an error of the layer below.
  func reader(
    _ demuxer: Demuxer, media: Demuxer, beside video: AssetTrack?, startTime: MediaTime, _ makeReader: () throws -> any RewindableCueReader
  ) throws -> EditedCueReader {
    let lead = try video.flatMap { try self.lead(of: $0, demuxer, media: media) } ?? .zero
    let reader = try makeReader()
    try reader.rewind()
    return EditedCueReader(reader, parts.map { Part(media: $0.media, offset: $0.offset - lead - startTime) })
  }

  /// Returns how much earlier libavformat shows the video than its edit list says: it starts with the first frame in the
  /// edit.
  private func lead(of video: AssetTrack, _ demuxer: Demuxer, media: Demuxer) throws -> MediaTime? {
    guard let first = videoList.flatMap({ Self.parts($0).first }) else { return nil }
    let packet = try Packet()
    demuxer.select(streams: [video.index])
    // Packets read to find the streams come first, whatever their stream.
    repeat {
      guard try demuxer.read(into: packet) == .packet else { return nil }
    } while packet.streamIndex != video.index
    guard let shown = packet.pts, let position = packet.position else { return nil }
    media.select(streams: [video.index])
    let start = first.media.start.ticks(in: video.timeBase, rounding: .towardNegativeInfinity)
    try media.seek(stream: video.index, toKeyAtOrBefore: start ?? 0)
    for _ in 0..<Self.maxPackets {
      guard try media.read(into: packet) == .packet else { return nil }
      guard packet.streamIndex == video.index, packet.position == position, let pts = packet.pts else { continue }
      return MediaTime(ticks: pts, in: video.timeBase) + first.offset - MediaTime(ticks: shown, in: video.timeBase)
    }
    return nil
  }
}
