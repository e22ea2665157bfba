/// Reverse playback: from cached frames, while the groups before them are decoded ahead.
extension PlayerCore {

  /// Switches to the cache for reverse playback, once its first frame is there.
  mutating func enterReverse(at host: HostTime) {
    // Without a visible output, the clock goes back alone.
    guard item.isReady, pacing == .clock, clock.rate < 0, !seeks.isUnderWay, !isDisplayOutdated,
      let displayed = item.presentation.displayed
    else { return }
    switch item.decode.search?.purpose {
    case .first, .seek, .refresh: return
    case .loop, .resume, nil: item.detach()
    }
    item.statistics.noteReversal()
    setCacheFloor(for: displayed.frame)
    item.cacheDisplayed()
    item.cache.expectGoingBack()
    // After a seek there may be some, or none may be needed.
    let isWaiting = !isFirst(displayed.timing) && item.cache.contiguousFrames(before: displayed.timing.pts).count == 0
    setBuffering(isWaiting ? .earlierFrames : nil, at: host)
    wake(.lane)
  }

  /// Reserves the memory that reverse playback needs for frames of this size.
  mutating func setCacheFloor(for frame: ScaledFrames) {
    guard clock.rate < 0 else { return }
    item.cache.setFloor(max(ItemPlayback.floorForReverse, 3 * frame.byteCount))
  }

  /// Returns true if reverse playback has no frame before this one.
  func isFirst(_ timing: FrameTiming) -> Bool {
    if timing.ptsNanoseconds <= playStart { return true }
    // A search before it found nothing.
    return item.fill.exhaustedAt == timing.pts && !item.decode.isOnTheWay && item.cache.contiguousFrames(before: timing.pts).count == 0
  }

  /// Makes the clock wait for frames that are still being decoded, or continue.
  mutating func setBuffering(_ buffering: TransportClock.Buffering?, at host: HostTime) {
    guard clock.buffering != buffering else { return }
    clock.setBuffering(buffering)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  /// Shows the cached frame that the clock has reached, and returns its due time.
  ///
  /// - Parameter mayCatchUp: true if a slightly late display may get the frames it has missed.
  mutating func showEarlier(at host: HostTime, mayCatchUp: Bool = true) -> HostTime? {
    guard pacing == .clock, clock.isRunning, !seeks.isUnderWay, !isDisplayOutdated,
      let former = item.presentation.displayed?.timing
    else { return nil }
    let media = max(playStart, clock.media(at: host))
    guard media < former.ptsNanoseconds else { return nil }
    let late = mayCatchUp ? next(before: former, at: host) : nil
    guard let entry = late ?? item.earlier(than: former, at: media) else {
      if !isFirst(former) { fallBehind(to: former.ptsNanoseconds, at: host) }
      return nil
    }
    let timing = entry.timing
    let missed = item.missed(between: timing, and: former)
    item.statistics.noteDropped(missed + (isDisplayedUnseen ? 1 : 0))
    if missed > 0 { item.drops.didSkipGoingBack(at: host) }
    present(entry.frame, successor: entry.successor)
    wake(.lane)
    let end = entry.end?.clockNanoseconds ?? former.ptsNanoseconds
    let due = clock.due(end - 1)
    if late == nil, timing.ptsNanoseconds > media, !isFirst(timing) { fallBehind(to: timing.ptsNanoseconds, at: host) }
    return due
  }

  /// Returns the very next frame in reverse, if the display is late but not so late that it must drop some.
  private func next(before former: FrameTiming, at host: HostTime) -> FrameCache.Entry? {
    guard let entry = item.cache.entry(before: former.pts), let due = clock.timebase.host(for: former.ptsNanoseconds - 1),
      item.drops.mayCatchUp(rate: clock.rate, due: due, at: host)
    else { return nil }
    return entry
  }

  /// Makes the clock wait, since nothing is cached where it is.
  private mutating func fallBehind(to media: Int64, at host: HostTime) {
    item.drops.didFallBehind(rate: clock.rate)
    clock.goBack(to: media, at: host)
    setBuffering(.earlierFrames, at: host)
  }

  // MARK: - Decoding ahead

  /// Starts decoding what lies before the cached frames, while the display moves back over them.
  mutating func prefetchGoingBack() -> Bool {
    guard item.cache.limit > 0, item.cache.isMovingBack, clock.rate <= 0 else { return false }
    // At most half of the memory: the rest is for frames already passed.
    guard let target = item.claimPrefetchTarget(upTo: max(1, min(ItemPlayback.lead, item.cacheCapacity / 2))) else { return false }
    item.begin(Prefetch(.goingBack, to: target))
    return true
  }

  /// Abandons decoding ahead.
  mutating func dropPrefetch() {
    leavePrefetch()
    item.fill.forgetLookAhead()
  }

  /// Ends decoding ahead, finished or not: playback that waited for it checks the current time again.
  private mutating func leavePrefetch() {
    let isAwaited = item.decode.prefetch?.reason == .pass && clock.goesOn
    item.decode.detach()
    if isAwaited { item.check.wantRefresh() }
  }

  /// Handles the end of a prefetch.
  mutating func endPrefetch(at host: HostTime) {
    let wasForCertainty = item.decode.prefetch?.mustBeCertain == true
    leavePrefetch()
    if wasForCertainty, let displayed = item.presentation.displayed, let entry = item.cache.entry(at: displayed.timing.pts),
      entry.timing.isCertain, !displayed.timing.isCertain {
      item.presentation.replaceDisplayed(by: entry.frame)
    }
    if clock.buffering == .earlierFrames { setBuffering(nil, at: host) }
    wake([.lane, .display])
    noteCached()
  }
}
