import DecodePool
import Libav

/// The segments of a clip's video, or of one of its renditions, in order: each of the variant that is chosen for it. Safe to use
/// from any thread.
///
/// Segments after the one being played are loaded ahead; that is when their variant is chosen.
final class HLSSupply: Sendable {
  /// A segment of one of the streams.
  struct Place: Hashable, Sendable {
    /// The index of the variant; 0 if there are none.
    let stream: Int
    /// The media sequence number.
    let number: Int
  }

  /// The segment that follows another one.
  enum Next: Equatable {
    case place(Place)
    /// It has yet to be announced.
    case notYet
    case end
  }

  struct State {
    var streams: [Int: HLSStream]
    /// The choice among variants; nil if there are none.
    var choice: HLSVariantChoice?
    /// The segment chosen after another one.
    var successors: [Place: Place] = [:]
    /// The segment being played, and the share of its bytes that has been read; nil before there is one.
    var front: (place: Place, share: Double)?
    var isLoadingAhead = false
    /// The segments that could not be loaded ahead since the last change of `front`.
    var failedAhead: Set<Place> = []
    /// The rate of a download that was too slow, in bits per second, raised with each one that succeeds; nil for no limit.
    var slowRate: Double?
    /// The stream of the latest choice.
    var latest: Int
  }

  /// Loads the playlist of a variant, whose segments are placed on the timeline of another one's.
  typealias Opening = @Sendable (_ stream: Int, _ other: HLSTimeline, Interrupter) throws(PlaybackError) -> HLSStream

  let loader: HLSLoader
  let preferences: SharedPreferences
  let state: Monitor<State>
  private let open: Opening
  /// True if the access log lists its segments.
  private let logs: Bool
  /// The index of the stream that was opened first.
  let openedStream: Int

  private static let maxSuccessors = 1000
  /// The difference up to which segments of two variants begin at the same time.
  private static let tolerance = MediaTime(value: 1, timescale: 10)

  /// - Parameters:
  ///   - stream: the stream to begin with, and its index.
  ///   - choice: the choice among variants; nil if there are none.
  ///   - logs: true if the access log lists its segments.
  init(
    _ index: Int, _ stream: HLSStream, _ choice: HLSVariantChoice?, _ loader: HLSLoader, _ preferences: SharedPreferences,
    logs: Bool = true, open: @escaping Opening
  ) {
    (self.loader, self.preferences, self.open, self.logs, openedStream) = (loader, preferences, open, logs, index)
    state = Monitor(State(streams: [index: stream], choice: choice, latest: index))
  }

  /// Ends the loading of playlists; segments are the loader's.
  func close() {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.close() }
  }

  /// The stream of the latest choice.
  var current: HLSStream? { state.withLock { $0.streams[$0.latest] } }

  /// The indices of the variants that can be played, in the playlist's order.
  var candidates: [Int] { state.withLock { $0.choice?.candidates ?? [] } }

  /// The index of the stream being played.
  var playedStream: Int { state.withLock { $0.front?.place.stream ?? $0.latest } }

  /// The reason that no more can be had; nil if it can.
  var failure: PlaybackError? { current?.failure }

  /// Returns the stream of a place, if it is still known.
  func known(_ index: Int) -> HLSStream? { state.withLock { $0.streams[index] } }

  /// Returns a stream, whose playlist is loaded if necessary.
  func stream(_ index: Int, _ interrupter: Interrupter) throws(PlaybackError) -> HLSStream {
    let (known, current) = state.withLock { ($0.streams[index], $0.streams[$0.latest] ?? $0.streams.values.first) }
    if let known { return known }
    guard let current else { throw .cancelled }
    let opened = try open(index, current.timeline, interrupter)
    return state.withLock { state in
      if let known = state.streams[index] { return known }
      // Only two live playlists are kept up to date: this one, and that which still plays.
      if opened.timeline.isLive {
        state.streams = state.streams.filter { $0.key == state.latest || $0.key == state.front?.place.stream }
      }
      state.streams[index] = opened
      return opened
    }
  }

  // MARK: - Places

  /// Returns the segment at a time, for playback to begin there: one at hand if possible.
  ///
  /// - Throws: `PlaybackError` if there is none.
  func place(at time: MediaTime, _ interrupter: Interrupter) throws(PlaybackError) -> Place {
    let target = try choose(interrupter)
    func segment(_ index: Int, _ stream: HLSStream) -> Place? {
      stream.segment(at: time).map { Place(stream: index, number: $0) }
    }
    guard let place = segment(target.index, target.stream) else { throw PlaybackError(.playlist, "has no segments") }
    if preferences.value.variant != nil || isAtHand(place) { return place }
    let others = state.withLock { $0.streams }.compactMap { segment($0.key, $0.value) }
    return others.first(where: isAtHand) ?? place
  }

  /// Returns the segment that follows another one, and waits until it is known; nil at the end.
  ///
  /// - Throws: `PlaybackError` if nothing more can be had, also if it is interrupted.
  func next(after place: Place, _ interrupter: Interrupter) throws(PlaybackError) -> Place? {
    while true {
      if interrupter.isInterrupted { throw .cancelled }
      switch try peek(after: place, interrupter) {
      case .place(let next): return next
      case .end: return nil
      case .notYet:
        guard let current else { throw .cancelled }
        if let failure = current.failure { throw failure }
        current.waitForNews()
      }
    }
  }

  /// Returns the segment that follows another one, as far as known, without waiting for news.
  func peek(after place: Place, _ interrupter: Interrupter) throws(PlaybackError) -> Next {
    if let known = state.withLock({ $0.successors[place] }), isAtHand(known) { return .place(known) }
    let former = try stream(place.stream, interrupter)
    let target = try choose(interrupter)
    let following =
      target.index == place.stream ? former.following(place.number) : Self.following(place, of: former, in: target.stream)
    switch following {
    case .notYet: return .notYet
    case .end: return .end
    case .segment(let number):
      let next = Place(stream: target.index, number: number)
      // Another reader may have been faster.
      if let known = state.withLock({ $0.successors[place] }), isAtHand(known) { return .place(known) }
      state.withLock { state in
        if state.successors.count >= Self.maxSuccessors { state.successors = [:] }
        state.successors[place] = next
      }
      return .place(next)
    }
  }

  /// Returns the segment of another stream that follows a place: the one with the next number if both count alike, else by time.
  private static func following(_ place: Place, of former: HLSStream, in stream: HLSStream) -> HLSStream.Following {
    guard let end = former.timeline.timeRange(ofSegment: place.number)?.end else { return stream.following(place.number) }
    if let same = stream.timeline.timeRange(ofSegment: place.number + 1)?.start,
      abs((same - end).seconds) <= 2 * tolerance.seconds,
      stream.isPlayable(place.number + 1)
    {
      return .segment(place.number + 1)
    }
    return stream.following(at: end + tolerance)
  }

  /// Returns true if a segment is at hand, or being loaded.
  func isAtHand(_ place: Place) -> Bool { resource(of: place).map(loader.has) ?? false }

  /// Returns the bytes of a segment; nil if they are unknown.
  func resource(of place: Place) -> HLSLoader.Resource? { (try? known(place.stream)?.resource(of: place.number)) ?? nil }

  /// Begins to use the bytes of a segment.
  ///
  /// - Throws: `PlaybackError` if they cannot be loaded now.
  func use(_ resource: HLSLoader.Resource, of place: Place) throws(PlaybackError) -> HLSLoader.Use {
    guard let stream = known(place.stream), logs else { return try loader.use(resource, from: nil) }
    let seconds = stream.timeline.timeRange(ofSegment: place.number)?.duration.seconds ?? 0
    let bitRate = state.withLock { $0.choice?.variants[place.stream].bandwidth } ?? 0
    return try loader.use(resource, from: HLSLog.Source(url: stream.url, bitRate: bitRate, seconds: seconds))
  }

  /// The times of the segments at hand, sorted and disjoint.
  var loadedRanges: [TimeRange] {
    let kept = loader.kept
    let all = state.withLock { Array($0.streams.values) }.flatMap { $0.ranges(of: kept) }.sorted { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int64>] = []
    for range in all { joined.join(range) }
    return joined.map { TimeRange(start: MediaTime(nanoseconds: $0.lowerBound), end: MediaTime(nanoseconds: $0.upperBound)) }
  }

  // MARK: - Choosing

  /// Chooses the stream of the next segment, and loads its playlist if necessary.
  private func choose(_ interrupter: Interrupter) throws(PlaybackError) -> (index: Int, stream: HLSStream) {
    let buffered = bufferedAhead.duration
    while true {
      let former = state.withLock { $0.latest }
      let index = chosen(buffered) ?? former
      do throws(PlaybackError) {
        let stream = try stream(index, interrupter)
        if let failure = stream.failure { throw failure }
        state.withLock { $0.latest = index }
        return (index, stream)
      } catch {
        guard error.reason != .cancelled, exclude(index) else { throw error }
      }
    }
  }

  /// Gives up a variant that cannot be had. Returns false if there is no other one.
  private func exclude(_ index: Int) -> Bool {
    _ = preferences.update { if $0.variant == index { $0.variant = nil } }
    return state.withLock { state in
      state.choice?.exclude(index)
      return state.choice.map { !$0.isEmpty } ?? false
    }
  }

  private func chosen(_ buffered: MediaTime) -> Int? {
    let preferences = preferences.value, bandwidth = loader.bandwidth
    return state.withLock { state in
      guard let choice = state.choice else { return nil }
      if let variant = preferences.variant, choice.variants.indices.contains(variant) { return variant }
      let conditions = HLSVariantChoice.Conditions(
        displaySize: preferences.displaySize, bandwidth: [bandwidth, state.slowRate].compactMap(\.self).min(), buffered: buffered,
        bufferGoal: preferences.buffer, preferredPeakBitRate: preferences.peakBitRate,
        preferredMaximumResolution: preferences.maximumResolution)
      _ = state.choice?.update(for: conditions)
      return state.choice?.current
    }
  }

  /// Chooses anew for all segments that are not being played, since the user wants another variant.
  func forgetPlan() {
    state.withLock { $0.successors = [:] }
  }
}
