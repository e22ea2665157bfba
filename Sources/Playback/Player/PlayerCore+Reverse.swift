/// Playback in its direction: on from the cached frames, or back over them.
extension PlayerCore {
  /// Starts playback in its direction.
  mutating func takeDirection(at host: HostTime) {
    leaveCache(at: host)
    enterReverse(at: host)
  }

  /// Continues playback from the cached frames while the source goes to their end, before the clock runs.
  private mutating func leaveCache(at host: HostTime) {
    // Nobody sees the frames: the clock runs alone.
    guard clock.goesOn, item.decode.isDetached, !seeks.isUnderWay, outputs.isVisible else { return }
    if !item.leaveCache(clockView, at: host) { seekToPresent(at: host) }
  }

  /// Switches to the cache for reverse playback, once its first frame is there.
  mutating func enterReverse(at host: HostTime) {
    guard item.canEnterReverse(clockView) else { return }
    item.enterReverse(clockView)
    setBuffering(item.lacksEarlierFrames(clockView) ? .earlierFrames : nil, at: host)
  }

  /// Makes the clock wait for frames that are still being decoded, or continue.
  mutating func setBuffering(_ buffering: TransportClock.Buffering?, at host: HostTime) {
    guard clock.buffering != buffering else { return }
    clock.setBuffering(buffering)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  /// Shows the cached frame that the clock has reached, and returns its due time. The clock waits if nothing is cached where
  /// it is.
  ///
  /// - Parameter mayCatchUp: true if a slightly late display may get the frames it has missed.
  mutating func showEarlier(at host: HostTime, mayCatchUp: Bool = true) -> HostTime? {
    let earlier = item.showEarlier(mayCatchUp: mayCatchUp, for: outputs, clockView, at: host)
    if let gap = earlier.gap {
      item.drops.didFallBehind(rate: clock.rate)
      clock.goBack(to: gap, at: host)
      setBuffering(.earlierFrames, at: host)
    }
    return earlier.due
  }

  /// Handles the end of a prefetch.
  mutating func endPrefetch(at host: HostTime) {
    item.finishPrefetch(clockView)
    if clock.buffering == .earlierFrames { setBuffering(nil, at: host) }
    noteCached()
  }
}
