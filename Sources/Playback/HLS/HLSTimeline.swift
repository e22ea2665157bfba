/// The segments of a media playlist on a timeline that stays the same while a live playlist moves on.
///
/// Zero is the start of the first segment of the first playlist. Segments are known by their media sequence numbers, which
/// are unique until the server starts over; `epoch` tells those runs apart.
struct HLSTimeline: Sendable {
  /// Consecutive segments without a discontinuity between them.
  struct Group: Hashable, Sendable {
    /// The discontinuity sequence number.
    let discontinuity: Int
    /// Media sequence numbers.
    let segments: Range<Int>
    /// The time from the start of the first segment to the end of the last one.
    let timeRange: TimeRange
  }

  /// The newest playlist.
  let playlist: HLSMediaPlaylist
  /// Number of times that the server has started over.
  let epoch: Int
  /// Start of the playlist's first segment in nanoseconds on this timeline.
  let origin: Int64
  /// The times at which to load the playlist again; of no use once it has ended.
  let reload: HLSReloadSchedule
  /// The multivariant playlist's wish, which the media playlist's own precedes.
  let commonStart: HLSStart?

  /// Creates the timeline of a playlist loaded for the first time.
  ///
  /// - Parameters:
  ///   - start: the point to start at according to the multivariant playlist.
  ///   - now: the host time at which the load began.
  init(_ playlist: HLSMediaPlaylist, start: HLSStart? = nil, at now: HostTime) {
    let schedule = HLSReloadSchedule(targetDuration: playlist.targetDuration, at: now)
    self.init(playlist, epoch: 0, origin: 0, reload: schedule, commonStart: start)
  }

  init(_ playlist: HLSMediaPlaylist, epoch: Int, origin: Int64, reload: HLSReloadSchedule, commonStart: HLSStart?) {
    (self.playlist, self.epoch, self.reload, self.commonStart) = (playlist, epoch, reload, commonStart)
    // Servers that start over again and again could exceed 64 bits.
    self.origin = origin.withinReach
  }

  /// True if more segments are expected.
  var isLive: Bool { !playlist.isEnded }
  /// The total duration; indefinite for a live playlist.
  var duration: MediaTime { isLive ? .indefinite : timeRange.duration }
  /// The media sequence numbers of all segments.
  var sequences: Range<Int> { playlist.segments.firstSequence..<playlist.segments.firstSequence + playlist.segments.count }
  /// The time of all segments; its end is the live edge.
  var timeRange: TimeRange { timeRange(playlist.segments.indices) }

  /// Returns a segment by its media sequence number; nil if it has left the playlist, or is not in it yet.
  func segment(_ sequence: Int) -> HLSSegment? { index(sequence).map { playlist.segments[$0] } }

  /// Returns the time of a segment by its media sequence number; nil as for `segment`.
  func timeRange(ofSegment sequence: Int) -> TimeRange? {
    index(sequence).map { timeRange($0..<$0 + 1) }
  }

  /// Returns the media sequence number of the segment at a time; nil if there is none. Takes logarithmic time.
  func sequence(at time: MediaTime) -> Int? {
    let time = time.converted(toTimescale: 1_000_000_000, rounding: .towardNegativeInfinity)
    guard time.isNumeric else { return nil }
    let (offset, overflow) = time.value.subtractingReportingOverflow(origin)
    return overflow ? nil : playlist.segments.index(at: offset).map { playlist.segments.firstSequence + $0 }
  }

  private func index(_ sequence: Int) -> Int? { sequences.contains(sequence) ? sequence - playlist.segments.firstSequence : nil }

  private func timeRange(_ indices: Range<Int>) -> TimeRange {
    let start = playlist.segments.start(of: indices.lowerBound), end = playlist.segments.start(of: indices.upperBound)
    return TimeRange(start: MediaTime(nanoseconds: origin + start), duration: MediaTime(nanoseconds: end - start))
  }

  /// The segments between discontinuities, in order.
  var groups: [Group] {
    let segments = playlist.segments
    return runs { $0.discontinuities }.map { run in
      Group(
        discontinuity: segments.firstDiscontinuity + Int(run.value),
        segments: segments.firstSequence + run.indices.lowerBound..<segments.firstSequence + run.indices.upperBound,
        timeRange: timeRange(run.indices))
    }
  }

  /// The times of which there is no media, in order.
  var gaps: [TimeRange] { runs { $0.isGap }.filter(\.value).map { timeRange($0.indices) } }

  /// Returns the runs of segments for which a value is the same.
  private func runs<Value: Equatable>(_ value: (HLSSegmentList.Record) -> Value) -> [(value: Value, indices: Range<Int>)] {
    var result: [(value: Value, indices: Range<Int>)] = []
    for (index, record) in playlist.segments.records.enumerated() {
      let value = value(record)
      if let last = result.last, last.value == value {
        result[result.count - 1].indices = last.indices.lowerBound..<index + 1
      } else {
        result.append((value, index..<index + 1))
      }
    }
    return result
  }

  /// The distance from the live edge at which to play: three target durations, or more if the server asks for it.
  var holdBack: MediaTime { MediaTime(nanoseconds: max(playlist.targetDuration * 3, playlist.holdBack ?? 0)) }

  /// The times that can be sought: all of an ended playlist, else from its start to the distance from the live edge.
  var seekableRange: TimeRange {
    guard isLive else { return timeRange }
    return TimeRange(start: timeRange.start, end: max(timeRange.start, timeRange.end - holdBack))
  }

  /// The time at which to start: as the playlist asks, else at the start, or as near to the live edge as can be sought.
  ///
  /// The start of a segment, unless the playlist asks for a precise time.
  var startTime: MediaTime {
    guard let start = playlist.start ?? commonStart else { return isLive ? segmentStart(seekableRange.end) : timeRange.start }
    let time = (start.offset < 0 ? timeRange.end : timeRange.start) + MediaTime(nanoseconds: start.offset)
    let seekable = seekableRange.clamped(time)
    return start.isPrecise ? seekable : segmentStart(seekable)
  }

  /// Returns the start of the segment at a time; the time itself if there is none.
  private func segmentStart(_ time: MediaTime) -> MediaTime {
    sequence(at: time).flatMap { timeRange(ofSegment: $0) }?.start ?? time
  }
}
