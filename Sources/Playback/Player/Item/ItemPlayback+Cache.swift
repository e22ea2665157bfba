/// Frames around the displayed one: cached, waiting, and being decoded for the cache.
extension ItemPlayback {
  /// The number of frames kept ahead of reverse playback: decoding a group of frames takes about as long as stepping back
  /// over this many.
  static let lead = 300
  /// The minimum time in seconds that cached frames bridge while the source goes to their end.
  static let bridgeSeconds = 1.0

  /// Caches the displayed frame before another replaces it.
  mutating func cacheDisplayed() {
    guard let displayed = presentation.displayed else { return }
    cache.insert(displayed.frame, successor: displayed.successor)
  }

  /// Shows the displayed frame for the selected requests, if it is there. Returns true if it is.
  mutating func showDisplayedInNewSize() -> Bool {
    guard let displayed = presentation.displayed,
      let frame = cache.isCurrent(displayed.frame) ? displayed.frame : cache.entry(at: displayed.timing.pts)?.frame
    else { return false }
    presentation.replaceDisplayed(by: frame)
    return true
  }

  /// Moves the waiting frames to the cache, since the display goes elsewhere.
  mutating func cacheQueue() {
    copyQueueToCache()
    presentation.removeWaiting()
  }

  mutating func copyQueueToCache() {
    for waiting in presentation.waiting {
      cache.insert(waiting.frame, successor: waiting.successor)
    }
  }

  /// Leaves the source where it is.
  mutating func detach() {
    // The displayed frame belongs to the clock's own pass; the next pass is abandoned.
    passes.rejoin()
    // Frames being decoded ahead are still needed.
    if decode.isDetached { return }
    cacheQueue()
    decode.detach()
    check.dropRefresh()
  }

  /// Queues the cached frames that start before `end`, for a pass.
  mutating func queueCached(
    _ entries: some Sequence<FrameCache.Entry>, pass: Int, before end: Int64 = .max
  ) {
    for entry in entries where entry.timing.ptsNanoseconds < end {
      presentation.append(entry.frame, successor: entry.successor, pass: pass)
    }
  }

  /// Notes that the rest of the clock's own pass is waiting.
  mutating func endPass() {
    fill.forgetLookAhead()
    passes.rejoin()
    decode.finish(.cachedPass)
  }

  /// Starts decoding missing frames for the cache. First, what makes the displayed frame certain, and keeps it as decoded
  /// where playback has stopped; then ahead, so that playback can continue immediately while the source returns; then
  /// before.
  ///
  /// - Parameter rate: the rate at which playback may continue.
  mutating func beginFill(rate: Double) -> Bool {
    guard fill.isFilling, let displayed = presentation.displayed else { return false }
    let timing = displayed.timing
    let capacity = cacheCapacity
    let wantedCount = min(Self.lead, capacity / 3)
    // Playback continues from the cache only if this many are cached; if they do not fit, the source had better stay.
    let bridged = timing.frameCount(in: Self.bridgeSeconds * rate)
    let bridging = Int(min(Double(Self.lead), bridged)) + 2
    guard wantedCount > PresentationQueue.capacity, bridging <= capacity / 5 else { return false }
    // Ahead, half is enough, and is refilled below a quarter: from its end the source continues immediately, while going
    // back costs a group.
    let countAhead = max(wantedCount / 2, bridging)
    let isAtEnd = decode.end == .source
    detach()
    if !timing.isCertain || (displayed.decoded == nil && fill.keepsDisplayed) {
      let prefetch = Prefetch(.filling, to: timing.pts, mustBeCertain: !timing.isCertain)
      if beginOnce(prefetch, from: timing.pts) { return true }
    }
    cacheDisplayed()
    let run = cache.contiguousFrames(from: timing.pts, limit: countAhead)
    let end = run.end ?? timing.end
    let isWhole = isAtEnd || duration.isAtEnd(end)
    if run.count < max(countAhead / 2, bridging), !isWhole {
      let seconds = timing.duration.seconds * Double(countAhead - run.count)
      var prefetch = Prefetch(.filling, to: end + MediaTime(seconds: seconds, preferredTimescale: 1_000_000))
      // Frames that may lack a part are not cached: they would leave a gap from which a second attempt leads no further.
      if let last = decode.last, last.pts <= end, !decode.mayLackPart, leadsOn(from: last, to: end) {
        prefetch.decodeOn()
      }
      if beginOnce(prefetch, from: end) { return true }
    }
    return claimPrefetchTarget(upTo: wantedCount).map { beginOnce(Prefetch(.filling, to: $0), from: $0) } ?? false
  }

  private mutating func beginOnce(_ prefetch: Prefetch, from place: MediaTime) -> Bool {
    // A second attempt at the same place would find no more.
    guard fill.tryOnce(at: place) else { return false }
    begin(prefetch)
    return true
  }

  /// The ranges of media time whose frames are cached.
  var loadedRanges: [TimeRange] {
    guard let waiting = waitingRange else { return cache.ranges }
    return TimeRange.joined((cache.ranges + [waiting]).sorted { $0.start < $1.start })
  }

  /// The media time from the displayed frame to the end of the last waiting one.
  private var waitingRange: TimeRange? {
    let mine = presentation.waiting.filter { $0.pass == passes.played }
    guard let first = presentation.displayed?.timing ?? mine.first?.timing else { return nil }
    let last = mine.last?.timing ?? first
    guard last.end > first.pts else { return nil }
    return TimeRange(start: first.pts, end: last.end)
  }
  /// The minimum memory in bytes for reverse playback, about a group of frames; for large frames, three frames, without
  /// which it cannot work.
  static let floorForReverse = 32 << 20

  /// Returns the cached frame of a time before `former`'s, or the earliest that is cached without a gap.
  func earlier(than former: FrameTiming, at media: Int64) -> FrameCache.Entry? {
    func fits(_ entry: FrameCache.Entry) -> Bool { entry.timing.pts < former.pts }
    if let entry = cache.entry(displayedAt: MediaTime(nanoseconds: media)), fits(entry) { return entry }
    let run = cache.contiguousFrames(before: former.pts)
    return run.count > 0 ? cache.entry(displayedAt: run.start).flatMap { fits($0) ? $0 : nil } : nil
  }

  /// Returns the number of frames between two that were not shown.
  func missed(between timing: FrameTiming, and former: FrameTiming) -> Int {
    if timing.numberIsExact, former.numberIsExact { return max(0, former.number - timing.number - 1) }
    return cache.count(between: timing.pts, former.pts)
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

  /// Takes the frame on display at `target`, and those before it, from the waiting frames.
  mutating func takeWaiting(holding target: MediaTime) -> PresentationQueue.Waiting? {
    let waiting = presentation.waiting
    for (i, entry) in waiting.enumerated() where entry.pass == passes.played {
      // Unless skipped frames may have followed.
      let isLast = i == waiting.count - 1 && decode.end == .source && !decode.mayLackFrames
      guard let end = entry.successor ?? (isLast ? .positiveInfinity : nil) else { break }
      guard entry.timing.pts <= target && target < end else { continue }
      guard cache.isCurrent(entry.frame) else { return nil }
      presentation.removeFirst(i + 1)
      return entry
    }
    return nil
  }

  /// Returns true if a frame is cached that is nearer to the target than one that is passed by.
  func cachesNearer(than timing: FrameTiming, to target: MediaTime) -> Bool {
    nearestCached(to: target).map { $0.distance < abs((timing.pts - target).seconds) } ?? false
  }

  /// Returns the cached frame that starts nearest to a time, and its distance in seconds.
  func nearestCached(to time: MediaTime) -> (frame: ScaledFrames, distance: Double)? {
    guard let frame = cache.entry(nearest: time)?.frame else { return nil }
    return (frame, abs((frame.timing.pts - time).seconds))
  }

  /// Returns the last time at which the frame before one that starts at `time` is on display.
  static func tickBefore(_ time: MediaTime) -> MediaTime {
    max(.zero, time - MediaTime(value: 1, timescale: max(1, time.timescale)))
  }
}
