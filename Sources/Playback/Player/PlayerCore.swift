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
  /// See `Player.automaticallyWaitsToMinimizeStalling`.
  var waitsToMinimizeStalling = true
  /// The sound of frames reached while the clock rests.
  var grains = ScrubGrains()
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
    effects.wakes.formUnion(item.takeWakes())
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

  var pacing: Pacing { clock.isUntimed ? .outputs : outputs.isVisible ? .clock : .clockAlone }

  /// The item's view of the clock at this moment.
  var clockView: ClockView { ClockView(clock, pacing: pacing, seeks: seeks) }

  /// Where playback starts, turns and ends.
  var bounds: PlayBounds { item.bounds(clockView) }

  /// The bound of playback in its current direction, at which something happens.
  var playBound: Int64? { clock.rate < 0 ? bounds.start : bounds.nextEnd }

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
    case .ready(let info):
      clock.report(.itemReady)
      beginAtStart(info, at: host)
    case .failed(let error): clock.report(.itemFailed(error))
    }
    if item.presentation.displayed != nil {
      askForIndex()
      let bounds = bounds
      if item.presentation.waiting.contains(where: { bounds.isPastRange($0.timing) }) { item.check.wantRefresh() }
      enterReverse(at: host)
    }
    wake([.lane, .display, .observers])
  }

  mutating func itemDidOpen(_ info: SourceInfo, at host: HostTime) {
    guard item.state == .opening else { return }
    item.didOpen(info, at: host)
    clock.report(.itemReady)
    beginAtStart(info, at: host)
    clampWaitingSeek(at: host)
    finishSeekWhileHidden(at: host)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  /// Sets the clock to where a live stream begins to play, unless a seek asks for another time.
  private mutating func beginAtStart(_ info: SourceInfo, at host: HostTime) {
    guard info.startPosition > .zero, !seeks.isUnderWay else { return }
    jump(to: info.startPosition, at: host)
  }

  mutating func itemDidFail(_ error: PlaybackError, at host: HostTime) {
    advance(to: host)
    if case .failed = item.state { return }
    cancelSeeks()
    item.didFail(error)
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

  // MARK: - The timeline

  /// Adopts the frame times.
  ///
  /// - Parameter hasEnded: true if no more will be known.
  mutating func setTimeline(_ timeline: PresentationTimeline?, hasEnded: Bool, at host: HostTime) {
    item.setTimeline(timeline)
    // It may tell the target of steps without a visible output.
    performSteps(at: host)
    guard hasEnded else { return }
    if let timeline, timeline.origin == .decode {
      clock.report(item.takeDecodedTimes(timeline, clockView))
      noteCached()
    }
    clock.report(.framesIndexed)
    wake([.observers, .display])
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
    clock.report(.cachedTimeRangesChanged)
    wake(.observers)
  }

  mutating func setCacheBudget(_ bytes: Int) {
    cacheBudget = bytes
    item.cache.setBudget(bytes)
    if item.presentation.waitingByteCount > item.cache.limit { item.shortenQueue(clockView) }
  }

  /// Returns the memory limit in bytes for decoders retained after scrubbing: what frames leave of the budget.
  func retainedLimit(at host: HostTime) -> Int {
    let room = max(0, item.cache.budget - item.cache.byteCount)
    if seeks.isScrubbing(at: host) { return room }
    // Once the target rests, no more are retained, and playback needs none.
    return clock.rate == 0 ? min(room, item.lane.retainedBytes) : 0
  }
}
