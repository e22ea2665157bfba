/// Going back and forth among frames that are cached, away from where the decoder is.
extension PlayerCore {
  /// Frames that are wanted before the displayed one while it moves back: decoding a group of frames takes
  /// about as long as stepping back over so many.
  static let lead = 300
  /// Cached frames bridge so many seconds at least while the source goes to where they end.
  static let bridgeSeconds = 1.0
  /// Frames that playing forward leaves behind, of each pane, so that memory does not fill by looking on.
  private static let historySeconds = 10.0

  /// Keeps the displayed frame before another takes its place.
  mutating func cacheDisplayed() {
    guard cache.limit > 0, let displayed = presentation.displayed, isCurrent(displayed.frame) else { return }
    cache.insert(displayed.frame, successor: displayed.successor)
    // Frames that a loop will play again stay.
    if clock.isRunning, clock.rate > 0, clock.loop.range == nil {
      cache.trim(before: displayed.timing.pts, seconds: Self.historySeconds)
    }
  }

  /// Gives the frames that wait to the cache: the display goes elsewhere.
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

  /// The cached frame that begins at a time.
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

  /// The clock is elsewhere: what waits, or is being decoded, is of where it was, and the present frame is wanted.
  mutating func leavePlace() {
    if decode.prefetch != nil { dropPrefetch() }
    detach()
    decode.wantRefresh()
  }

  // MARK: - Playing on from the cache

  /// Lets playing go on from the cached frames while the source goes to where they end, before the clock runs.
  mutating func leaveCache(at host: HostTime) {
    // Nobody sees the frames: the clock goes on alone.
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

  /// Cached frames to play while the source goes to where they end.
  struct Bridge {
    var frames: [FrameCache.Entry]
    var end: MediaTime
    /// Decoding on from where the source is comes to the end soon.
    var isNear: Bool
    /// They are all that is left of a loop's pass, and the source has nowhere to go.
    var isRestOfPass: Bool
  }

  /// Plays on from what is cached where the clock runs on into it, rather than stand still until the source is there.
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

  /// Queues cached frames and sends the source to where they end.
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

  /// Queues cached frames that begin before `end` for a pass.
  private mutating func queueCached(
    _ entries: some Sequence<FrameCache.Entry>, loopIndex: Int, before end: Int64 = .max
  ) {
    for entry in entries where entry.timing.ptsNanoseconds < end {
      presentation.append(entry.frame, successor: entry.successor, loopIndex: loopIndex)
    }
  }

  /// Lets go of cached frames that wait, but for those that bridge the way of the source to the first that goes.
  mutating func shortenQueue() {
    let waiting = presentation.waiting
    guard let first = waiting.first, !seeks.isUnderWay, decode.refresh == nil else { return }
    let end = waiting.indices.dropFirst(PresentationQueue.capacity).first { i in
      let length = waiting[i].timing.pts - first.timing.pts
      return waiting[i].loopIndex > first.loopIndex || length.seconds >= Self.bridgeSeconds * clock.rate
    }
    guard let end else { return }
    let next = waiting[end]
    // A loop's next pass is not behind what waits.
    let purpose: Approach.Purpose = next.loopIndex > waiting[end - 1].loopIndex ? .loop : .resume
    presentation.truncate(to: end)
    begin(Approach(purpose, to: next.timing.pts), loopIndex: next.loopIndex)
    wake(.lane)
  }

  // MARK: - Loops from the cache

  /// Leaves what waits behind a loop's new end to the cache, so that the pass ends there.
  mutating func cutPass() {
    copyQueueToCache()
    if let end = playEnd { presentation.removeWaiting { $0.timing.ptsNanoseconds >= end } }
    endPass()
  }

  /// Gives up a loop's next pass, of which nothing is to be shown.
  mutating func dropNextPass() {
    let loopIndex = clock.loopIndex
    copyQueueToCache()
    presentation.removeWaiting { $0.loopIndex > loopIndex }
    endPass()
  }

  /// All that is left of the clock's own pass waits.
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

  /// Decodes all of a loop's pass, at the beginning of which the source is: it is played from memory then.
  mutating func beginPass() {
    guard let end = passEnd else { return }
    detach()
    var prefetch = Prefetch(.pass, to: Self.tickBefore(MediaTime(nanoseconds: end)))
    prefetch.decodeOn()
    begin(prefetch)
  }

  /// Queues a loop's next pass from what is cached, where that is all of it. Returns whether it did.
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
