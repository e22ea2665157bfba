/// Filling of the cache around the displayed frame, while the display is at rest.
extension PlayerCore {
  /// True if there is anything to fill around.
  private var mayFill: Bool { pacing == .clock && isDisplayAtRest && item.isReady && item.canSeek && item.cache.budget > 0 }

  /// The host time at which filling starts; nil if it has started, or there is nothing to do.
  var fillHost: HostTime? { mayFill ? item.fill.beginHost : nil }

  /// Lets the lane fill, once it is time.
  mutating func startFilling(at host: HostTime) {
    guard let begin = fillHost, host >= begin else { return }
    item.fill.begin()
    wake(.lane)
  }

  /// Stops filling during scrubbing.
  mutating func interruptFill(at host: HostTime) {
    if item.lane.isAnyPlayerScrubbing, item.fill.isFilling {
      item.fill.delay(at: host)
      // The display must come back for it.
      wake(.display)
    }
    guard item.decode.prefetch?.reason == .filling, !item.fill.isFilling else { return }
    if item.cache.isMovingBack, !item.lane.isAnyPlayerScrubbing, let displayed = item.presentation.displayed,
      item.isPrefetching(before: displayed.timing.pts) {
      // The frames before are needed all the more.
      item.decode.awaitPrefetch()
    } else {
      dropPrefetch()
    }
  }

  /// Starts decoding missing frames for the cache, unless a due frame waits to be shown.
  mutating func beginFill() -> Bool { mayFill && !hasDueWaiting && item.beginFill(rate: clock.defaultRate) }
}
