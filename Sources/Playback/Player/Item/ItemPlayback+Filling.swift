/// Filling of the cache around the displayed frame, while the display is at rest.
extension ItemPlayback {
  /// Returns true if there is anything to fill around.
  private func mayFill(_ clock: ClockView) -> Bool {
    clock.pacing == .clock && isDisplayAtRest(clock) && isReady && canSeek && cache.budget > 0
  }

  /// Returns the host time at which filling starts; nil if it has started, or there is nothing to do.
  func fillHost(_ clock: ClockView) -> HostTime? { mayFill(clock) ? fill.beginHost : nil }

  /// Lets the lane fill, once it is time.
  mutating func startFilling(_ clock: ClockView, at host: HostTime) {
    guard let begin = fillHost(clock), host >= begin else { return }
    fill.begin()
    wake(.lane)
  }

  /// Stops filling during scrubbing.
  mutating func interruptFill(_ clock: ClockView, at host: HostTime) {
    if lane.isAnyPlayerScrubbing, fill.isFilling {
      fill.delay(at: host)
      // The display must come back for it.
      wake(.display)
    }
    guard decode.prefetch?.reason == .filling, !fill.isFilling else { return }
    if cache.isMovingBack, !lane.isAnyPlayerScrubbing, let displayed = presentation.displayed,
      isPrefetching(before: displayed.timing.pts) {
      // The frames before are needed all the more.
      decode.awaitPrefetch()
    } else {
      dropPrefetch(clock)
    }
  }

  /// Starts decoding missing frames for the cache, unless a due frame waits to be shown. First, what makes the displayed frame
  /// certain, and keeps it as decoded where playback has stopped; then ahead, so that playback can continue immediately while
  /// the source returns; then before.
  mutating func beginFill(_ clock: ClockView) -> Bool {
    guard mayFill(clock), !hasDueWaiting(clock), fill.isFilling, let displayed = presentation.displayed else { return false }
    let timing = displayed.timing
    let capacity = cacheCapacity
    let wantedCount = min(Self.lead, capacity / 3)
    // Playback continues from the cache only if this many are cached; if they do not fit, the source had better stay.
    let bridged = timing.frameCount(in: Self.bridgeSeconds * clock.defaultRate)
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

  /// Starts a prefetch from a place, unless it has been tried. Returns true if it did.
  private mutating func beginOnce(_ prefetch: Prefetch, from place: MediaTime) -> Bool {
    // A second attempt at the same place would find no more.
    guard fill.tryOnce(at: place) else { return false }
    begin(prefetch)
    return true
  }
}
