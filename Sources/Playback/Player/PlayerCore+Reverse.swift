/// Playing backwards: from cached frames, while the groups before them are decoded ahead.
extension PlayerCore {
  /// Bytes for playing backwards where the cache has less: about a group of frames. Of large ones it is three frames, without which
  /// there is no way back.
  private static let floorForReverse = 32 << 20

  /// Turns to the cache for playing backwards, once the frame to begin with is there.
  mutating func enterReverse(at host: HostTime) {
    // While nobody looks the clock goes back alone.
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

  /// Keeps the memory that going back needs of frames like one.
  mutating func setCacheFloor(for frame: RenderedSet) {
    guard clock.rate < 0 else { return }
    cache.setFloor(max(Self.floorForReverse, 3 * frame.byteCount))
  }

  /// Returns true if reverse playback has no frame before this one.
  func isFirst(_ timing: FrameTiming) -> Bool {
    if timing.ptsNanoseconds <= playStart { return true }
    // Nothing came of looking before it.
    return fill.exhaustedAt == timing.pts && !decode.isOnTheWay && cache.contiguousFrames(before: timing.pts).count == 0
  }

  /// Lets the clock wait for frames that are still being decoded, or go on.
  mutating func setBuffering(_ buffering: Bool, at host: HostTime) {
    guard clock.isBuffering != buffering else { return }
    clock.setBuffering(buffering)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  /// Shows the cached frame that the clock has come to, and tells when it was due.
  ///
  /// - Parameter mayCatchUp: whether a display that is a little late may get the frames that it has missed.
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

  /// The very next frame on the way back, where the display is late but not so late that it must leave some out.
  private func next(before former: FrameTiming, at host: HostTime) -> FrameCache.Entry? {
    guard let entry = cached(before: former.pts), let due = clock.timebase.host(for: former.ptsNanoseconds - 1),
      drops.mayCatchUp(rate: clock.rate, due: due, at: host)
    else { return nil }
    return entry
  }

  /// The cached frame of a time before `former`'s, or the earliest that is cached without a gap.
  private func earlier(than former: FrameTiming, at media: Int64) -> FrameCache.Entry? {
    func fits(_ entry: FrameCache.Entry) -> Bool { entry.timing.pts < former.pts && isCurrent(entry.frame) }
    if let entry = cache.entry(displayedAt: MediaTime(nanoseconds: media)), fits(entry) { return entry }
    let run = cache.contiguousFrames(before: former.pts)
    return run.count > 0 ? cache.entry(displayedAt: run.start).flatMap { fits($0) ? $0 : nil } : nil
  }

  /// Frames between two that went by without being shown.
  private func missed(between timing: FrameTiming, and former: FrameTiming) -> Int {
    if timing.numberIsExact, former.numberIsExact { return max(0, former.number - timing.number - 1) }
    return cache.count(between: timing.pts, former.pts)
  }

  /// Nothing is cached where the clock has come to: it waits.
  private mutating func fallBehind(to media: Int64, at host: HostTime) {
    drops.didFallBehind(rate: clock.rate)
    clock.goBack(to: media, at: host)
    setBuffering(true, at: host)
  }

  // MARK: - Decoding ahead

  /// Begins to decode what lies before the cached frames, while the display moves back over them.
  mutating func prefetchGoingBack() -> Bool {
    guard cache.limit > 0, cache.isMovingBack, clock.rate <= 0 else { return false }
    // Half of the memory at the most: the rest is for what has been passed.
    guard let target = claimPrefetchTarget(upTo: max(1, min(Self.lead, cacheCapacity / 2))) else { return false }
    begin(Prefetch(.goingBack, to: target))
    return true
  }

  /// Frames like the displayed one that the cache has room for.
  var cacheCapacity: Int { presentation.displayed.map { cache.limit / max(1, $0.frame.byteCount) } ?? 0 }

  mutating func begin(_ prefetch: Prefetch) {
    decode.prefetch(prefetch)
    drops.stopDiscarding()
  }

  /// The end of what lies before the cached frames, to be decoded ahead once, where fewer than `count` are cached.
  mutating func claimPrefetchTarget(upTo count: Int) -> MediaTime? {
    guard let displayed = presentation.displayed else { return nil }
    let run = cache.contiguousFrames(before: displayed.timing.pts)
    guard run.start > .zero, run.count < count, fill.lookAhead(from: run.start) else { return nil }
    return Self.tickBefore(run.start)
  }

  /// Returns true if what is decoded ahead lies right before the cached frames that lead to one.
  func isPrefetching(before pts: MediaTime) -> Bool {
    decode.prefetch?.target == Self.tickBefore(cache.contiguousFrames(before: pts).start)
  }

  /// Leaves what is decoded ahead undone.
  mutating func dropPrefetch() {
    leavePrefetch()
    fill.forgetLookAhead()
  }

  /// The stretch that was decoded ahead is there, or given up: playing that waited for it takes another look at the present.
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
