/// Movement among cached frames, away from the decoder's position.
extension PlayerCore {
  /// Abandons the old position after the clock has moved: drops what waits or is being decoded, and requests the current
  /// frame.
  mutating func flushForJump() {
    if item.decode.prefetch != nil { dropPrefetch() }
    item.detach()
    item.check.wantRefresh()
  }

  // MARK: - Playing on from the cache

  /// Continues playback from the cached frames while the source goes to their end, before the clock runs.
  mutating func leaveCache(at host: HostTime) {
    // Nobody sees the frames: the clock runs alone.
    guard clock.goesOn, item.decode.isDetached, !seeks.isUnderWay, outputs.isVisible else { return }
    if !isDisplayOutdated, let displayed = item.presentation.displayed {
      // At the loop's end nothing is left of its pass.
      if let end = passEnd, clock.media(at: host) >= end { return endPass() }
      if item.cache.isCurrent(displayed.frame), let run = cachedRun(after: FrameCache.Entry(frame: displayed.frame, successor: displayed.successor)) {
        return playCached(run)
      }
    }
    seekToPresent(at: host)
  }

  /// Plays on from the cache if the clock runs into it, instead of stopping until the source is there.
  mutating func playOnFromCache(from target: MediaTime) -> Bool {
    guard clock.isRunning, clock.rate > 0 else { return false }
    item.cacheDisplayed()
    item.cacheQueue()
    guard let entry = item.cache.entry(holding: target), let run = cachedRun(after: entry, isForRunningClock: true) else {
      return false
    }
    // A frame already on display is not shown again.
    let isDisplayed = item.presentation.displayed.map { $0.timing.pts == entry.timing.pts && item.cache.isCurrent($0.frame) } ?? false
    if !isDisplayed { present(entry.frame, successor: entry.successor) }
    playCached(run)
    return true
  }

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
  func cachedRun(after entry: FrameCache.Entry, isForRunningClock: Bool = false) -> CachedRun? {
    guard let start = entry.successor else { return nil }
    let run = item.cache.contiguousFrames(from: start, limit: passEnd == nil ? ItemPlayback.lead : .max)
    let end = run.end ?? start
    let isRestOfPass = passEnd.map { entry.timing.ptsNanoseconds < $0 && run.knownEnd ?? start.nanoseconds ?? 0 >= $0 } ?? false
    let isNear = item.decode.last.map { item.comesSoon(after: $0, to: end) } ?? false
    let isLong = (end - entry.timing.pts).seconds >= ItemPlayback.bridgeSeconds * abs(clock.rate)
    guard isNear || isLong || isForRunningClock || isRestOfPass else { return nil }
    return CachedRun(frames: Array(run), end: end, isNear: isNear, isRestOfPass: isRestOfPass)
  }

  /// The end of a loop pass; nil if nothing loops.
  private var passEnd: Int64? { loopStart.flatMap { start in playEnd.flatMap { start < $0 ? $0 : nil } } }

  /// Queues cached frames and sends the source to their end.
  mutating func playCached(_ run: CachedRun) {
    item.cacheQueue()
    if run.isRestOfPass {
      item.queueCached(run.frames, pass: item.passes.played, before: passEnd ?? .max)
      return endPass()
    }
    item.queueCached(run.frames, pass: item.passes.played)
    item.resume(at: run.end, from: run.isNear ? item.decode.last : nil, pass: item.passes.played)
    wake(.lane)
  }

  /// Releases waiting cached frames, except those that bridge the source's way to the first one released.
  mutating func shortenQueue() {
    let waiting = item.presentation.waiting
    guard let first = waiting.first, !seeks.isUnderWay, item.check.refresh == nil else { return }
    let end = waiting.indices.dropFirst(PresentationQueue.capacity).first { i in
      let length = waiting[i].timing.pts - first.timing.pts
      return waiting[i].pass > first.pass || length.seconds >= ItemPlayback.bridgeSeconds * clock.rate
    }
    guard let end else { return }
    let next = waiting[end]
    // A loop's next pass does not follow the waiting frames.
    let purpose: TargetSearch.Purpose = next.pass > waiting[end - 1].pass ? .loop : .resume
    item.presentation.truncate(to: end)
    item.begin(TargetSearch(purpose, to: next.timing.pts), pass: next.pass)
    wake(.lane)
  }

  // MARK: - Loops from the cache

  /// Moves frames after a loop's new end to the cache, so that the pass ends there.
  mutating func cutPass() {
    item.copyQueueToCache()
    if let end = playEnd { item.presentation.removeWaiting { $0.timing.ptsNanoseconds >= end } }
    endPass()
  }

  /// Abandons a loop's next pass, none of which will be shown.
  mutating func dropNextPass() {
    let pass = item.passes.played
    item.copyQueueToCache()
    item.presentation.removeWaiting { $0.pass > pass }
    endPass()
  }

  /// Returns true if all of a loop's pass fits into the memory, of frames like one.
  func cachesPass(like frame: ScaledFrames) -> Bool {
    guard clock.goesOn, let start = loopStart, let end = passEnd else { return false }
    return frame.timing.frameCount(in: Double(end - start) / 1e9) + 2 <= Double(item.cacheCapacity)
  }

  /// Decodes a whole loop pass, at the start of which the source is, to play it from memory.
  mutating func beginPass() {
    guard let end = passEnd else { return }
    item.detach()
    var prefetch = Prefetch(.pass, to: ItemPlayback.tickBefore(MediaTime(nanoseconds: end)))
    prefetch.decodeOn()
    item.begin(prefetch)
  }

  /// Queues a loop's next pass from the cache, if all of it is cached. Returns true if it did.
  mutating func queuePassFromCache(_ pass: Int, from start: MediaTime, to end: Int64) -> Bool {
    item.cacheDisplayed()
    item.copyQueueToCache()
    guard let first = item.cache.entry(holding: start) else { return false }
    let run = item.cache.contiguousFrames(from: first.timing.pts, limit: .max)
    guard let knownEnd = run.knownEnd, knownEnd >= end else { return false }
    item.queueCached(run, pass: pass, before: end)
    return true
  }

  /// Notes that the rest of the clock's own pass is waiting.
  private mutating func endPass() {
    item.endPass()
    wake(.lane)
  }
}
