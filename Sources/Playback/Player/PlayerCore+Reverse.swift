/// Playing backwards: from held pictures, while the groups before them are decoded ahead.
extension PlayerCore {
  /// Bytes for playing backwards where the cache has less: about a group of pictures.
  private static let floorForReverse = 32 << 20

  /// Turns to the cache for playing backwards, once the picture to begin with is there.
  mutating func turnBack(at host: HostTime) {
    guard rate < 0, !isUntimed, !seek.isUnderWay, let displayed else { return }
    switch feed.positioning?.purpose {
    case .first, .seek, .refresh: return
    case .loop, .resume:
      feed.positioning = nil
      feed.phase = .parked
      rememberQueue()
    case .prefetch, nil: park()
    }
    cache.floor = max(cache.floor, Self.floorForReverse)
    feed.iteration = iteration
    rememberDisplayed()
    cache.turnBack()
    if !isFirst(displayed), cache.run(before: displayed.timing.pts).count == 0 { buffer(at: host) }
    effects.append(.feed)
  }

  /// Whether nothing comes before a picture, as far as playing backwards is concerned.
  func isFirst(_ picture: RenderedFrame) -> Bool {
    let pts = picture.timing.pts
    if picture.timing.ptsNanoseconds <= playStart { return true }
    // Nothing came of looking before it.
    return feed.barrenPrefetch == pts && feed.positioning == nil && cache.run(before: pts).count == 0
  }

  private mutating func buffer(at host: HostTime) {
    guard !isBuffering else { return }
    isBuffering = true
    settle(at: host)
    effects += [.feed, .observe]
  }

  /// Goes on once the group before has been decoded.
  mutating func endBuffering(at host: HostTime) {
    guard isBuffering else { return }
    isBuffering = false
    settle(at: host)
    effects += [.display, .observe]
  }

  /// Lets the clock go back: to the beginning, or round the loop.
  mutating func advanceBackwards(to host: HostTime) {
    let start = playStart
    guard timebase.media(at: host) <= start else {
      return log.played(to: min(log.told, timebase.media(at: host)))
    }
    let hostAtStart = max(timebase.host(for: start) ?? host, timebase.anchorHost)
    // Not without the picture that is shown there.
    if request != nil {
      _ = showEarlier(at: hostAtStart, mayLag: false)
      if isBuffering { return }
    }
    log.played(to: start)
    if start == 0 { log.event(.playedToStart) }
    if loopStart == start, let end = playEnd ?? info?.duration.nanoseconds, end > start {
      let target = MediaTime(nanoseconds: end - 1)
      startSeek(SeekRequest(target: target, before: .zero, after: .zero, askedAt: host), at: hostAtStart)
      return
    }
    rate = 0
    log.event(.rateChanged(0))
    noteMove(at: host)
    runClock(from: start, at: hostAtStart, isJump: false)
    // The lane looks whether the picture that is shown there is on display.
    effects += [.feed, .observe, .display]
  }

  /// Shows the held picture that the clock has come to, and tells when it was due.
  ///
  /// - Parameter mayLag: whether a display that is a little late may get the pictures that it has missed.
  mutating func showEarlier(at host: HostTime, mayLag: Bool = true) -> HostTime? {
    guard timebase.isRunning, !seek.isUnderWay, let former = displayed else { return nil }
    let media = max(playStart, timebase.media(at: host))
    guard media < former.timing.ptsNanoseconds else { return nil }
    let missed = mayLag ? next(before: former, at: host) : nil
    guard let entry = missed ?? earlier(than: former, at: media) else {
      if !isFirst(former) { fallBehind(to: former.timing.ptsNanoseconds, at: host) }
      return nil
    }
    let timing = entry.picture.timing
    if displayedIsNew { statistics.skipped += 1 }
    let skipped = passed(between: timing, and: former.timing)
    statistics.skipped += skipped
    if skipped > 0 { feed.mayLagAfter = host + Self.lagPause }
    rememberDisplayed()
    displayed = entry.picture
    displayedSuccessor = entry.successor
    displayedIsNew = true
    cache.moveCenter(to: timing.pts)
    effects.append(.feed)
    let end = entry.end?.nanoseconds ?? former.timing.ptsNanoseconds
    let due = timebase.host(for: end - 1).map { max($0, timebase.anchorHost) }
    if missed == nil, timing.ptsNanoseconds > media, !isFirst(entry.picture) {
      fallBehind(to: timing.ptsNanoseconds, at: host)
    }
    return due
  }

  /// The display may be so many nanoseconds late without leaving a picture out.
  private static let catchUpTime: HostTime = 500_000_000
  /// One that had to leave some out is too slow: for so many nanoseconds it gets the newest.
  private static let lagPause: HostTime = 5_000_000_000

  /// The very next picture on the way back, where the display is late but not so late that it must leave some out.
  private func next(before former: RenderedFrame, at host: HostTime) -> FrameCache.Entry? {
    guard rate >= -1, host >= feed.mayLagAfter, let entry = cached(before: former.timing.pts),
      let due = timebase.host(for: former.timing.ptsNanoseconds - 1), host - due < Self.catchUpTime
    else { return nil }
    return entry
  }

  /// The held picture of a time before `former`'s, or the earliest that is held without a gap.
  private func earlier(than former: RenderedFrame, at media: Int64) -> FrameCache.Entry? {
    let pts = former.timing.pts
    func fits(_ entry: FrameCache.Entry) -> Bool { entry.picture.timing.pts < pts && entry.picture.request == request }
    if let entry = cache.entry(reaching: MediaTime(nanoseconds: media)), fits(entry) { return entry }
    let run = cache.run(before: pts)
    return run.count > 0 ? cache.entry(reaching: run.start).flatMap { fits($0) ? $0 : nil } : nil
  }

  /// Pictures between two that went by without being shown.
  private func passed(between timing: FrameTiming, and former: FrameTiming) -> Int {
    if timing.numberIsExact, former.numberIsExact { return max(0, former.number - timing.number - 1) }
    return cache.count(between: timing.pts, former.pts)
  }

  /// Nothing is held where the clock has come to: it waits, and where it goes fast less is decoded from now on.
  private mutating func fallBehind(to media: Int64, at host: HostTime) {
    if rate < -1 { feed.discardGoingBack = DiscardLevel(rawValue: feed.discardGoingBack.rawValue + 1) ?? .nonKey }
    timebase.set(media: media, host: host, rate: timebase.rate)
    buffer(at: host)
  }
}
