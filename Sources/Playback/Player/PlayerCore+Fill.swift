/// Filling the memory around the picture on display while the display rests.
extension PlayerCore {
  /// Nothing is filled before the display has rested, and nobody has scrubbed in any pane, for so many nanoseconds.
  static let restBeforeFilling = movingPause

  /// The display has moved, or is about to: whatever is being filled has to wait.
  mutating func noteMove(at host: HostTime) {
    feed.fill.movedAt = host
    feed.fill.isOn = false
    feed.fill.isPending = true
  }

  /// Whether there is anything to fill around.
  private var mayFill: Bool {
    guard rate == 0, !isUntimed, feed.canSeek, cache.budget > 0, request != nil, displayed != nil, case .ready = item
    else { return false }
    return !seek.isUnderWay && seek.pendingSteps == 0
  }

  /// When filling begins; nil when it has, or there is nothing to do.
  var fillHost: HostTime? { feed.fill.isPending && mayFill ? feed.fill.movedAt + Self.restBeforeFilling : nil }

  /// Lets the lane fill, once it is time.
  mutating func startFilling(at host: HostTime) {
    guard let begin = fillHost, host >= begin else { return }
    feed.fill.isPending = false
    feed.fill.isOn = true
    feed.fill.tried = []
    effects.append(.feed)
  }

  /// Stops filling while somebody scrubs.
  mutating func interruptFill(at host: HostTime) {
    if feed.isSomeoneScrubbing, feed.fill.isOn {
      noteMove(at: host)
      // The display is to come back for it.
      effects.append(.display)
    }
    guard feed.positioning?.isFill == true, !feed.fill.isOn else { return }
    if cache.isMovingBack, !feed.isSomeoneScrubbing, let displayed, let target = feed.positioning?.target,
      target < displayed.timing.pts {
      // What lies before is wanted all the more.
      feed.positioning?.isFill = false
    } else {
      dropPrefetch()
    }
  }

  /// Begins to decode for the cache what is missing: first what makes the displayed picture certain, then ahead, so
  /// that playing can go on at once while the source comes back, then before.
  mutating func beginFill() -> Bool {
    guard feed.fill.isOn, mayFill, let displayed else { return false }
    let pts = displayed.timing.pts
    let capacity = cache.limit / max(1, displayed.image.byteCount)
    let wanted = min(Self.lead, capacity / 3)
    // Playing goes on from the cache only where so many are held; where they do not fit, the source had better stay.
    let length = max(displayed.timing.duration.seconds, 0.001)
    let bridging = Int(min(Double(Self.lead), Self.bridgeSeconds * defaultRate / length)) + 2
    guard wanted > Self.queueCapacity, bridging <= capacity / 5 else { return false }
    // Nor while something that is due waits to be shown.
    if let first = queue.first, first.picture.timing.ptsNanoseconds <= timebase.anchorMedia { return false }
    let isAtEnd = feed.phase == .atEnd && !feed.isRoundFromCache
    if !isInCache { park() }
    if !displayed.timing.isCertain {
      var positioning = Positioning(purpose: .prefetch, target: pts)
      positioning.mustBeCertain = true
      if beginFill(positioning, from: pts) { return true }
    }
    rememberDisplayed()
    let run = cache.run(from: pts, limit: wanted)
    let end = run.last.map { $0.end ?? $0.picture.timing.end } ?? displayed.timing.end
    let isWhole = isAtEnd || knownEnd.map { (end.nanoseconds ?? 0) >= $0 } ?? false
    if run.count < max(wanted / 2, bridging), !isWhole {
      let more = MediaTime(
        seconds: displayed.timing.duration.seconds * Double(max(wanted, bridging) - run.count), preferredTimescale: 1_000_000)
      var positioning = Positioning(purpose: .prefetch, target: end + more)
      if let last = feed.last, last.pts <= end, isOnTheWay(from: last, to: end) {
        positioning.needsSeek = false
        positioning.candidate = last
      }
      return beginFill(positioning, from: end)
    }
    return beginPrefetch(upTo: wanted).map { beginFill($0, from: $0.target) } ?? false
  }

  private mutating func beginFill(_ positioning: Positioning, from place: MediaTime) -> Bool {
    // A second look at the same place would find no more.
    guard feed.fill.tried.insert(place).inserted else { return false }
    var positioning = positioning
    positioning.keepsPassed = true
    positioning.isFill = true
    feed.begin(positioning)
    return true
  }
}
