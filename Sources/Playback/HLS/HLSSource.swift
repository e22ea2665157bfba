import DecodePool
import Glibc
import Libav
import Pixels
import Synchronization
import Transport

/// A clip of HTTP Live Streaming: its playlist, and runs of its segments for the demuxer. Safe to use from any thread.
///
/// A live playlist is loaded again and again, also while playback is paused or elsewhere.
final class HLSSource: SegmentedSource {
  private struct State {
    var timeline: HLSTimeline
    /// The segments that could not be loaded, which are skipped.
    var missing: Set<Int> = []
    /// The number of segments in a row that could not be loaded.
    var misses = 0
    /// The segments that have been asked for lately, by their bytes.
    var numbers: [HLSLoader.Resource: Int] = [:]
    var failure: PlaybackError?
  }

  private let loader: HLSLoader
  /// The address of the media playlist.
  private let url: NetworkURL
  private let variables: [String: String]
  /// Ends the loading of a live playlist.
  private let ending = Interrupter()
  private let state: Monitor<State>
  /// The size of frames that suffices for most terminals, in pixels.
  private static let usualDisplay = PixelSize(width: 640, height: 360)
  /// The number of segments to load ahead.
  private static let preloaded = 3

  private init(_ loader: HLSLoader, _ url: NetworkURL, _ timeline: HLSTimeline, _ variables: [String: String] = [:]) {
    (self.loader, self.url, self.variables) = (loader, url, variables)
    state = Monitor(State(timeline: timeline))
    startTime = timeline.isLive ? timeline.startTime : timeline.timeRange.start
    keepLoading()
  }

  /// The time on the playlist's timeline at which playback starts: near the edge of a live stream.
  let startTime: MediaTime

  deinit {
    ending.interrupt()
    loader.close()
  }

  /// Opens a clip by its playlist; waits for the playlist of a variant, if it has variants.
  ///
  /// - Parameters:
  ///   - bytes: the playlist.
  ///   - url: its address, after redirects.
  ///   - origin: the server that the user named.
  /// - Throws: `PlaybackError`.
  static func open(
    _ bytes: [UInt8], at url: NetworkURL, origin: Origin, network: Network, _ interrupter: Interrupter
  ) throws -> HLSSource {
    let loader = HLSLoader(network, origin)
    do {
      switch try HLSPlaylist(bytes, address: url.text) {
      case .media(let playlist):
        return try HLSSource(loader, url, timeline(playlist, nil))
      case .multivariant(let master):
        var choice = try HLSVariantChoice(master) { HLSCodecs.canDecode($0) }
        while let index = choice.update(for: .init(displaySize: Self.usualDisplay, bandwidth: loader.bandwidth)) ?? choice.current {
          let address = try url.resolving(choice.variants[index].uri)
          do {
            let (bytes, url) = try loader.playlist(address, interrupter)
            guard case .media(let playlist) = try HLSPlaylist(bytes, address: url.text, importing: master.variables) else {
              throw PlaybackError(.playlist, "names a playlist of playlists")
            }
            return try HLSSource(loader, url, timeline(playlist, master.start), master.variables)
          } catch let error as PlaybackError where error.reason != .cancelled {
            choice.exclude(index)
            if choice.current == nil { throw error }
          }
        }
        throw PlaybackError(.playlist, "has no variant that can be played")
      }
    } catch let error as HLSPlaylistError {
      throw PlaybackError(.playlist, error.description)
    } catch let error as NetworkURLError {
      throw Self.unusable(error)
    }
  }

  private static func unusable(_ error: NetworkURLError) -> PlaybackError {
    PlaybackError(.playlist, "names an address that cannot be used: \(error.description)")
  }

  private static func timeline(_ playlist: HLSMediaPlaylist, _ start: HLSStart?) throws -> HLSTimeline {
    let timeline = HLSTimeline(playlist, start: start, at: HostTime(monotonicNanoseconds()))
    guard !timeline.sequences.isEmpty else { throw PlaybackError(.playlist, "has no segments") }
    return timeline
  }

  /// The number of segments in a row without which the clip counts as lost.
  private static let maxMisses = 3

  /// The reason that no more can be had; nil if it can.
  var failure: PlaybackError? { state.withLock { $0.failure } }

  /// Notes that a segment cannot be loaded.
  func noteMissing(_ number: Int, _ error: PlaybackError) {
    state.withLock { state in
      guard state.missing.insert(number).inserted else { return }
      state.misses += 1
      if state.misses >= Self.maxMisses { state.failure = error }
    }
  }

  // MARK: - Live

  /// The time from the start of playback to the live edge; nil for a stream that has ended.
  var liveEdge: MediaTime? { state.withLock { $0.timeline.isLive ? $0.timeline.timeRange.end - startTime : nil } }

  /// True if segments have yet to be fetched.
  var isLoading: Bool { liveEdge != nil || loader.isLoading }

  /// The state of fetching.
  var networkStatus: NetworkStatus { loader.status }
  /// The rate at which bytes have arrived lately.
  var bytesPerSecond: Double { loader.bytesPerSecond }
  /// The number of bytes at hand.
  var keptByteCount: Int { loader.keptByteCount }

  /// The times of the segments at hand, counted from the start of playback, sorted and disjoint.
  var loadedRanges: [TimeRange] {
    let (timeline, numbers) = state.withLock { ($0.timeline, $0.numbers) }
    var ranges: [TimeRange] = []
    for number in loader.kept.compactMap({ numbers[$0] }).sorted() {
      guard let range = timeline.timeRange(ofSegment: number) else { continue }
      let (start, end) = (max(.zero, range.start - startTime), max(.zero, range.end - startTime))
      if let last = ranges.last, last.end == start {
        ranges[ranges.count - 1] = TimeRange(start: last.start, end: end)
      } else {
        ranges.append(TimeRange(start: start, end: end))
      }
    }
    return ranges
  }

  /// The times that can be sought, counted from the start of playback.
  var seekableRange: TimeRange {
    let range = state.withLock { $0.timeline.seekableRange }
    return TimeRange(start: max(.zero, range.start - startTime), end: max(.zero, range.end - startTime))
  }

  /// Returns true if a segment after this one may come later.
  func mayGrow(after number: Int) -> Bool { state.withLock { $0.timeline.isLive && number + 1 >= $0.timeline.sequences.upperBound } }

  /// Waits until a segment after this one is known, or none will be.
  ///
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func waitForSegment(after number: Int, _ interrupter: Interrupter) throws(PlaybackError) {
    while mayGrow(after: number) {
      if interrupter.isInterrupted { throw .cancelled }
      if let failure { throw failure }
      _ = state.wait(until: monotonicNanoseconds() + Self.lookInterval) { _ in Void?.none }
    }
  }

  private static let lookInterval: UInt64 = 50_000_000

  /// Loads a live playlist again and again on a thread of its own, until it ends or the source is freed.
  private func keepLoading() {
    guard liveEdge != nil else { return }
    do throws(ThreadError) {
      try detachThread { [weak self, ending] in
        while !ending.isInterrupted {
          // The source may be freed during the pause.
          guard let next = self?.reloadIfDue(ending) else { return }
          usleep(UInt32(min(max(next, 1000), 100_000)))
        }
      }
    } catch {
      let failure = PlaybackError(error)
      state.withLock { $0.failure = failure }
    }
  }

  /// Loads the playlist if it is due. Returns the microseconds until the next load; nil if there will be none.
  private func reloadIfDue(_ interrupter: Interrupter) -> Int64? {
    let now = HostTime(monotonicNanoseconds())
    let (next, isStale) = state.withLock { ($0.timeline.reload.nextLoad, $0.timeline.reload.isStale(at: now)) }
    guard liveEdge != nil else { return nil }
    if isStale {
      state.withLock { $0.failure = PlaybackError(.network, "the live stream does not go on") }
      return nil
    }
    guard now >= next else { return (next - now) / 1000 }
    let bytes = try? loader.playlist(url, interrupter).bytes
    let playlist = bytes.flatMap { bytes -> HLSMediaPlaylist? in
      guard case .media(let playlist) = try? HLSPlaylist(bytes, address: url.text, importing: variables) else { return nil }
      return playlist
    }
    state.withLock { state in
      // If it cannot be loaded, the next attempt follows as after a load without news.
      state.timeline = state.timeline.updated(with: playlist ?? state.timeline.playlist, at: now).timeline
      state.missing = state.missing.filter { state.timeline.sequences.contains($0) }
    }
    state.broadcast()
    return 0
  }

  // MARK: - Runs

  var startMicroseconds: Int64 { (startTime.nanoseconds ?? 0) / 1000 }

  var durationMicroseconds: Int64? { state.withLock { $0.timeline.duration.nanoseconds.map { $0 / 1000 } } }

  func run(at microseconds: Int64) throws -> SegmentRun {
    let timeline = state.withLock { $0.timeline }
    let time = MediaTime(value: microseconds, timescale: 1_000_000)
    let nearest = min(max(time, timeline.timeRange.start), max(timeline.timeRange.start, timeline.seekableRange.end))
    let asked = timeline.sequence(at: nearest) ?? timeline.sequences.upperBound - 1
    // Of a gap, the end is shown next.
    guard let number = (asked..<timeline.sequences.upperBound).first(where: { isPlayable($0, timeline) })
      ?? timeline.sequences.reversed().first(where: { isPlayable($0, timeline) })
    else { throw PlaybackError(.playlist, "has no segments") }
    return try run(from: number, timeline)
  }

  func run(after run: SegmentRun, _ interrupter: Interrupter) throws -> SegmentRun? {
    if let failure { throw failure }
    var passed = (run.bytes as? HLSRunBytes)?.last ?? run.segment
    while true {
      try interrupter.whileWaiting { () throws(PlaybackError) in try waitForSegment(after: passed, interrupter) }
      let timeline = state.withLock { $0.timeline }
      let later = max(passed + 1, timeline.sequences.lowerBound)..<max(passed + 1, timeline.sequences.upperBound)
      if let next = later.first(where: { isPlayable($0, timeline) }) { return try self.run(from: next, timeline) }
      guard timeline.isLive, let end = later.last else { return nil }
      passed = end
    }
  }

  private func isPlayable(_ number: Int, _ timeline: HLSTimeline) -> Bool {
    guard let segment = timeline.segment(number), !segment.isGap else { return false }
    return state.withLock { !$0.missing.contains(number) }
  }

  private func run(from number: Int, _ timeline: HLSTimeline) throws -> SegmentRun {
    guard let segment = timeline.segment(number), let range = timeline.timeRange(ofSegment: number) else {
      throw PlaybackError(.playlist, "has no such segment")
    }
    let media = try resource(of: segment)
    let parts = try [segment.map.map { try resource($0.uri, $0.byteRange, $0.encryption) }, media].compactMap { $0 }
    preload(after: number, timeline)
    return SegmentRun(
      bytes: HLSRunBytes(self, first: number, parts: parts), start: (range.start.nanoseconds ?? 0) / 1000,
      group: segment.discontinuity &+ timeline.epoch << 32, segment: number)
  }

  /// Returns the segment that continues a run after one of its segments; nil if the run ends there.
  func continuation(of number: Int) -> (resource: HLSLoader.Resource, number: Int)? {
    let timeline = state.withLock { $0.timeline }
    guard isPlayable(number + 1, timeline), let segment = timeline.segment(number), let next = timeline.segment(number + 1),
      next.discontinuity == segment.discontinuity, next.map == segment.map, let resource = try? resource(of: next)
    else { return nil }
    preload(after: number + 1, timeline)
    return (resource, number + 1)
  }

  /// Returns the bytes of a part of a run; waits for them.
  func load(_ resource: HLSLoader.Resource, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    let bytes = try loader.segment(resource, interrupter)
    state.withLock { $0.misses = 0 }
    return bytes
  }

  private func preload(after number: Int, _ timeline: HLSTimeline) {
    let next = (number + 1..<number + 1 + Self.preloaded).compactMap { timeline.segment($0) }.filter { !$0.isGap }
    loader.preload(next.compactMap { try? resource(of: $0) })
  }

  private func resource(of segment: HLSSegment) throws -> HLSLoader.Resource {
    let resource = try resource(segment.uri, segment.byteRange, segment.encryption)
    state.withLock { state in
      if state.numbers.count >= Self.maxNumbers { state.numbers = [:] }
      state.numbers[resource] = segment.sequence
    }
    return resource
  }

  private static let maxNumbers = 1000

  private func resource(_ uri: String, _ range: Range<Int64>?, _ encryption: HLSEncryption) throws -> HLSLoader.Resource {
    do {
      let address = try url.resolving(uri)
      switch encryption {
      case .none: return HLSLoader.Resource(address, range: range)
      case .aes128(let key, let vector):
        return HLSLoader.Resource(address, range: range, key: try url.resolving(key), vector: vector)
      case .unsupported: throw PlaybackError(.encrypted, "is encrypted")
      }
    } catch let error as NetworkURLError {
      throw Self.unusable(error)
    }
  }
}
