/// Playing from cached frames while the source goes to their end.
extension ItemPlayback {
  /// Cached frames to play while the source goes to their end.
  struct CachedRun {
    var frames: [FrameCache.Entry]
    var end: MediaTime
    /// True if decoding from the source's position reaches the end soon.
    var isNear: Bool
    /// True if they are the rest of a loop pass, and the source need not move.
    var isRestOfPass: Bool
  }

  /// Returns the cached frames after a frame, if they last until the source can be there.
  ///
  /// - Parameter isForRunningClock: the clock does not wait, so a short run is better than none.
  func cachedRun(after entry: FrameCache.Entry, isForRunningClock: Bool = false, _ clock: ClockView) -> CachedRun? {
    guard let start = entry.successor else { return nil }
    let passEnd = bounds(clock).passEnd
    let run = cache.contiguousFrames(from: start, limit: passEnd == nil ? Self.lead : .max)
    let end = run.end ?? start
    let isRestOfPass = passEnd.map { entry.timing.ptsNanoseconds < $0 && run.knownEnd ?? start.nanoseconds ?? 0 >= $0 } ?? false
    let isNear = decode.last.map { comesSoon(after: $0, to: end) } ?? false
    let isLong = (end - entry.timing.pts).seconds >= Self.bridgeSeconds * abs(clock.rate)
    guard isNear || isLong || isForRunningClock || isRestOfPass else { return nil }
    return CachedRun(frames: Array(run), end: end, isNear: isNear, isRestOfPass: isRestOfPass)
  }

  /// Queues cached frames and sends the source to their end.
  mutating func playCached(_ run: CachedRun, _ clock: ClockView) {
    cacheQueue()
    if run.isRestOfPass {
      queueCached(run.frames, pass: passes.played, before: bounds(clock).passEnd ?? .max)
      return endPass()
    }
    queueCached(run.frames, pass: passes.played)
    resume(at: run.end, from: run.isNear ? decode.last : nil, pass: passes.played)
    wake(.lane)
  }

  /// Continues playback from the cached frames after the displayed one, before the clock runs. Returns true if enough are
  /// cached, or nothing is left of the loop's pass.
  mutating func leaveCache(_ clock: ClockView, at host: HostTime) -> Bool {
    guard !isDisplayOutdated, let displayed = presentation.displayed else { return false }
    if let end = bounds(clock).passEnd, clock.media(at: host) >= end {
      endPass()
      return true
    }
    let entry = FrameCache.Entry(frame: displayed.frame, successor: displayed.successor)
    guard cache.isCurrent(displayed.frame), let run = cachedRun(after: entry, clock) else { return false }
    playCached(run, clock)
    return true
  }

  /// Plays on from the cache if the clock runs into it, instead of stopping until the source is there.
  mutating func playOnFromCache(from target: MediaTime, _ clock: ClockView) -> Bool {
    guard clock.isRunning, clock.rate > 0 else { return false }
    cacheDisplayed()
    cacheQueue()
    guard let entry = cache.entry(holding: target), let run = cachedRun(after: entry, isForRunningClock: true, clock) else {
      return false
    }
    // A frame already on display is not shown again.
    let isDisplayed = presentation.displayed.map { $0.timing.pts == entry.timing.pts && cache.isCurrent($0.frame) } ?? false
    if !isDisplayed { present(entry.frame, successor: entry.successor, clock) }
    playCached(run, clock)
    return true
  }

  /// Releases waiting cached frames, except those that bridge the source's way to the first one released.
  mutating func shortenQueue(_ clock: ClockView) {
    let waiting = presentation.waiting
    guard let first = waiting.first, !clock.isSeeking, check.refresh == nil else { return }
    let end = waiting.indices.dropFirst(PresentationQueue.capacity).first { i in
      let length = waiting[i].timing.pts - first.timing.pts
      return waiting[i].pass > first.pass || length.seconds >= Self.bridgeSeconds * clock.rate
    }
    guard let end else { return }
    let next = waiting[end]
    // A loop's next pass does not follow the waiting frames.
    let purpose: TargetSearch.Purpose = next.pass > waiting[end - 1].pass ? .loop : .resume
    presentation.truncate(to: end)
    begin(TargetSearch(purpose, to: next.timing.pts), pass: next.pass)
    wake(.lane)
  }
}
