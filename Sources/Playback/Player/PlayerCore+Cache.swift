import DequeModule

/// Going back and forth among pictures that are held, away from where the decoder is.
extension PlayerCore {
  /// Pictures that are wanted before the displayed one while it moves back: decoding a group of pictures takes
  /// about as long as stepping back over so many.
  static let lead = 300
  /// Held pictures bridge so many seconds at least while the source goes to where they end.
  static let bridgeSeconds = 1.0
  /// Pictures that playing forward leaves behind, of each pane, so that memory does not fill by looking on.
  private static let historySeconds = 10.0

  /// Keeps the displayed picture before another takes its place.
  mutating func rememberDisplayed() {
    guard cache.limit > 0, let displayed, displayed.request == request else { return }
    cache.insert(displayed, successor: displayedSuccessor)
    // What a loop goes through again stays.
    if timebase.isRunning, rate > 0, loopRange == nil {
      cache.trim(before: displayed.timing.pts, seconds: Self.historySeconds)
    }
  }

  /// Gives the pictures that wait to the cache: the display goes elsewhere.
  mutating func rememberQueue() {
    copyQueueToCache()
    queue.removeAll()
  }

  private mutating func copyQueueToCache() {
    guard cache.limit > 0 else { return }
    for queued in queue where queued.picture.request == request {
      cache.insert(queued.picture, successor: queued.successor)
    }
  }

  func cached(holding time: MediaTime) -> FrameCache.Entry? {
    guard let entry = cache.entry(holding: time), entry.picture.request == request else { return nil }
    return entry
  }

  func cached(before pts: MediaTime) -> FrameCache.Entry? {
    guard let entry = cache.entry(before: pts), entry.picture.request == request else { return nil }
    return entry
  }

  /// Whether the display is in the cache, away from where the source is.
  var isInCache: Bool { feed.phase == .parked || feed.positioning?.purpose == .prefetch }

  /// Leaves the source where it is.
  mutating func park() {
    // What is being decoded ahead is still wanted.
    if isInCache { return }
    rememberQueue()
    feed.phase = .parked
    feed.positioning = nil
    feed.needsRefresh = false
  }

  /// Lets playing go on from the held pictures while the source goes to where they end, before the clock runs.
  mutating func leaveCache(at host: HostTime) {
    // Nobody sees the pane: its clock goes on alone.
    guard rate > 0, isInCache, !seek.isUnderWay, request != nil else { return }
    if queueRestOfRound(at: host) { return }
    if let displayed,
      let bridge = bridge(after: FrameCache.Entry(picture: displayed, successor: displayedSuccessor)) {
      return cross(bridge)
    }
    let now = currentTime(at: host)
    seek.wanted = SeekRequest(target: now, before: .zero, after: .zero, askedAt: host)
    seek.landedTime = now
  }

  /// Held pictures to play while the source goes to where they end.
  struct Bridge {
    var pictures: [FrameCache.Entry]
    var end: MediaTime
    /// Decoding on from where the source is comes to the end soon.
    var isNear: Bool
  }

  /// Plays on from what is held where the clock runs on into it, rather than stand still until the source is there.
  mutating func playOnFromCache(from target: MediaTime) -> Bool {
    guard timebase.isRunning, rate > 0, loopRange == nil, feed.jumpsFrom == nil else { return false }
    rememberDisplayed()
    rememberQueue()
    guard let entry = cached(holding: target), let bridge = bridge(after: entry, isForRunningClock: true) else {
      return false
    }
    show(entry.picture, successor: entry.successor)
    cross(bridge)
    return true
  }

  /// What is held after a picture, where it lasts until the source can be there.
  ///
  /// - Parameter isForRunningClock: the clock does not wait, so that a short one is better than none.
  func bridge(after entry: FrameCache.Entry, isForRunningClock: Bool = false) -> Bridge? {
    guard let start = entry.successor else { return nil }
    let run = cache.run(from: start, limit: Self.lead)
    guard run.allSatisfy({ $0.picture.request == request }) else { return nil }
    let end = run.last.map { $0.end ?? $0.picture.timing.end } ?? start
    let isNear = feed.last.map { isSoonAfter($0, end) } ?? false
    let isLong = (end - entry.picture.timing.pts).seconds >= Self.bridgeSeconds * rate
    guard isNear || isLong || isForRunningClock else { return nil }
    return Bridge(pictures: Array(run), end: end, isNear: isNear)
  }

  /// Queues held pictures and sends the source to where they end.
  mutating func cross(_ bridge: Bridge) {
    rememberQueue()
    feed.iteration = iteration
    queueHeld(bridge.pictures)
    var positioning = Positioning(purpose: .resume, target: bridge.end)
    positioning.needsSeek = !bridge.isNear
    if bridge.isNear { positioning.candidate = feed.last }
    feed.begin(positioning)
    effects.append(.feed)
  }

  /// Queues held pictures that begin before `end` for the round that is being decoded.
  private mutating func queueHeld(_ entries: some Sequence<FrameCache.Entry>, before end: Int64 = .max) {
    for entry in entries where entry.picture.timing.ptsNanoseconds < end {
      queue.append(Queued(iteration: feed.iteration, picture: entry.picture, successor: entry.successor))
    }
  }

  mutating func setCacheBudget(_ bytes: Int) {
    cache.budget = bytes
    if queuedBytes > cache.limit { shortenQueue() }
  }

  /// Lets go of held pictures that wait, but for those that bridge the way of the source to the first that goes.
  mutating func shortenQueue() {
    guard let first = queue.first, !seek.isUnderWay, !feed.needsRefresh else { return }
    let end = queue.indices.dropFirst(Self.queueCapacity).first { i in
      let length = queue[i].picture.timing.pts - first.picture.timing.pts
      return queue[i].iteration > first.iteration || length.seconds >= Self.bridgeSeconds * rate
    }
    guard let end else { return }
    let next = queue[end]
    // A loop's next round is not behind what waits.
    let purpose: Positioning.Purpose = next.iteration > queue[end - 1].iteration ? .loop : .resume
    queue.removeLast(queue.count - end)
    feed.iteration = next.iteration
    feed.begin(Positioning(purpose: purpose, target: next.picture.timing.pts))
    effects.append(.feed)
  }

  /// Queues the rest of a loop's present round, where all of it is held. Returns whether it did.
  private mutating func queueRestOfRound(at host: HostTime) -> Bool {
    guard let first = loopStart, let end = playEnd, first < end, let displayed else { return false }
    // At the loop's end nothing is left of it.
    if timebase.media(at: host) < end {
      guard displayed.timing.ptsNanoseconds < end, let start = displayedSuccessor, let next = start.nanoseconds
      else { return false }
      let run = cache.run(from: start, limit: .max)
      guard Self.reach(of: run) ?? next >= end else { return false }
      rememberQueue()
      feed.iteration = iteration
      queueHeld(run, before: end)
    } else {
      rememberQueue()
      feed.iteration = iteration
    }
    endRound()
    return true
  }

  /// Leaves what waits behind a loop's new end to the cache, so that the round ends there.
  mutating func cutRound() {
    copyQueueToCache()
    let waiting = queue
    queue = Deque(waiting.filter { !isPastRange($0.picture.timing) })
    endRound()
  }

  private mutating func endRound() {
    feed.positioning = nil
    feed.phase = .atEnd
    feed.isRoundFromCache = true
    effects.append(.feed)
  }

  /// How far held pictures that follow each other are known to go; the last one's own end may not be known.
  private static func reach(of run: ArraySlice<FrameCache.Entry>) -> Int64? {
    run.last.flatMap { ($0.end ?? $0.picture.timing.pts).nanoseconds }
  }

  /// Queues a loop's next round from what is held, where that is all of it. Returns whether it did.
  mutating func queueRoundFromCache(from start: MediaTime, to end: Int64) -> Bool {
    rememberDisplayed()
    copyQueueToCache()
    guard let first = cached(holding: start) else { return false }
    let run = cache.run(from: first.picture.timing.pts, limit: .max)
    guard let reach = Self.reach(of: run), reach >= end else { return false }
    queueHeld(run, before: end)
    return true
  }

  /// Takes one step on in the cache, or sends the source to the picture that follows. Returns whether to go on.
  mutating func stepOnInCache(at host: HostTime) -> Bool {
    guard let displayed else { return false }
    let target = displayedSuccessor ?? displayed.timing.end
    if let knownEnd, target.nanoseconds ?? 0 >= knownEnd {
      seek.pendingSteps = 0
      return false
    }
    if let entry = cached(holding: target), entry.picture.timing.pts == target {
      seek.pendingSteps -= 1
      show(entry.picture, successor: entry.successor)
      moveClock(to: entry.picture.timing, at: host)
      return true
    }
    if stepAtOnce(at: host) { return false }
    seek.pendingSteps -= 1
    startSeek(SeekRequest(target: target, before: .zero, after: .zero, askedAt: host), at: host)
    return false
  }

  /// Begins to decode what lies before the held pictures, while the display moves back over them.
  mutating func beginPrefetch() -> Bool {
    guard cache.limit > 0, cache.isMovingBack, rate <= 0, let displayed else { return false }
    // Half of the memory at the most: the rest is for what has been passed.
    let capacity = cache.limit / max(1, displayed.image.byteCount)
    guard let positioning = beginPrefetch(upTo: min(Self.lead, capacity / 2)) else { return false }
    feed.begin(positioning)
    return true
  }

  /// The way to what lies before the held pictures, where fewer than `wanted` are held.
  mutating func beginPrefetch(upTo wanted: Int) -> Positioning? {
    guard let displayed else { return nil }
    let run = cache.run(before: displayed.timing.pts)
    guard run.start > .zero, run.count < wanted else { return nil }
    let tick = MediaTime(value: 1, timescale: max(1, run.start.timescale))
    guard feed.barrenPrefetch != run.start else { return nil }
    feed.barrenPrefetch = run.start
    var positioning = Positioning(purpose: .prefetch, target: max(.zero, run.start - tick))
    positioning.keepsPassed = true
    return positioning
  }

  /// Leaves what is decoded ahead undone.
  mutating func dropPrefetch() {
    feed.positioning = nil
    feed.phase = .parked
    feed.barrenPrefetch = nil
  }

  mutating func endPrefetch(at host: HostTime) {
    let wasForCertainty = feed.positioning?.mustBeCertain == true
    feed.positioning = nil
    feed.phase = .parked
    if wasForCertainty, let displayed, let entry = cached(holding: displayed.timing.pts),
      entry.picture.timing.pts == displayed.timing.pts, entry.picture.timing.isCertain {
      self.displayed = entry.picture
      displayedIsNew = true
    }
    endBuffering(at: host)
    effects += [.feed, .display]
    noteHeld()
  }

  /// Tells that more or less is held in memory, where no clock runs that makes observers look anyway.
  mutating func noteHeld() {
    guard !timebase.isRunning, !isUntimed else { return }
    log.event(.loadedTimeRangesChanged)
    effects.append(.observe)
  }

  /// Whether a picture that is passed by would stay in the cache.
  func isWorthKeeping(_ timing: FrameTiming) -> Bool {
    cache.hasRoom(for: timing, bytes: displayed?.image.byteCount ?? 0)
  }

  /// A picture that was passed by has been rendered.
  mutating func didKeep(_ picture: RenderedFrame, epoch: Int) {
    guard epoch == feed.epoch, picture.request == request else { return }
    cache.insert(picture, successor: nil)
    if cache.count % 32 == 0 { noteHeld() }
  }
}
