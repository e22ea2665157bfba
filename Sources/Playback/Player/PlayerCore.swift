/// A player's decisions: coordinates values that each own a part of its state. It has no thread, file or clock.
///
/// Its owner calls it with a lock held, and performs the collected `Effects` after unlocking. Times called `host` are of
/// the shared host clock; internal media times are nanoseconds of the item.
struct PlayerCore {
  enum ItemState: Equatable {
    case none
    case opening
    case ready(SourceInfo)
    case failed(PlaybackError)
  }

  // The parts. Only their own transitions change their content, and only this core calls those.
  var clock = TransportClock()
  var itemDuration = ItemDuration()
  var seeks = SeekQueue()
  var decode = DecodeState()
  var presentation = PresentationQueue()
  /// Frames that were displayed or passed, for going back.
  var cache = FrameCache()
  var drops = DropPolicy()
  var fill = FillPolicy()
  var previews = PreviewPacing()
  var outputs = OutputSet()
  var lane = LaneStatus()

  private(set) var item = ItemState.none
  /// The display times of frames, as far as known.
  private(set) var timeline: PresentationTimeline?
  var statistics = PlayerStatistics()
  private var effects = Effects.none

  mutating func takeEffects() -> Effects {
    defer { effects = .none }
    // Nothing of an upcoming item is shown or reported yet.
    return lane.isAhead ? .wake(effects.wakes.intersection(.lane)) : effects
  }

  mutating func perform(_ more: Effects) { effects += more }

  mutating func setAnyPlayerScrubbing(_ scrubbing: Bool) { lane.setAnyPlayerScrubbing(scrubbing) }

  mutating func setRetainedBytes(_ bytes: Int) { lane.setRetainedBytes(bytes) }

  /// Requests the index, once: when there is something to show, or when a seek needs it.
  mutating func askForIndex() {
    guard !clock.isUntimed else { return }
    perform(lane.askForIndex())
  }

  mutating func wake(_ wakes: Effects.Wakes) { effects.wakes.formUnion(wakes) }

  // MARK: - Item

  /// Returns the core of an upcoming item: it decodes its first frames, and its clock is stopped.
  func ahead(item number: Int) -> PlayerCore {
    var next = PlayerCore()
    next.item = .opening
    next.decode = DecodeState(item: number)
    next.outputs = outputs
    next.lane = .ahead
    return next
  }

  /// Continues with another item from its beginning, as far as it has been decoded ahead.
  ///
  /// If the clock has reached the end of the previous item, the new one starts at that moment.
  mutating func replaceItem(with next: PlayerCore, at host: HostTime) {
    advance(to: host)
    let start = clock.hostAtEnd ?? host
    cancelSeeks()
    item = next.item
    timeline = next.timeline
    itemDuration = next.itemDuration
    decode = next.decode
    presentation = next.presentation
    cache.removeAll()
    drops = next.drops
    fill = next.fill
    lane = next.lane
    lane.becomePresent()
    statistics = next.statistics
    outputs.forgetTaken()
    clock.setBuffering(false)
    clock.report(.currentItemChanged)
    perform(clock.reset(hold, at: start))
    switch item {
    case .none, .opening: break
    case .ready: clock.report(.itemReady)
    case .failed(let error): clock.report(.itemFailed(error))
    }
    if presentation.displayed != nil {
      askForIndex()
      if presentation.waiting.contains(where: { isPastRange($0.timing) }) { decode.wantRefresh() }
      enterReverse(at: host)
    }
    wake([.lane, .display, .observers])
  }

  mutating func itemDidOpen(_ info: SourceInfo, at host: HostTime) {
    guard item == .opening else { return }
    item = .ready(info)
    itemDuration = ItemDuration(announced: info.duration, isEstimate: info.durationIsEstimate)
    fill.didMove(at: host)
    decode.approach(Approach(.first, to: .zero), loopIndex: 0)
    clock.report(.itemReady)
    clampWaitingSeek(at: host)
    landUnseen(at: host)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  mutating func itemDidFail(_ error: PlaybackError, at host: HostTime) {
    advance(to: host)
    if case .failed = item { return }
    item = .failed(error)
    cancelSeeks()
    decode.reset()
    presentation.removeWaiting()
    clock.report(.itemFailed(error))
    updateClock(at: host)
    wake([.display, .observers])
  }

  var info: SourceInfo? {
    if case .ready(let info) = item { return info }
    return nil
  }

  var isReady: Bool { info != nil }

  var canSeek: Bool { info?.canSeek ?? true }

  // MARK: - Clock

  /// The reason that the clock waits although it should run.
  var hold: ClockHold? {
    switch item {
    case .none: return .noItem
    case .opening: return .opening
    case .failed: return .failed
    case .ready: break
    }
    if seeks.isUnderWay { return .seeking }
    // Without a visible output, there is no frame to wait for.
    if presentation.isEmpty, outputs.isVisible { return .opening }
    if clock.isBuffering { return .buffering }
    if clock.groupHold != nil { return .othersInGroup }
    return clock.isUntimed ? .untimed : nil
  }

  var status: TimeControlStatus { clock.status(hold) }

  /// Starts or stops the clock according to what has changed, at its current time.
  mutating func updateClock(at host: HostTime) { perform(clock.update(hold, at: host)) }

  /// Returns the current media time; during a seek, its target.
  func currentTime(at host: HostTime) -> MediaTime {
    if let target = seeks.newestTarget, target != Self.behindAnyEnd { return target }
    if clock.isUntimed { return presentation.displayed?.timing.pts ?? .zero }
    // Without a visible output, the clock may have been sent past an end that was unknown.
    return clock.exactStop.map(clamped) ?? MediaTime(nanoseconds: clamped(clock.media(at: host)))
  }

  /// Returns nanoseconds clamped to the item.
  func clamped(_ media: Int64) -> Int64 { max(0, min(media, lastTime.nanoseconds ?? .max)) }

  /// The last time of the item, as far as known.
  private var lastTime: MediaTime { itemDuration.lastTime(displaying: presentation.displayed?.timing) }

  /// Returns a time clamped to the item.
  func clamped(_ time: MediaTime) -> MediaTime {
    guard time.isNumeric || time.isPositiveInfinity else { return .zero }
    let nearest = max(.zero, min(time, lastTime))
    return nearest.isNumeric ? nearest : Self.behindAnyEnd
  }

  /// A time past any end, two years; a search for it finds the end.
  static let behindAnyEnd = MediaTime(value: 1 << 26, timescale: 1)

  // MARK: - Bounds of playing

  /// The end of the item: as decoded, or as announced while no output is visible and nothing is decoded.
  var itemEnd: Int64? { outputs.isVisible ? itemDuration.knownEnd : itemDuration.expectedEnd }

  private var loopBounds: (start: Int64, end: Int64?)? {
    if let range = clock.loop.range, let start = range.start.nanoseconds {
      let end = range.end.nanoseconds.map { e in itemEnd.map { min(e, $0) } ?? e }
      return (max(0, start), end ?? itemEnd)
    }
    return clock.actionAtItemEnd == .loop ? (0, itemEnd) : nil
  }

  /// The start of the loop; nil if nothing loops.
  var loopStart: Int64? { loopBounds?.start }

  /// The end at which playback stops or loops back; nil while unknown.
  var playEnd: Int64? { loopBounds.map(\.end) ?? itemEnd }

  /// The start at which reverse playback stops or goes to the end. A loop known to lie past the end is ignored.
  var playStart: Int64 { loopStart.flatMap { $0 < lastTime.nanoseconds ?? .max ? $0 : nil } ?? 0 }

  /// The bound of playback in its current direction.
  var playBound: Int64? { clock.rate < 0 ? playStart : playEnd }

  /// Returns true if a frame lies after the end of an A–B loop.
  func isPastRange(_ timing: FrameTiming) -> Bool {
    guard clock.loop.range != nil, let end = playEnd else { return false }
    return timing.ptsNanoseconds >= end
  }

  // MARK: - The timeline

  /// Adopts the frame times.
  ///
  /// - Parameter hasEnded: true if no more will be known.
  mutating func setTimeline(_ timeline: PresentationTimeline?, hasEnded: Bool, at host: HostTime) {
    self.timeline = timeline
    if let timeline, let timing = presentation.displayed?.timing {
      presentation.setDisplayedTiming(timeline.numbered(timing))
    }
    // It may tell the target of steps without a visible output.
    performSteps(at: host)
    guard hasEnded else { return }
    if let timeline, timeline.origin == .decode { takeDecodedTimes(timeline) }
    clock.report(.framesIndexed)
    wake([.observers, .display])
  }

  /// Replaces guessed times by known ones.
  private mutating func takeDecodedTimes(_ timeline: PresentationTimeline) {
    if let end = timeline.duration?.nanoseconds {
      clock.report(itemDuration.noteDecoded(end: end, isCutOff: timeline.isCutOff))
    }
    cache.removeAll()
    fill.forgetLookAhead()
    noteCached()
    if presentation.displayed?.timing.numberIsExact == false, !clock.isRunning { decode.wantRefresh() }
    wake(.lane)
  }

  /// Handles the loss of the frame times, until the clip has been decoded.
  mutating func loseTimeline(at host: HostTime) {
    // Results of a decode stand.
    guard timeline?.origin == .packets else { return }
    setTimeline(nil, hasEnded: true, at: host)
    wake(.index)
  }

  /// Returns true if no other start reaches the target sooner than decoding on.
  func leadsOn(from last: FrameTiming, to target: MediaTime) -> Bool {
    guard target >= last.pts else { return false }
    guard let timeline, target < timeline.end else { return (target - last.pts).seconds <= Self.nearSeconds }
    return timeline.leadsOn(from: last.pts, to: target)
  }

  /// A target this near ahead is reached by decoding rather than by seeking to a keyframe.
  private static let nearSeconds = 1.0

  /// Returns true if decoding can start with a frame, as far as known.
  func isRandomAccess(_ timing: FrameTiming) -> Bool {
    guard let timeline, let number = timeline.knownFrame(at: timing.pts) else { return false }
    return timeline.randomAccessFrame(for: number) == number
  }

  // MARK: - The cache

  /// Returns true if a frame was rendered for the current requests.
  func isCurrent(_ frame: RenderedSet) -> Bool { frame.isMade(for: outputs.requests) }

  /// Reports that the cached ranges have changed, if no clock runs that makes observers look anyway.
  mutating func noteCached() {
    guard !clock.isRunning, !clock.isUntimed else { return }
    clock.report(.loadedTimeRangesChanged)
    wake(.observers)
  }

  mutating func setCacheBudget(_ bytes: Int) {
    cache.setBudget(bytes)
    if presentation.waitingByteCount > cache.limit { shortenQueue() }
  }

  /// Returns the memory limit in bytes for decoders retained after scrubbing: what frames leave of the budget.
  func retainedLimit(at host: HostTime) -> Int {
    let room = max(0, cache.budget - cache.byteCount)
    if seeks.isScrubbing(at: host) { return room }
    // Once the target rests, no more are retained, and playback needs none.
    return clock.rate == 0 ? min(room, lane.retainedBytes) : 0
  }
}
