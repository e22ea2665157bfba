import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct HLSTimelineTests {
  private func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }
  private func host(_ seconds: Int64) -> HostTime { seconds * 1_000_000_000 }
  private func range(_ start: Int64, _ end: Int64) -> TimeRange { TimeRange(start: time(start), end: time(end)) }

  @Test func segmentsByTime() throws {
    let timeline = HLSTimeline(try HLSSamples.media(HLSSamples.byteRanges), at: 0)
    #expect(!timeline.isLive && timeline.duration == MediaTime(value: 37, timescale: 2) && timeline.sequences == 0..<5)
    #expect(timeline.sequence(at: .zero) == 0 && timeline.sequence(at: time(6)) == 1 && timeline.sequence(at: time(12)) == 2)
    // The last instant before a boundary, in a timescale that does not divide nanoseconds.
    #expect(timeline.sequence(at: MediaTime(value: Int64(12) * 90_001 - 1, timescale: 90_001)) == 1)
    #expect(timeline.sequence(at: MediaTime(value: 184, timescale: 10)) == 4
      && timeline.sequence(at: MediaTime(value: 185, timescale: 10)) == nil)
    #expect(timeline.sequence(at: MediaTime(value: -1, timescale: 1000)) == nil)
    for time in [MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity, MediaTime(value: .min, timescale: 1)] {
      #expect(timeline.sequence(at: time) == nil)
    }
    #expect(timeline.timeRange(ofSegment: 1) == range(6, 12) && timeline.timeRange(ofSegment: 5) == nil
      && timeline.segment(-1) == nil)
    #expect(timeline.segment(2)?.byteRange == 3_018_963..<3_918_963)
    #expect(timeline.seekableRange == timeline.timeRange && timeline.startTime == .zero)
  }

  /// Each time of a playlist with segments of any durations, zero among them.
  @Test func everyTimeHasItsSegment() throws {
    var random = SplitMix64(seed: 5), text = "#EXTM3U\n"
    for _ in 0..<200 { text += "#EXTINF:\(Int.random(in: 0...3, using: &random)).\(Int.random(in: 0...9, using: &random))\na\n" }
    let timeline = HLSTimeline(try HLSSamples.media(text + "#EXT-X-ENDLIST\n"), at: 0)
    for sequence in timeline.sequences {
      let range = try #require(timeline.timeRange(ofSegment: sequence))
      if !range.isEmpty { #expect(timeline.sequence(at: range.start) == sequence) }
      #expect(timeline.timeRange(ofSegment: sequence + 1)?.start ?? timeline.timeRange.end == range.end)
    }
  }

  @Test func groupsAndGaps() throws {
    let timeline = HLSTimeline(try HLSSamples.media(HLSSamples.broadcast), at: 0)
    #expect(timeline.groups.map(\.discontinuity) == [12, 13, 14])
    #expect(timeline.groups.map(\.segments) == [7151..<7153, 7153..<7155, 7155..<7156])
    #expect(timeline.groups[0].timeRange == range(0, 4))
    #expect(timeline.groups[1].timeRange.end == MediaTime(value: 8004, timescale: 1000))
    let event = HLSTimeline(try HLSSamples.media(HLSSamples.event), at: 0)
    #expect(event.gaps == [TimeRange(start: time(10), duration: MediaTime(value: 997_667, timescale: 100_000))])
  }

  @Test func liveStartsBehindTheEdge() throws {
    let timeline = HLSTimeline(try HLSSamples.live(10..<20), at: 0)
    #expect(timeline.isLive && timeline.duration.isIndefinite && timeline.timeRange == range(0, 40))
    #expect(timeline.seekableRange == range(0, 28) && timeline.startTime == time(28))
    let longer = HLSTimeline(try HLSSamples.live(10..<20, header: "#EXT-X-SERVER-CONTROL:HOLD-BACK=14.5\n"), at: 0)
    #expect(longer.seekableRange.end == MediaTime(value: 51, timescale: 2) && longer.startTime == time(24))
    let shorter = HLSTimeline(try HLSSamples.live(10..<20, header: "#EXT-X-SERVER-CONTROL:HOLD-BACK=1\n"), at: 0)
    #expect(shorter.seekableRange == range(0, 28), "servers may not ask for less")
    let short = HLSTimeline(try HLSSamples.live(10..<12), at: 0)
    #expect(short.seekableRange == range(0, 0) && short.startTime == .zero)
    let empty = HLSTimeline(try HLSSamples.live(10..<10), at: 0)
    #expect(empty.timeRange == range(0, 0) && empty.startTime == .zero && empty.groups.isEmpty && empty.gaps.isEmpty)
  }

  @Test(arguments: [
    ("TIME-OFFSET=6", false, 4), ("TIME-OFFSET=6,PRECISE=YES", false, 6), ("TIME-OFFSET=-15", false, 24),
    ("TIME-OFFSET=-2,PRECISE=YES", false, 28),
    ("TIME-OFFSET=-400", false, 0), ("TIME-OFFSET=-2,PRECISE=YES", true, 38), ("TIME-OFFSET=400", true, 40),
    ("TIME-OFFSET=x", true, 0),
    ("TIME-OFFSET=99999999999999", true, 40), ("TIME-OFFSET=-99999999999999", true, 0),
  ] as [(String, Bool, Int64)])
  func theStartIsAsAsked(attributes: String, isEnded: Bool, start: Int64) throws {
    let header = "#EXT-X-START:\(attributes)\n"
    #expect(HLSTimeline(try HLSSamples.live(10..<20, isEnded: isEnded, header: header), at: 0).startTime == time(start))
    let common = try HLSSamples.multivariant("#EXTM3U\n\(header)#EXT-X-STREAM-INF:BANDWIDTH=1\na\n").start
    #expect(HLSTimeline(try HLSSamples.live(10..<20, isEnded: isEnded), start: common, at: 0).startTime == time(start))
  }

  @Test func theWindowMoves() throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: 0)
    let (second, update) = first.updated(with: try HLSSamples.live(12..<17), at: host(4))
    #expect(update == HLSTimelineUpdate(change: .advanced(added: 3, missed: 0)))
    #expect(second.timeRange == range(8, 28) && second.timeRange(ofSegment: 13) == first.timeRange(ofSegment: 13)
      && second.epoch == 0)
    let (same, none) = second.updated(with: try HLSSamples.live(12..<17), at: host(8))
    #expect(none == HLSTimelineUpdate(change: .unchanged) && same.timeRange == second.timeRange)
    let (ended, end) = same.updated(with: try HLSSamples.live(13..<17, isEnded: true), at: host(10))
    #expect(end == HLSTimelineUpdate(change: .unchanged, hasEnded: true) && ended.timeRange == range(12, 28))
    #expect(!ended.isLive && ended.seekableRange == range(12, 28) && ended.duration == time(16))
  }

  /// Caches may answer with an older playlist; the newer one stays.
  @Test(arguments: [9..<13, 10..<13, 9..<14, 10..<12])
  func anOlderPlaylistIsIgnored(sequences: Range<Int>) throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: 0)
    let (second, update) = first.updated(with: try HLSSamples.live(sequences), at: host(4))
    #expect(update.change == .outdated && second.sequences == 10..<14 && second.timeRange == first.timeRange)
  }

  @Test func aWindowThatGrowsAtItsStartKeepsItsTimes() throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: 0)
    let (second, update) = first.updated(with: try HLSSamples.live(8..<15), at: host(4))
    #expect(update.change == .advanced(added: 1, missed: 0) && second.timeRange == range(-8, 20))
  }

  @Test func missedSegmentsTakeTheirTime() throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: 0)
    let (second, update) = first.updated(with: try HLSSamples.live(20..<24), at: host(60))
    #expect(update.change == .advanced(added: 4, missed: 6) && second.timeRange == range(40, 56))
    // Dates know better.
    let dated = HLSTimeline(try HLSSamples.live(10..<14, date: "2024-01-01T00:00:00Z"), at: 0)
    let (third, _) = dated.updated(with: try HLSSamples.live(20..<24, date: "2024-01-01T00:00:46Z"), at: host(60))
    #expect(third.timeRange == range(46, 62))
    let (fourth, far) = first.updated(with: try HLSSamples.live(10_000_000..<10_000_004), at: host(60))
    #expect(far.change == .restarted && fourth.timeRange == range(16, 32))
  }

  @Test func theServerStartsOver() throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: 0)
    let (second, update) = first.updated(with: try HLSSamples.live(0..<3), at: host(4))
    #expect(update.change == .restarted && second.epoch == 1 && second.timeRange == range(16, 28))
    let (third, other) = first.updated(with: try HLSSamples.live(8..<13, prefix: "other"), at: host(4))
    #expect(other.change == .restarted && third.epoch == 1 && third.sequences == 8..<13)
  }

  @Test func changedSegmentsAreReported() throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: 0)
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:11\n#EXTINF:4,\nhttps://cdn/s11.ts?token=2\n"
    text += "#EXTINF:4,\nother.ts\n#EXT-X-GAP\n#EXTINF:4,\ns13.ts\n#EXTINF:4,\ns14.ts\n"
    let (second, update) = first.updated(with: try HLSSamples.media(text), at: host(4))
    #expect(update.change == .advanced(added: 1, missed: 0) && update.changedSegments == [12, 13]
      && second.timeRange == range(4, 20))
  }

  @Test func aPlaylistThatBeginsEmpty() throws {
    let first = HLSTimeline(try HLSSamples.live(0..<0), at: 0)
    let (second, update) = first.updated(with: try HLSSamples.live(0..<2), at: host(4))
    #expect(update.change == .advanced(added: 2, missed: 0) && second.timeRange == range(0, 8))
    let (third, none) = second.updated(with: try HLSSamples.live(2..<2), at: host(8))
    #expect(none.change == .unchanged && third.timeRange == range(8, 8))
  }

  @Test func reloading() throws {
    let first = HLSTimeline(try HLSSamples.live(10..<14), at: host(100))
    #expect(first.reload.nextLoad == host(104))
    let (second, _) = first.updated(with: try HLSSamples.live(10..<14), at: host(104))
    #expect(second.reload.nextLoad == host(106), "half as long after no change")
    let (third, _) = second.updated(with: try HLSSamples.live(11..<15), at: host(106))
    #expect(third.reload.nextLoad == host(110) && third.reload.silence(at: host(124)) == nil && third.reload.silence(at: host(125)) != nil)
    let (fourth, _) = third.updated(with: try HLSSamples.live(10..<14), at: host(110))
    #expect(fourth.reload.silence(at: host(125)) != nil, "an older playlist is no news")
    #expect(HLSReloadSchedule(targetDuration: HLSLimits.segmentDuration, at: .max).interval == 60_000_000_000)
    #expect(HLSReloadSchedule(targetDuration: 0, at: .min).interval == 500_000_000)
  }

  /// Servers that do their worst at each load.
  @Test func timesStayFinite() throws {
    var timeline = HLSTimeline(try HLSSamples.live(0..<1), at: 0)
    let long = "#EXTM3U\n#EXT-X-TARGETDURATION:604800\n"
    let segments = String(repeating: "#EXTINF:604800,\na\n", count: 520)
    for load in 0..<100 {
      let first = load % 2 == 0 ? 1 << 62 : 1000 - load
      let playlist = try HLSSamples.media(long + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + segments)
      timeline = timeline.updated(with: playlist, at: .max).timeline
    }
    #expect(timeline.epoch == 100 && timeline.timeRange.isValid && timeline.seekableRange.isValid)
    #expect(timeline.groups.count == 1 && timeline.sequence(at: timeline.startTime) != nil)
  }
}
