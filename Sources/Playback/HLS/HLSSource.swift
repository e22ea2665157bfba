import DecodePool
import Libav
import Pixels
import Synchronization
import Transport

/// A clip of HTTP Live Streaming: its playlist, and runs of its segments for the demuxer. Safe to use from any thread.
final class HLSSource: SegmentedSource {
  private struct State {
    var timeline: HLSTimeline
    /// The segments that could not be had, which are passed over.
    var missing: Set<Int> = []
    /// The number of segments in a row that could not be had.
    var misses = 0
    var failure: PlaybackError?
  }

  private let loader: HLSLoader
  /// The address of the media playlist.
  private let url: NetworkURL
  private let state: Mutex<State>
  /// The size of frames that suffices for most terminals, in pixels.
  private static let usualDisplay = PixelSize(width: 640, height: 360)
  /// The number of segments to load ahead.
  private static let preloaded = 3

  private init(_ loader: HLSLoader, _ url: NetworkURL, _ timeline: HLSTimeline) {
    (self.loader, self.url) = (loader, url)
    state = Mutex(State(timeline: timeline))
  }

  deinit { loader.close() }

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
            return try HLSSource(loader, url, timeline(playlist, master.start))
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
      throw PlaybackError(.playlist, "names an address that cannot be used: \(error.description)")
    }
  }

  private static func timeline(_ playlist: HLSMediaPlaylist, _ start: HLSStart?) throws -> HLSTimeline {
    let timeline = HLSTimeline(playlist, start: start, at: HostTime(monotonicNanoseconds()))
    guard !timeline.isLive else { throw PlaybackError(.playlist, "is a live stream, which cannot be played yet") }
    guard !timeline.sequences.isEmpty else { throw PlaybackError(.playlist, "has no segments") }
    return timeline
  }

  /// The number of segments in a row without which the clip counts as lost.
  private static let maxMisses = 3

  /// The reason that no more can be had; nil if it can.
  var failure: PlaybackError? { state.withLock { $0.failure } }

  /// Notes that a segment cannot be had.
  func noteMissing(_ number: Int, _ error: PlaybackError) {
    state.withLock { state in
      guard state.missing.insert(number).inserted else { return }
      state.misses += 1
      if state.misses >= Self.maxMisses { state.failure = error }
    }
  }

  // MARK: - Runs

  var durationMicroseconds: Int64? { state.withLock { $0.timeline.duration.nanoseconds.map { $0 / 1000 } } }

  func run(at microseconds: Int64) throws -> SegmentRun {
    let timeline = state.withLock { $0.timeline }
    let time = MediaTime(value: microseconds, timescale: 1_000_000)
    let asked = timeline.sequence(at: max(time, timeline.timeRange.start)) ?? timeline.sequences.upperBound - 1
    // Of a gap, the end is shown next.
    guard let number = (asked..<timeline.sequences.upperBound).first(where: { isPlayable($0, timeline) })
      ?? timeline.sequences.reversed().first(where: { isPlayable($0, timeline) })
    else { throw PlaybackError(.playlist, "has no segments") }
    return try run(from: number, timeline)
  }

  func run(after run: SegmentRun, _ interrupter: Interrupter) throws -> SegmentRun? {
    if let failure { throw failure }
    let timeline = state.withLock { $0.timeline }
    let last = (run.bytes as? HLSRunBytes)?.last ?? run.segment
    guard let next = (last + 1..<max(last + 1, timeline.sequences.upperBound)).first(where: { isPlayable($0, timeline) }) else { return nil }
    return try self.run(from: next, timeline)
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
      group: segment.discontinuity, segment: number)
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
    try resource(segment.uri, segment.byteRange, segment.encryption)
  }

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
      throw PlaybackError(.playlist, "names an address that cannot be used: \(error.description)")
    }
  }
}
