extension HLSTimeline {
  /// Creates the timeline of another rendition of the same content, on which the same moments have the same times.
  ///
  /// Live playlists begin where they happen to be when they are loaded. They are aligned by their dates, else by their media
  /// sequence numbers, as renditions of one content usually count alike, else by their ends.
  ///
  /// - Parameters:
  ///   - start: as for a playlist loaded for the first time.
  ///   - other: the timeline of the rendition known before; nil if there is none.
  init(_ playlist: HLSMediaPlaylist, start: HLSStart?, beside other: HLSTimeline?, at now: HostTime) {
    let own = HLSTimeline(playlist, start: start, at: now)
    guard let other, own.isLive || other.isLive, !own.sequences.isEmpty, !other.sequences.isEmpty else {
      self = own
      return
    }
    self.init(
      playlist, epoch: other.epoch, origin: Self.origin(of: playlist.segments, own, beside: other), reload: own.reload,
      commonStart: start)
  }

  private static func origin(of segments: HLSSegmentList, _ own: HLSTimeline, beside other: HLSTimeline) -> Int64 {
    let others = other.playlist.segments
    if let date = segments.records.first?.date, let known = others.records.first?.date {
      return other.origin + (date - known)
    }
    if let common = own.sequences.clamped(to: other.sequences).first {
      return other.origin + others.start(of: common - others.firstSequence) - segments.start(of: common - segments.firstSequence)
    }
    return other.origin + others.duration - segments.duration
  }
}
