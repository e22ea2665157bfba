import Libav

/// One reader's way through the segments of a clip: of its video, or of a rendition. Safe to use from any thread.
///
/// In playback it says where it is, so that segments are loaded ahead.
final class HLSReading: SegmentedSource {
  /// Retained: the source ends all loading when it is freed.
  private let source: HLSSource
  private let supply: HLSSupply
  private let role: ReadingRole

  init(_ source: HLSSource, _ supply: HLSSupply, role: ReadingRole) {
    (self.source, self.supply, self.role) = (source, supply, role)
  }

  var startMicroseconds: Int64 { (source.startTime.nanoseconds ?? 0) / 1000 }

  var durationMicroseconds: Int64? { supply.current?.timeline.duration.nanoseconds.map { $0 / 1000 } }

  func run(at microseconds: Int64, _ interrupter: Interrupter) throws -> SegmentRun {
    let time = MediaTime(value: microseconds, timescale: 1_000_000)
    let latest = supply.current?.timeline.seekableRange.end ?? time
    let place = try interrupter.whileWaiting { () throws(PlaybackError) in try supply.place(at: min(time, latest), interrupter) }
    return try run(from: place)
  }

  func run(after run: SegmentRun, _ interrupter: Interrupter) throws -> SegmentRun? {
    guard let last = (run.bytes as? HLSRunBytes)?.last else { return nil }
    let next = try interrupter.whileWaiting { () throws(PlaybackError) in try supply.next(after: last, interrupter) }
    return try next.map { try self.run(from: $0) }
  }

  private func run(from place: HLSSupply.Place) throws -> SegmentRun {
    guard let stream = supply.known(place.stream), let segment = stream.timeline.segment(place.number),
      let range = stream.timeline.timeRange(ofSegment: place.number), let media = try stream.resource(of: place.number)
    else { throw PlaybackError(.playlist, "has no such segment") }
    let parts = [try stream.initialization(of: place.number), media].compactMap(\.self)
    didReach(place, share: 0)
    return SegmentRun(
      bytes: HLSRunBytes(self, first: place, parts: parts), start: (range.start.nanoseconds ?? 0) / 1000,
      group: segment.discontinuity &+ stream.timeline.epoch << 32, variant: place.stream)
  }

  /// Returns the segment that continues a run after one of its segments, and waits for it; nil if the run ends there.
  ///
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func continuation(
    of place: HLSSupply.Place, _ interrupter: Interrupter
  ) throws(PlaybackError) -> (resource: HLSLoader.Resource, place: HLSSupply.Place)? {
    guard let next = try supply.next(after: place, interrupter), next.stream == place.stream, next.number == place.number + 1,
      let timeline = supply.known(place.stream)?.timeline, let former = timeline.segment(place.number),
      let segment = timeline.segment(next.number), segment.discontinuity == former.discontinuity, segment.map == former.map,
      let resource = try supply.known(place.stream)?.resource(of: next.number)
    else { return nil }
    return (resource, next)
  }

  /// Begins to use the bytes of a part of a run.
  ///
  /// - Throws: `PlaybackError` if they cannot be loaded now.
  func use(_ resource: HLSLoader.Resource, of place: HLSSupply.Place) throws(PlaybackError) -> HLSLoader.Use {
    try supply.use(resource, of: place)
  }

  /// Notes that a share of a segment's bytes has been read.
  func didReach(_ place: HLSSupply.Place, share: Double) {
    if role.use == .playback { supply.didReach(place, share: share) }
  }

  /// Notes that a segment has been read to its end.
  func didRead(_ place: HLSSupply.Place) { supply.known(place.stream)?.noteLoaded() }

  /// Notes that a segment cannot be loaded.
  func noteMissing(_ place: HLSSupply.Place, _ error: PlaybackError) {
    supply.known(place.stream)?.noteMissing(place.number, error)
  }
}
