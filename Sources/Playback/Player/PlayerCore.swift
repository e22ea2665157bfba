/// A player's decisions: coordinates what plays the current item with what outlives items. It has no thread, file or clock.
///
/// Its owner calls it with a lock held, and performs the collected `Effects` after unlocking. Times called `host` are of
/// the shared host clock; internal media times are nanoseconds of the item.
struct PlayerCore {
  /// Everything about the current item, replaced as a whole.
  var item = ItemPlayback()

  // What outlives items. Only the parts' own transitions change their content, and only this core calls those.
  var clock = TransportClock()
  var seeks = SeekQueue()
  var outputs = OutputSet()
  var previews = PreviewPacing()
  /// The memory for cached frames, in bytes.
  private(set) var cacheBudget = 0
  /// True if the item is opened ahead of its turn: nothing of it is due, shown or reported yet.
  let isAhead: Bool
  /// Counters of the items before this one.
  private(set) var formerStatistics = PlayerStatistics()
  private var effects = Effects.none

  init() { isAhead = false }

  /// Decodes the first frames of an item that is opened ahead, for the outputs of the player that will play it; the clock
  /// stands still.
  init(ahead item: ItemPlayback, for outputs: OutputSet) {
    self.item = item
    self.outputs = outputs
    self.item.cache.select(outputs.requests)
    isAhead = true
  }

  mutating func takeEffects() -> Effects {
    defer { effects = .none }
    return isAhead ? .wake(effects.wakes.intersection(.lane)) : effects
  }

  mutating func perform(_ more: Effects) { effects += more }

  mutating func wake(_ wakes: Effects.Wakes) { effects.wakes.formUnion(wakes) }

  /// Requests the index, once: when there is something to show, or when a seek needs it.
  mutating func askForIndex() {
    guard !isAhead, pacing != .outputs else { return }
    perform(item.lane.askForIndex())
  }

  // MARK: - Pacing

  /// The thing that paces playback, and so decides when frames are due, whether any are decoded, and where the end is.
  enum Pacing {
    /// The clock: frames are displayed as it reaches them, and it waits for the first one and for the targets of seeks.
    /// Playback ends at the end of the decoded data.
    case clock
    /// The clock alone, since no output has a request: nothing is decoded, seeks are finished at once, and playback ends
    /// where the item is expected to end.
    case clockAlone
    /// The outputs: each frame is displayed once all of them have taken the last, and the clock stands still. Playback
    /// ends when the last frame has been taken; without requests, it stands still too.
    case outputs
  }

  var pacing: Pacing { clock.isUntimed ? .outputs : outputs.isVisible ? .clock : .clockAlone }

  // MARK: - Item

  /// Counters of the item, with the time that its clock has run.
  func statistics(at host: HostTime) -> PlayerStatistics {
    var statistics = item.statistics
    statistics.notePlayed(clock.playedNanoseconds(at: host))
    return statistics
  }

  /// Continues with another item from its beginning, as far as it has been decoded ahead.
  ///
  /// If the clock has reached the end of the previous item, the new one starts at that moment.
  mutating func replaceItem(with next: ItemPlayback, at host: HostTime) {
    advance(to: host)
    let start = clock.hostAtEnd ?? host
    cancelSeeks()
    formerStatistics.add(statistics(at: host))
    item = next
    item.cache.setBudget(cacheBudget)
    item.cache.select(outputs.requests)
    outputs.forgetTaken()
    clock.setBuffering(nil)
    clock.report(.currentItemChanged)
    perform(clock.reset(hold, at: start))
    switch item.state {
    case .none, .opening: break
    case .ready: clock.report(.itemReady)
    case .failed(let error): clock.report(.itemFailed(error))
    }
    if item.presentation.displayed != nil {
      askForIndex()
      if item.presentation.waiting.contains(where: { isPastRange($0.timing) }) { item.check.wantRefresh() }
      enterReverse(at: host)
    }
    wake([.lane, .display, .observers])
  }

  mutating func itemDidOpen(_ info: SourceInfo, at host: HostTime) {
    guard item.state == .opening else { return }
    item.state = .ready(info)
    item.duration = ItemDuration(announced: info.duration, isEstimate: info.durationIsEstimate)
    item.fill.didMove(at: host)
    item.decode.search(TargetSearch(.first, to: .zero))
    clock.report(.itemReady)
    clampWaitingSeek(at: host)
    finishSeekWhileHidden(at: host)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  mutating func itemDidFail(_ error: PlaybackError, at host: HostTime) {
    advance(to: host)
    if case .failed = item.state { return }
    item.state = .failed(error)
    cancelSeeks()
    item.decode.reset()
    item.check = DisplayCheck()
    item.presentation.removeWaiting()
    clock.report(.itemFailed(error))
    updateClock(at: host)
    wake([.display, .observers])
  }

  // MARK: - Clock

  /// The reason that the clock waits although it should run.
  var hold: ClockHold? {
    switch item.state {
    case .none: return .noItem
    case .opening: return .opening
    case .failed: return .failed
    case .ready: break
    }
    if seeks.isUnderWay { return .seeking }
    // Without a visible output, there is no frame to wait for.
    if item.presentation.isEmpty, outputs.isVisible { return .opening }
    if clock.buffering != nil { return .buffering }
    if clock.groupHold != nil { return .othersInGroup }
    return pacing == .outputs ? .untimed : nil
  }

  var status: TimeControlStatus { clock.status(hold) }

  /// Starts or stops the clock according to what has changed, at its current time.
  mutating func updateClock(at host: HostTime) { perform(clock.update(hold, at: host)) }

  /// Returns the current media time; during a seek, its target.
  func currentTime(at host: HostTime) -> MediaTime {
    if let target = seeks.newestTarget, target != ItemPlayback.behindAnyEnd { return target }
    if pacing == .outputs { return item.presentation.displayed?.timing.pts ?? .zero }
    // Without a visible output, the clock may have been sent past an end that was unknown.
    return clock.exactStop.map(item.clamped) ?? MediaTime(nanoseconds: item.clamped(clock.media(at: host)))
  }

  // MARK: - Bounds of playing

  /// The end of the item: as decoded, or as expected while nothing is decoded.
  var itemEnd: Int64? { pacing == .clockAlone ? item.duration.expectedEnd : item.duration.knownEnd }

  private var loopBounds: (start: Int64, end: Int64?)? {
    if let range = clock.loop.range, let start = range.start.clockNanoseconds {
      let end = range.end.clockNanoseconds.map { e in itemEnd.map { min(e, $0) } ?? e }
      return (max(0, start), end ?? itemEnd)
    }
    return clock.actionAtItemEnd == .loop ? (0, itemEnd) : nil
  }

  /// The start of the loop; nil if nothing loops.
  var loopStart: Int64? { loopBounds?.start }

  /// The end at which playback stops or loops back; nil while unknown.
  var playEnd: Int64? { loopBounds.map(\.end) ?? itemEnd }

  /// The start at which reverse playback stops or goes to the end. A loop known to lie past the end is ignored.
  var playStart: Int64 { loopStart.flatMap { $0 < item.lastTime.nanoseconds ?? .max ? $0 : nil } ?? 0 }

  /// The bound of playback in its current direction, at which something happens.
  var playBound: Int64? { clock.rate < 0 ? playStart : [playEnd, waitingEnd].compactMap { $0 }.min() }

  /// The announced end, where the clock waits for the decoder while the end of the data is unknown; nil if it is known, or if
  /// data have been found after it.
  var waitingEnd: Int64? {
    guard pacing == .clock, item.duration.knownEnd == nil, let announced = item.duration.expectedEnd else { return nil }
    return item.newestEnd.map { $0 > announced } ?? false ? nil : announced
  }

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
    item.timeline = timeline
    if let timeline, let timing = item.presentation.displayed?.timing {
      item.presentation.setDisplayedTiming(timeline.numbered(timing))
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
      clock.report(item.duration.noteDecoded(end: end, isCutOff: timeline.isCutOff))
    }
    item.cache.removeAll()
    item.fill.forgetLookAhead()
    noteCached()
    if item.presentation.displayed?.timing.numberIsExact == false, !clock.isRunning, pacing != .outputs {
      item.check.wantRefresh()
    }
    wake(.lane)
  }

  /// Handles the loss of the frame times, until the clip has been decoded.
  mutating func loseTimeline(at host: HostTime) {
    // Results of a decode stand.
    guard item.timeline?.origin == .packets else { return }
    setTimeline(nil, hasEnded: true, at: host)
    wake(.index)
  }

  /// Reports that the cached ranges have changed, if no clock runs that makes observers look anyway.
  mutating func noteCached() {
    guard !clock.isRunning, pacing != .outputs else { return }
    clock.report(.loadedTimeRangesChanged)
    wake(.observers)
  }

  mutating func setCacheBudget(_ bytes: Int) {
    cacheBudget = bytes
    item.cache.setBudget(bytes)
    if item.presentation.waitingByteCount > item.cache.limit { shortenQueue() }
  }

  /// Returns the memory limit in bytes for decoders retained after scrubbing: what frames leave of the budget.
  func retainedLimit(at host: HostTime) -> Int {
    let room = max(0, item.cache.budget - item.cache.byteCount)
    if seeks.isScrubbing(at: host) { return room }
    // Once the target rests, no more are retained, and playback needs none.
    return clock.rate == 0 ? min(room, item.lane.retainedBytes) : 0
  }
}
