/// Reverse playback: from cached frames, while the groups before them are decoded ahead.
extension ItemPlayback {
  /// The minimum memory in bytes for reverse playback, about a group of frames; for large frames, three frames, without
  /// which it cannot work.
  private static let minFloor = 32 << 20

  /// Returns true if reverse playback can start: its first frame is there.
  func canEnterReverse(_ clock: ClockView) -> Bool {
    // Without a visible output, the clock goes back alone.
    guard isReady, clock.pacing == .clock, clock.rate < 0, !clock.isSeeking, !isDisplayOutdated, presentation.displayed != nil
    else { return false }
    switch decode.search?.purpose {
    case .first, .seek, .refresh: return false
    case .loop, .resume, nil: return true
    }
  }

  /// Switches to the cache for reverse playback.
  mutating func enterReverse(_ clock: ClockView) {
    guard let displayed = presentation.displayed else { return }
    detach()
    statistics.noteReversal()
    setCacheFloor(for: displayed.frame, clock)
    cacheDisplayed()
    cache.expectGoingBack()
    wake(.lane)
  }

  /// Returns true if reverse playback has to wait for the frames before the displayed one.
  func lacksEarlierFrames(_ clock: ClockView) -> Bool {
    // After a seek there may be some, or none may be needed.
    guard let displayed = presentation.displayed?.timing else { return false }
    return !isFirst(displayed, clock) && cache.contiguousFrames(before: displayed.pts).count == 0
  }

  /// Reserves the memory that reverse playback needs for frames of this size.
  mutating func setCacheFloor(for frame: ScaledFrames, _ clock: ClockView) {
    guard clock.rate < 0 else { return }
    cache.setFloor(max(Self.minFloor, 3 * frame.byteCount))
  }

  /// Returns true if reverse playback has no frame before this one.
  func isFirst(_ timing: FrameTiming, _ clock: ClockView) -> Bool {
    if timing.ptsNanoseconds <= bounds(clock).start { return true }
    // A search before it found nothing.
    return fill.exhaustedAt == timing.pts && !decode.isOnTheWay && cache.contiguousFrames(before: timing.pts).count == 0
  }

  // MARK: - The display

  /// The result of a look for the frame that reverse playback has reached.
  struct EarlierFrame {
    /// The due time of the frame put on display; nil if there is none.
    var due: HostTime?
    /// The media time before which nothing is cached, if the clock has passed it.
    var gap: Int64?
  }

  /// Shows the cached frame that the clock has reached.
  ///
  /// - Parameter mayCatchUp: true if a slightly late display may get the frames it has missed.
  mutating func showEarlier(mayCatchUp: Bool, for outputs: OutputSet, _ clock: ClockView, at host: HostTime) -> EarlierFrame {
    guard clock.pacing == .clock, clock.isRunning, !clock.isSeeking, !isDisplayOutdated,
      let former = presentation.displayed?.timing
    else { return EarlierFrame() }
    let media = max(bounds(clock).start, clock.media(at: host))
    guard media < former.ptsNanoseconds else { return EarlierFrame() }
    let late = mayCatchUp ? next(before: former, clock, at: host) : nil
    guard let entry = late ?? earlier(than: former, at: media) else {
      return EarlierFrame(gap: isFirst(former, clock) ? nil : former.ptsNanoseconds)
    }
    let timing = entry.timing
    let missed = missed(between: timing, and: former)
    statistics.noteDropped(missed + (isUnseen(by: outputs) ? 1 : 0))
    if missed > 0 { drops.didSkipGoingBack(at: host) }
    present(entry.frame, successor: entry.successor, clock)
    wake(.lane)
    let end = entry.end?.clockNanoseconds ?? former.ptsNanoseconds
    let isBehind = late == nil && timing.ptsNanoseconds > media && !isFirst(timing, clock)
    return EarlierFrame(due: clock.due(end - 1), gap: isBehind ? timing.ptsNanoseconds : nil)
  }

  /// Returns the very next frame in reverse, if the display is late but not so late that it must drop some.
  private func next(before former: FrameTiming, _ clock: ClockView, at host: HostTime) -> FrameCache.Entry? {
    guard let entry = cache.entry(before: former.pts), let due = clock.timebase.host(for: former.ptsNanoseconds - 1),
      drops.mayCatchUp(rate: clock.rate, due: due, at: host)
    else { return nil }
    return entry
  }

  /// Returns the cached frame of a time before `former`'s, or the earliest that is cached without a gap.
  private func earlier(than former: FrameTiming, at media: Int64) -> FrameCache.Entry? {
    func fits(_ entry: FrameCache.Entry) -> Bool { entry.timing.pts < former.pts }
    if let entry = cache.entry(displayedAt: MediaTime(nanoseconds: media)), fits(entry) { return entry }
    let run = cache.contiguousFrames(before: former.pts)
    return run.count > 0 ? cache.entry(displayedAt: run.start).flatMap { fits($0) ? $0 : nil } : nil
  }

  /// Returns the number of frames between two that were not shown.
  private func missed(between timing: FrameTiming, and former: FrameTiming) -> Int {
    if timing.numberIsExact, former.numberIsExact { return max(0, former.number - timing.number - 1) }
    return cache.count(between: timing.pts, former.pts)
  }

  // MARK: - Decoding ahead

  /// Starts decoding for the cache.
  mutating func begin(_ prefetch: Prefetch) {
    decode.prefetch(prefetch)
    drops.stopDiscarding()
  }

  /// Starts decoding what lies before the cached frames, while the display moves back over them.
  mutating func prefetchGoingBack(_ clock: ClockView) -> Bool {
    guard cache.limit > 0, cache.isMovingBack, clock.rate <= 0 else { return false }
    // At most half of the memory: the rest is for frames already passed.
    guard let target = claimPrefetchTarget(upTo: max(1, min(Self.lead, cacheCapacity / 2))) else { return false }
    begin(Prefetch(.goingBack, to: target))
    return true
  }

  /// Claims the end of what lies before the cached frames, to be decoded ahead once, if fewer than `count` are cached.
  mutating func claimPrefetchTarget(upTo count: Int) -> MediaTime? {
    guard let displayed = presentation.displayed else { return nil }
    let run = cache.contiguousFrames(before: displayed.timing.pts)
    guard run.start > .zero, run.count < count, fill.lookAhead(from: run.start) else { return nil }
    return Self.tickBefore(run.start)
  }

  /// Returns true if the frames being decoded ahead come directly before the cached frames that lead to one.
  func isPrefetching(before pts: MediaTime) -> Bool {
    decode.prefetch?.target == Self.tickBefore(cache.contiguousFrames(before: pts).start)
  }

  /// Abandons decoding ahead.
  mutating func dropPrefetch(_ clock: ClockView) {
    leavePrefetch(clock)
    fill.forgetLookAhead()
  }

  /// Ends decoding ahead, finished or not: playback that waited for it checks the current time again.
  private mutating func leavePrefetch(_ clock: ClockView) {
    let isAwaited = decode.prefetch?.reason == .pass && clock.goesOn
    decode.detach()
    if isAwaited { check.wantRefresh() }
  }

  /// Ends decoding ahead, which has come to its end.
  mutating func finishPrefetch(_ clock: ClockView) {
    let wasForCertainty = decode.prefetch?.mustBeCertain == true
    leavePrefetch(clock)
    if wasForCertainty, let displayed = presentation.displayed, let entry = cache.entry(at: displayed.timing.pts),
      entry.timing.isCertain, !displayed.timing.isCertain {
      presentation.replaceDisplayed(by: entry.frame)
    }
    wake([.lane, .display])
  }
}
