/// Movement among cached frames, away from the decoder's position.
extension PlayerCore {
  /// The number of frames kept ahead of reverse playback: decoding a group of frames takes about as long as stepping back
  /// over this many.
  /// about as long as stepping back over that many.
  static let lead = 300
  /// The minimum time in seconds that cached frames bridge while the source goes to their end.
  static let bridgeSeconds = 1.0
  /// Seconds of frames that forward playback leaves in the cache of each pane, so that playback alone does not fill the
  /// memory.
  private static let historySeconds = 10.0

  /// Caches the displayed frame before another replaces it.
  mutating func cacheDisplayed() {
    guard cache.limit > 0, let displayed = presentation.displayed, isCurrent(displayed.frame) else { return }
    cache.insert(displayed.frame, successor: displayed.successor)
    // Frames that a loop will play again stay.
    if clock.isRunning, clock.rate > 0, clock.loop.range == nil {
      cache.trim(before: displayed.timing.pts, seconds: Self.historySeconds)
    }
  }

  /// Moves the waiting frames to the cache, since the display goes elsewhere.
  mutating func cacheQueue() {
    copyQueueToCache()
    presentation.removeWaiting()
  }

  private mutating func copyQueueToCache() {
    guard cache.limit > 0 else { return }
    for waiting in presentation.waiting where isCurrent(waiting.frame) {
      cache.insert(waiting.frame, successor: waiting.successor)
    }
  }

  func cached(holding time: MediaTime) -> FrameCache.Entry? {
    cache.entry(holding: time).flatMap { isCurrent($0.frame) ? $0 : nil }
  }

  /// Returns the cached frame that starts at a time.
  func cached(at pts: MediaTime) -> FrameCache.Entry? {
    cached(holding: pts).flatMap { $0.timing.pts == pts ? $0 : nil }
  }

  func cached(before pts: MediaTime) -> FrameCache.Entry? {
    cache.entry(before: pts).flatMap { isCurrent($0.frame) ? $0 : nil }
  }

  /// Leaves the source where it is.
  mutating func detach() {
    // The displayed frame belongs to the clock's own pass; the next pass is abandoned.
    decode.setLoopIndex(clock.loopIndex)
    // Frames being decoded ahead are still needed.
    if decode.isDetached { return }
    cacheQueue()
    decode.detach()
    decode.dropRefresh()
  }

  /// Abandons the old position after the clock has moved: drops what waits or is being decoded, and requests the current
  /// frame.
  mutating func leavePlace() {
    if decode.prefetch != nil { dropPrefetch() }
    detach()
    decode.wantRefresh()
  }

  // MARK: - Playing on from the cache

  /// Continues playback from the cached frames while the source goes to their end, before the clock runs.
  mutating func leaveCache(at host: HostTime) {
    // Nobody sees the frames: the clock runs alone.
    guard clock.goesOn, decode.isDetached, !seeks.isUnderWay, outputs.isVisible else { return }
    if !isDisplayOutdated, let displayed = presentation.displayed {
      // At the loop's end nothing is left of its pass.
      if let end = passEnd, clock.media(at: host) >= end { return endPass() }
      if isCurrent(displayed.frame), let bridge = bridge(after: FrameCache.Entry(frame: displayed.frame, successor: displayed.successor)) {
        return cross(bridge)
      }
    }
    seekToPresent(at: host)
  }

  /// Cached frames to play while the source goes to their end.
  struct Bridge {
    var frames: [FrameCache.Entry]
    var end: MediaTime
    /// True if decoding from the source's position reaches the end soon.
    var isNear: Bool
    /// True if they are the rest of a loop pass, and the source need not move.
    var isRestOfPass: Bool
  }

  /// Plays on from the cache if the clock runs into it, instead of stopping until the source is there.
  mutating func playOnFromCache(from target: MediaTime) -> Bool {
    guard clock.isRunning, clock.rate > 0 else { return false }
    cacheDisplayed()
    cacheQueue()
    guard let entry = cached(holding: target), let bridge = bridge(after: entry, isForRunningClock: true) else {
      return false
    }
    // A frame already on display is not shown again.
    let isDisplayed = presentation.displayed.map { $0.timing.pts == entry.timing.pts && isCurrent($0.frame) } ?? false
    if !isDisplayed { present(entry.frame, successor: entry.successor) }
    cross(bridge)
    return true
  }

  /// Returns the cached frames after a frame, if they last until the source can be there.
  ///
  /// - Parameter isForRunningClock: the clock does not wait, so a short bridge is better than none.
  func bridge(after entry: FrameCache.Entry, isForRunningClock: Bool = false) -> Bridge? {
    guard let start = entry.successor else { return nil }
    let run = cache.contiguousFrames(from: start, limit: passEnd == nil ? Self.lead : .max)
    guard run.allSatisfy({ isCurrent($0.frame) }) else { return nil }
    let end = run.end ?? start
    let isRestOfPass = passEnd.map { entry.timing.ptsNanoseconds < $0 && run.knownEnd ?? start.nanoseconds ?? 0 >= $0 } ?? false
    let isNear = decode.last.map { comesSoon(after: $0, to: end) } ?? false
    let isLong = (end - entry.timing.pts).seconds >= Self.bridgeSeconds * abs(clock.rate)
    guard isNear || isLong || isForRunningClock || isRestOfPass else { return nil }
    return Bridge(frames: Array(run), end: end, isNear: isNear, isRestOfPass: isRestOfPass)
  }

  /// The end of a loop pass; nil if nothing loops.
  private var passEnd: Int64? { loopStart.flatMap { start in playEnd.flatMap { start < $0 ? $0 : nil } } }

  /// Queues cached frames and sends the source to their end.
  mutating func cross(_ bridge: Bridge) {
    cacheQueue()
    if bridge.isRestOfPass {
      queueCached(bridge.frames, loopIndex: clock.loopIndex, before: passEnd ?? .max)
      return endPass()
    }
    queueCached(bridge.frames, loopIndex: clock.loopIndex)
    resume(at: bridge.end, from: bridge.isNear ? decode.last : nil, loopIndex: clock.loopIndex)
    wake(.lane)
  }

  /// Queues the cached frames that start before `end`, for a pass.
  private mutating func queueCached(
    _ entries: some Sequence<FrameCache.Entry>, loopIndex: Int, before end: Int64 = .max
  ) {
    for entry in entries where entry.timing.ptsNanoseconds < end {
      presentation.append(entry.frame, successor: entry.successor, loopIndex: loopIndex)
    }
  }

  /// Releases waiting cached frames, except those that bridge the source's way to the first one released.
  mutating func shortenQueue() {
    let waiting = presentation.waiting
    guard let first = waiting.first, !seeks.isUnderWay, decode.refresh == nil else { return }
    let end = waiting.indices.dropFirst(PresentationQueue.capacity).first { i in
      let length = waiting[i].timing.pts - first.timing.pts
      return waiting[i].loopIndex > first.loopIndex || length.seconds >= Self.bridgeSeconds * clock.rate
    }
    guard let end else { return }
    let next = waiting[end]
    // A loop's next pass does not follow the waiting frames.
    let purpose: Approach.Purpose = next.loopIndex > waiting[end - 1].loopIndex ? .loop : .resume
    presentation.truncate(to: end)
    begin(Approach(purpose, to: next.timing.pts), loopIndex: next.loopIndex)
    wake(.lane)
  }

  // MARK: - Loops from the cache

  /// Moves frames after a loop's new end to the cache, so that the pass ends there.
  mutating func cutPass() {
    copyQueueToCache()
    if let end = playEnd { presentation.removeWaiting { $0.timing.ptsNanoseconds >= end } }
    endPass()
  }

  /// Abandons a loop's next pass, none of which will be shown.
  mutating func dropNextPass() {
    let loopIndex = clock.loopIndex
    copyQueueToCache()
    presentation.removeWaiting { $0.loopIndex > loopIndex }
    endPass()
  }

  /// Notes that the rest of the clock's own pass is waiting.
  private mutating func endPass() {
    fill.forgetLookAhead()
    decode.setLoopIndex(clock.loopIndex)
    decode.finish(.cachedPass)
    wake(.lane)
  }

  /// Returns true if all of a loop's pass fits into the memory, of frames like one.
  func cachesPass(like frame: RenderedSet) -> Bool {
    guard clock.goesOn, let start = loopStart, let end = passEnd else { return false }
    return frame.timing.frameCount(in: Double(end - start) / 1e9) + 2 <= Double(cacheCapacity)
  }

  /// Decodes a whole loop pass, at the start of which the source is, to play it from memory.
  mutating func beginPass() {
    guard let end = passEnd else { return }
    detach()
    var prefetch = Prefetch(.pass, to: Self.tickBefore(MediaTime(nanoseconds: end)))
    prefetch.decodeOn()
    begin(prefetch)
  }

  /// Queues a loop's next pass from the cache, if all of it is cached. Returns true if it did.
  mutating func queuePassFromCache(_ loopIndex: Int, from start: MediaTime, to end: Int64) -> Bool {
    cacheDisplayed()
    copyQueueToCache()
    guard let first = cached(holding: start) else { return false }
    let run = cache.contiguousFrames(from: first.timing.pts, limit: .max)
    guard let knownEnd = run.knownEnd, knownEnd >= end else { return false }
    queueCached(run, loopIndex: loopIndex, before: end)
    return true
  }
}
