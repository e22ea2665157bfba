import DecodePool
import Glibc
import Libav
import Transport

/// The segments of one media playlist. Safe to use from any thread.
///
/// A live playlist is loaded again and again, also while playback is paused or elsewhere.
final class HLSStream: Sendable {
  /// The segment that follows another one.
  enum Following {
    case segment(Int)
    /// It has yet to be announced.
    case notYet
    case end
  }

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
  let url: NetworkURL
  private let variables: [String: String]
  /// Ends the loading of a live playlist.
  private let ending = Interrupter()
  private let state: Monitor<State>
  /// The number of segments in a row without which the clip counts as lost.
  private static let maxMisses = 3
  private static let maxNumbers = 1000
  private static let lookInterval: UInt64 = 50_000_000

  /// - Parameter url: the address of the playlist, after redirects.
  init(_ timeline: HLSTimeline, at url: NetworkURL, _ loader: HLSLoader, variables: [String: String]) {
    (self.loader, self.url, self.variables) = (loader, url, variables)
    state = Monitor(State(timeline: timeline))
    keepLoading()
  }

  deinit { close() }

  /// Ends the loading of a live playlist.
  func close() { ending.interrupt() }

  /// The current timeline.
  var timeline: HLSTimeline { state.withLock { $0.timeline } }

  /// The reason that no more can be had; nil if it can.
  var failure: PlaybackError? { state.withLock { $0.failure } }

  // MARK: - Segments

  /// Returns true if a segment can be had, as far as known.
  func isPlayable(_ number: Int) -> Bool {
    state.withLock { state in
      guard let segment = state.timeline.segment(number), !segment.isGap else { return false }
      return !state.missing.contains(number)
    }
  }

  /// Returns the playable segment at a time, or else the one shown next, or else the last one; nil if there is none.
  func segment(at time: MediaTime) -> Int? {
    let timeline = timeline
    guard !timeline.sequences.isEmpty else { return nil }
    let range = timeline.timeRange
    let asked = timeline.sequence(at: max(time, range.start)) ?? timeline.sequences.upperBound - 1
    return (asked..<timeline.sequences.upperBound).first(where: isPlayable)
      ?? timeline.sequences.reversed().first(where: isPlayable)
  }

  /// Returns the playable segment after a number.
  func following(_ number: Int) -> Following { first(in: timeline, from: number + 1) }

  /// Returns the playable segment at a time or later.
  func following(at time: MediaTime) -> Following {
    let timeline = timeline
    let range = timeline.timeRange
    return first(in: timeline, from: timeline.sequence(at: max(time, range.start)) ?? timeline.sequences.upperBound)
  }

  private func first(in timeline: HLSTimeline, from number: Int) -> Following {
    let start = max(number, timeline.sequences.lowerBound)
    if let next = (start..<max(start, timeline.sequences.upperBound)).first(where: isPlayable) { return .segment(next) }
    return timeline.isLive ? .notYet : .end
  }

  /// Waits for news of a live playlist, but not long.
  func waitForNews() { _ = state.wait(until: monotonicNanoseconds() + Self.lookInterval) { _ in Void?.none } }

  /// Notes that a segment cannot be loaded.
  func noteMissing(_ number: Int, _ error: PlaybackError) {
    let isNew = state.withLock { state in
      guard state.missing.insert(number).inserted else { return false }
      state.misses += 1
      if state.misses >= Self.maxMisses { state.failure = error }
      return true
    }
    if isNew { loader.noteMissing(error) }
  }

  /// Notes that a segment has been loaded.
  func noteLoaded() { state.withLock { $0.misses = 0 } }

  /// Returns the bytes of a segment; nil if it has left the playlist.
  ///
  /// - Throws: `PlaybackError` if its address is unusable, or its encryption unknown.
  func resource(of number: Int) throws(PlaybackError) -> HLSLoader.Resource? {
    guard let segment = timeline.segment(number) else { return nil }
    let resource = try resource(segment.uri, segment.byteRange, segment.encryption)
    state.withLock { state in
      if state.numbers.count >= Self.maxNumbers { state.numbers = [:] }
      state.numbers[resource] = number
    }
    return resource
  }

  /// Returns the bytes of the section to read before a segment; nil if there is none.
  func initialization(of number: Int) throws(PlaybackError) -> HLSLoader.Resource? {
    guard let map = timeline.segment(number)?.map else { return nil }
    return try resource(map.uri, map.byteRange, map.encryption)
  }

  private func resource(_ uri: String, _ range: Range<Int64>?, _ encryption: HLSEncryption) throws(PlaybackError)
    -> HLSLoader.Resource
  {
    do throws(NetworkURLError) {
      let address = try url.resolving(uri)
      switch encryption {
      case .none: return HLSLoader.Resource(address, range: range)
      case .aes128(let key, let vector):
        return HLSLoader.Resource(address, range: range, key: try url.resolving(key), vector: vector)
      case .unsupported: break
      }
    } catch {
      throw PlaybackError(.playlist, "contains an unusable address: \(error.description)")
    }
    throw PlaybackError(.encrypted, "is encrypted")
  }

  /// Returns the times of those of its segments that are among some bytes, in nanoseconds, in order.
  func ranges(of resources: Set<HLSLoader.Resource>) -> [Range<Int64>] {
    let (timeline, numbers) = state.withLock { ($0.timeline, $0.numbers) }
    var ranges: [Range<Int64>] = []
    for number in resources.compactMap({ numbers[$0] }).sorted() {
      guard let range = timeline.timeRange(ofSegment: number), let start = range.start.nanoseconds,
        let end = range.end.nanoseconds
      else { continue }
      ranges.join(start..<max(start, end))
    }
    return ranges
  }

  // MARK: - Live

  /// Loads a live playlist again and again on a thread of its own, until it ends or the stream is freed.
  private func keepLoading() {
    guard timeline.isLive else { return }
    do throws(ThreadError) {
      try detachThread { [weak self, ending] in
        while !ending.isInterrupted {
          // The stream may be freed during the pause.
          guard let next = self?.reloadIfDue() else { return }
          usleep(UInt32(min(max(next, 1000), 100_000)))
        }
      }
    } catch {
      let failure = PlaybackError(error)
      state.withLock { $0.failure = failure }
    }
  }

  /// Loads the playlist if it is due. Returns the microseconds until the next load; nil if there will be none.
  private func reloadIfDue() -> Int64? {
    let now = HostTime(monotonicNanoseconds())
    let timeline = timeline
    guard timeline.isLive else { return nil }
    // It may go on later; what has arrived stays.
    loader.note(silence: timeline.reload.silence(at: now))
    guard now >= timeline.reload.nextLoad else { return (timeline.reload.nextLoad - now) / 1000 }
    let bytes = try? loader.playlist(url, ending).bytes
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
}
