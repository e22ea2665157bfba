/// Going back and forth among pictures that are held, away from where the decoder is.
extension PlayerCore {
  /// Pictures that are wanted before the displayed one while it moves back: decoding a group of pictures takes
  /// about as long as stepping back over so many.
  private static let lead = 300
  /// Pictures that playing forward leaves behind, of each pane, so that memory does not fill by looking on.
  private static let historySeconds = 10.0

  /// Keeps the displayed picture before another takes its place.
  mutating func rememberDisplayed() {
    guard cache.budget > 0, let displayed, displayed.request == request else { return }
    cache.insert(displayed, successor: displayedSuccessor)
    if timebase.isRunning { cache.trim(before: displayed.timing.pts, seconds: Self.historySeconds) }
  }

  /// Gives the pictures that wait to the cache: the display goes elsewhere.
  mutating func rememberQueue() {
    if cache.budget > 0 {
      for queued in queue where queued.picture.request == request {
        cache.insert(queued.picture, successor: queued.successor)
      }
    }
    queue.removeAll()
  }

  func cached(holding time: MediaTime) -> FrameCache.Entry? {
    guard cache.budget > 0, let entry = cache.entry(holding: time), entry.picture.request == request else { return nil }
    return entry
  }

  func cached(before pts: MediaTime) -> FrameCache.Entry? {
    guard cache.budget > 0, let entry = cache.entry(before: pts), entry.picture.request == request else { return nil }
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

  /// Brings the source back to where the display is, before the clock runs.
  mutating func leaveCache(at host: HostTime) {
    guard rate != 0, isInCache, !seek.isUnderWay else { return }
    let now = currentTime(at: host)
    seek.wanted = SeekRequest(target: now, before: .zero, after: .zero, askedAt: host)
    seek.landedTime = now
  }

  /// Takes one step on in the cache, or sends the source to the picture that follows. Returns whether to go on.
  mutating func stepOnInCache(at host: HostTime) -> Bool {
    guard let displayed else { return false }
    let target = displayedSuccessor ?? displayed.timing.end
    if let knownEnd, target.nanoseconds ?? 0 >= knownEnd {
      seek.pendingSteps = 0
      return false
    }
    seek.pendingSteps -= 1
    if let entry = cached(holding: target), entry.picture.timing.pts == target {
      show(entry.picture, successor: entry.successor)
      moveClock(to: entry.picture.timing, at: host)
      return true
    }
    startSeek(SeekRequest(target: target, before: .zero, after: .zero, askedAt: host), at: host)
    return false
  }

  /// Begins to decode what lies before the held pictures, while the display moves back over them.
  mutating func beginPrefetch() -> Bool {
    guard cache.budget > 0, cache.isMovingBack, rate == 0, let displayed else { return false }
    let run = cache.run(before: displayed.timing.pts)
    // Half of the memory at the most: the rest is for what has been passed.
    let capacity = cache.budget / max(1, displayed.image.byteCount)
    guard run.start > .zero, run.count < min(Self.lead, capacity / 2) else { return false }
    let tick = MediaTime(value: 1, timescale: max(1, run.start.timescale))
    guard run.start - tick > .zero, feed.barrenPrefetch != run.start else { return false }
    feed.barrenPrefetch = run.start
    var positioning = Positioning(purpose: .prefetch, target: run.start - tick)
    positioning.keepsPassed = true
    feed.begin(positioning)
    return true
  }

  mutating func endPrefetch() {
    feed.positioning = nil
    feed.phase = .parked
    effects += [.feed, .display]
  }

  /// Whether a picture that is passed by would stay in the cache.
  func isWorthKeeping(_ timing: FrameTiming) -> Bool {
    cache.hasRoom(for: timing.pts, bytes: displayed?.image.byteCount ?? 0)
  }

  /// A picture that was passed by has been rendered.
  mutating func didKeep(_ picture: Picture, epoch: Int) {
    guard epoch == feed.epoch, picture.request == request else { return }
    cache.insert(picture, successor: nil)
  }
}
