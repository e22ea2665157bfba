/// The next step of the decode lane.
extension PlayerCore {
  /// Decides the lane's next step.
  ///
  /// - Parameter isAnyPlayerScrubbing: true if one of the players that share the pool is scrubbing.
  mutating func decideWork(isAnyPlayerScrubbing: Bool, at host: HostTime) -> LaneWork {
    item.lane.setAnyPlayerScrubbing(isAnyPlayerScrubbing)
    return LaneWork(kind: decideKind(at: host), ticket: item.decode.ticket)
  }

  private mutating func decideKind(at host: HostTime) -> LaneWork.Kind {
    advance(to: host)
    item.drops.willStep(at: host)
    interruptFill(at: host)
    guard item.isReady, outputs.isVisible else { return .nothing }
    if let rendering = displayRendering { return .render(rendering) }
    beginSeek(at: host)
    if item.check.refresh == nil { checkRest() }
    beginRefresh(at: host)
    switch item.decode.phase {
    case .idle:
      return .nothing
    case .searching, .prefetching:
      return item.goOnTheWay()
    case .streaming:
      break
    case .detached:
      // Steps that waited for the source's previous work. Without them, the display may be at rest.
      if seeks.pendingSteps != 0 {
        performSteps(at: host)
        if seeks.pendingSteps == 0 { wake(.lane) }
      }
      return prefetchGoingBack() || beginFill() ? item.goOnTheWay() : .nothing
    case .ended:
      return startNextPass() || beginFill() ? item.goOnTheWay() : .nothing
    }
    if item.passes.isDecoderBehind {
      // The clock has started the next pass before the decoder.
      if startNextPass() { return item.goOnTheWay() }
      // All of it waits, from the cache.
      if !item.decode.isStreaming { return .nothing }
    }
    dropSuperseded(at: host)
    guard !item.presentation.isFull else { return beginFill() ? item.goOnTheWay() : .nothing }
    return item.decodeNext(item.drops.discard)
  }

  // MARK: - Another look at the present

  /// True if the current frame is still to come, and the displayed one belongs to an earlier clock time.
  var isDisplayOutdated: Bool {
    if item.check.refresh != nil { return true }
    if case .refresh = item.decode.search?.purpose { return true }
    return false
  }

  /// Checks that the display rests on the right frame, in the requested sizes.
  private mutating func checkRest() {
    if restsInFormerSize { return item.check.wantRefresh() }
    guard restsElsewhere else { return }
    item.check.didCheck(at: clock.timebase.anchorMedia)
    guard let displayed = item.presentation.displayed, restsOnWrongFrame else { return }
    // The clock has passed the frames between; those that were decoded have been counted.
    item.check.wantRefresh(.jump(from: item.lastDecoded(behind: displayed.timing) ?? displayed.timing))
  }

  /// Checks that the new frame is that of the clock's time, which may have been set elsewhere meanwhile.
  mutating func checkStop() {
    let place = clock.timebase.anchorMedia
    guard !clock.isRunning, pacing != .outputs, !seeks.isUnderWay, item.check.checkedAt != place, restsOnWrongFrame else { return }
    item.check.didCheck(at: place)
    item.check.wantRefresh()
  }

  /// Starts the requested refresh, unless another frame is being searched for.
  private mutating func beginRefresh(at host: HostTime) {
    guard !item.decode.isOnTheWay, let refresh = item.check.takeRefresh() else { return }
    let target = refreshTarget(at: host)
    var jumpOrigin: FrameTiming?
    switch refresh {
    case .again:
      if playOnFromCache(from: target) { return }
    case .jump(let origin):
      jumpOrigin = origin
      // Frames after the origin are counted once the frame has come.
      item.statistics.noteDropped(item.presentation.waiting.count { $0.timing.pts <= origin.pts && $0.timing.end <= target })
    }
    item.presentation.removeWaiting()
    item.begin(TargetSearch(.refresh(jumpFrom: jumpOrigin), to: target), pass: item.passes.played)
  }

  /// Returns a time inside the frame that should be shown now.
  private func refreshTarget(at host: HostTime) -> MediaTime {
    let media = clock.media(at: host)
    // The displayed frame's own time, if it is that frame, since nanoseconds may be rounded to before it.
    if !clock.isRunning, let displayed = item.presentation.displayed, displayed.timing.ptsNanoseconds <= media,
      media < displayed.end.nanoseconds ?? .max { return displayed.timing.pts }
    return currentTime(at: host)
  }

  /// True if a frame is on display and no other is requested.
  var isDisplayAtRest: Bool {
    clock.rate == 0 && !clock.isRunning && pacing != .outputs && !seeks.isUnderWay && seeks.pendingSteps == 0
      && item.presentation.displayed != nil
  }

  /// True if the display has come to rest, and the lane is not on the way to another frame.
  private var isAtRest: Bool { isDisplayAtRest && !item.decode.isOnTheWay && !item.decode.isIdle }

  /// True if a waiting frame is due at the stopped clock's time.
  var hasDueWaiting: Bool {
    item.presentation.first(of: item.passes.played).map { $0.timing.ptsNanoseconds <= clock.timebase.anchorMedia } ?? false
  }

  /// True if the displayed frame was rendered for other sizes, and its decoded frame is not available.
  private var restsInFormerSize: Bool {
    guard isAtRest, let displayed = item.presentation.displayed, displayed.decoded == nil else { return false }
    // Due frames come first.
    return !hasDueWaiting && !item.cache.isCurrent(displayed.frame)
  }

  /// True if the clock has stopped at a time for which the display has not been checked.
  private var restsElsewhere: Bool {
    guard isAtRest, item.check.checkedAt != clock.timebase.anchorMedia, !hasDueWaiting else { return false }
    // The next frame may still come.
    return !(item.decode.isStreaming && item.passes.areTogether && item.presentation.first(of: item.passes.played) == nil)
  }

  /// True if the clock rests outside the displayed frame, as after a pause amid frames that were late or left out.
  var restsOnWrongFrame: Bool {
    guard let displayed = item.presentation.displayed else { return false }
    let media = clock.timebase.anchorMedia
    if displayed.timing.ptsNanoseconds > media { return true }
    if item.duration.isAtEnd(displayed.timing.end) { return false }
    return media >= displayed.end.nanoseconds ?? .max
  }

  /// Queues the loop's next pass, if there is one and all of it is cached, else sends the source there. Returns true if the
  /// source must move.
  private mutating func startNextPass() -> Bool {
    guard let start = loopStart, clock.rate > 0, pacing != .outputs, !item.passes.isDecoderAhead else { return false }
    // The clock's own pass has started, even if it is the last.
    guard item.passes.isDecoderBehind || clock.loop.hasTurnLeft else { return false }
    if let end = playEnd, end <= start { return false }
    let target = MediaTime(nanoseconds: start)
    // The frames between are over.
    let pass = item.passes.next
    if let end = playEnd, queuePassFromCache(pass, from: target, to: end) {
      item.passes.decode(pass)
      item.decode.finish(.cachedPass)
      return false
    }
    item.begin(TargetSearch(.loop, to: target), pass: pass)
    return true
  }

  /// Makes room for newer frames if the display does not take the due ones.
  private mutating func dropSuperseded(at host: HostTime) {
    guard clock.isRunning, item.presentation.waiting.count >= PresentationQueue.capacity else { return }
    let media = clock.media(at: host)
    while item.presentation.waiting.count >= 2,
      item.presentation.waiting[0].pass < item.passes.played
        || (item.presentation.waiting[1].pass == item.passes.played && item.presentation.waiting[1].timing.ptsNanoseconds <= media) {
      item.presentation.removeFirst(1)
      item.statistics.noteDropped()
    }
  }

  // MARK: - Steps of the lane

  /// Notes that a step is done; returns the deadline of the next.
  mutating func didStep(retainedBytes: Int, at host: HostTime) -> HostTime {
    item.lane.setRetainedBytes(retainedBytes)
    let next = deadline(at: host)
    item.drops.didStep(at: host, next: next)
    return next
  }

  /// Returns when the waiting frames run out: the deadline of the next step.
  func deadline(at host: HostTime) -> HostTime {
    // Someone waits, whatever the source does until then.
    if seeks.waiting != nil || item.check.refresh != nil || displayRendering != nil { return host }
    if isAhead { return host + 1_000_000_000 }
    switch item.decode.phase {
    case .prefetching(let prefetch):
      if prefetch.reason == .filling { return host + 2_000_000_000 }
      guard clock.rate < 0, clock.isRunning, let displayed = item.presentation.displayed else { return host }
      let start = item.cache.contiguousFrames(before: displayed.timing.pts).start.nanoseconds ?? 0
      return clock.timebase.host(for: start) ?? host
    case .searching(let search):
      guard search.purpose == .resume, let last = item.presentation.waiting.last else { return host }
      return clock.timebase.host(for: last.timing.endNanoseconds) ?? host
    case .idle, .streaming, .ended, .detached: break
    }
    guard let last = item.presentation.waiting.last else { return host }
    // Paused panes fill up with the lowest priority.
    guard clock.isRunning else { return pacing == .outputs || clock.buffering != nil ? host : host + 1_000_000_000 }
    if last.pass != item.passes.played { return host + 500_000_000 }
    return clock.timebase.host(for: last.timing.endNanoseconds) ?? host
  }
}
