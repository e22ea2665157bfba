/// Reverse playback: from cached frames, while the groups before them are decoded ahead.
extension PlayerCore {
  /// The minimum memory in bytes for reverse playback, about a group of frames; for large frames, three frames, without
  /// which it cannot work.
  private static let floorForReverse = 32 << 20

  /// Switches to the cache for reverse playback, once its first frame is there.
  mutating func enterReverse(at host: HostTime) {
    // Without a visible output, the clock goes back alone.
    guard isReady, clock.rate < 0, !clock.isUntimed, !seeks.isUnderWay, outputs.isVisible, !isDisplayOutdated,
      let displayed = presentation.displayed
    else { return }
    switch decode.approach?.purpose {
    case .first, .seek, .refresh: return
    case .loop, .resume, nil: detach()
    }
    statistics.noteReversal()
    setCacheFloor(for: displayed.frame)
    cacheDisplayed()
    cache.expectGoingBack()
    // After a seek there may be some, or none may be needed.
    setBuffering(!isFirst(displayed.timing) && cache.contiguousFrames(before: displayed.timing.pts).count == 0, at: host)
    wake(.lane)
  }

  /// Reserves the memory that reverse playback needs for frames of this size.
  mutating func setCacheFloor(for frame: RenderedSet) {
    guard clock.rate < 0 else { return }
    cache.setFloor(max(Self.floorForReverse, 3 * frame.byteCount))
  }

  /// Returns true if reverse playback has no frame before this one.
  func isFirst(_ timing: FrameTiming) -> Bool {
    if timing.ptsNanoseconds <= playStart { return true }
    // A search before it found nothing.
    return fill.exhaustedAt == timing.pts && !decode.isOnTheWay && cache.contiguousFrames(before: timing.pts).count == 0
  }

  /// Makes the clock wait for frames that are still being decoded, or continue.
  mutating func setBuffering(_ buffering: Bool, at host: HostTime) {
    guard clock.isBuffering != buffering else { return }
    clock.setBuffering(buffering)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  /// Shows the cached frame that the clock has reached, and returns its due time.
  ///
  /// - Parameter mayCatchUp: true if a slightly late display may get the frames it has missed.
  mutating func showEarlier(at host: HostTime, mayCatchUp: Bool = true) -> HostTime? {
    guard clock.isRunning, !seeks.isUnderWay, outputs.isVisible, !isDisplayOutdated,
      let former = presentation.displayed?.timing
    else { return nil }
    let media = max(playStart, clock.media(at: host))
    guard media < former.ptsNanoseconds else { return nil }
    let late = mayCatchUp ? next(before: former, at: host) : nil
    guard let entry = late ?? earlier(than: former, at: media) else {
      if !isFirst(former) { fallBehind(to: former.ptsNanoseconds, at: host) }
      return nil
    }
    let timing = entry.timing
    let missed = missed(between: timing, and: former)
    statistics.noteDropped(missed + (isDisplayedUnseen ? 1 : 0))
    if missed > 0 { drops.didSkipGoingBack(at: host) }
    present(entry.frame, successor: entry.successor)
    wake(.lane)
    let end = entry.end?.nanoseconds ?? former.ptsNanoseconds
    let due = clock.due(end - 1)
    if late == nil, timing.ptsNanoseconds > media, !isFirst(timing) { fallBehind(to: timing.ptsNanoseconds, at: host) }
    return due
  }

  /// Returns the very next frame in reverse, if the display is late but not so late that it must drop some.
  private func next(before former: FrameTiming, at host: HostTime) -> FrameCache.Entry? {
    guard let entry = cached(before: former.pts), let due = clock.timebase.host(for: former.ptsNanoseconds - 1),
      drops.mayCatchUp(rate: clock.rate, due: due, at: host)
    else { return nil }
    return entry
  }

  /// Returns the cached frame of a time before `former`'s, or the earliest that is cached without a gap.
  private func earlier(than former: FrameTiming, at media: Int64) -> FrameCache.Entry? {
    func fits(_ entry: FrameCache.Entry) -> Bool { entry.timing.pts < former.pts && isCurrent(entry.frame) }
    if let entry = cache.entry(displayedAt: MediaTime(nanoseconds: media)), fits(entry) { return entry }
    let run = cache.contiguousFrames(before: former.pts)
    return run.count > 0 ? cache.entry(displayedAt: run.start).flatMap { fits($0) ? $0 : nil } : nil
  }

  /// Returns the number of frames between two that were not shown.
  private func missed(between timing: FrameTiming, and former: FrameTiming) -> Int {
    if timing.numberIsExact, former.numberIsExact { return max(0, former.number - timing.number - 1) }
    return cache.count(between: timing.pts, former.pts)
  }

  /// Makes the clock wait, since nothing is cached where it is.
  private mutating func fallBehind(to media: Int64, at host: HostTime) {
    drops.didFallBehind(rate: clock.rate)
    clock.goBack(to: media, at: host)
    setBuffering(true, at: host)
  }

  // MARK: - Decoding ahead

  /// Starts decoding what lies before the cached frames, while the display moves back over them.
  mutating func prefetchGoingBack() -> Bool {
    guard cache.limit > 0, cache.isMovingBack, clock.rate <= 0 else { return false }
    // At most half of the memory: the rest is for frames already passed.
    guard let target = claimPrefetchTarget(upTo: max(1, min(Self.lead, cacheCapacity / 2))) else { return false }
    begin(Prefetch(.goingBack, to: target))
    return true
  }

  /// The number of frames like the displayed one that fit in the cache.
  var cacheCapacity: Int { presentation.displayed.map { cache.limit / max(1, $0.frame.byteCount) } ?? 0 }

  mutating func begin(_ prefetch: Prefetch) {
    decode.prefetch(prefetch)
    drops.stopDiscarding()
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
  mutating func dropPrefetch() {
    leavePrefetch()
    fill.forgetLookAhead()
  }

  /// Ends decoding ahead, finished or not: playback that waited for it checks the current time again.
  private mutating func leavePrefetch() {
    let isAwaited = decode.prefetch?.reason == .pass && clock.goesOn
    decode.detach()
    if isAwaited { decode.wantRefresh() }
  }

  /// Handles the end of a prefetch.
  mutating func endPrefetch(at host: HostTime) {
    let wasForCertainty = decode.prefetch?.mustBeCertain == true
    leavePrefetch()
    if wasForCertainty, let displayed = presentation.displayed, let entry = cached(at: displayed.timing.pts),
      entry.timing.isCertain, !displayed.timing.isCertain {
      presentation.replaceDisplayed(by: entry.frame)
    }
    setBuffering(false, at: host)
    wake([.lane, .display])
    noteCached()
  }
}
