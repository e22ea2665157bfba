/// The next step of the decode lane.
extension PlayerCore {
  /// Decides the lane's next step.
  ///
  /// - Parameter isAnyPlayerScrubbing: true if one of the players that share the pool is scrubbing.
  mutating func decideWork(isAnyPlayerScrubbing: Bool, at host: HostTime) -> LaneWork {
    setAnyPlayerScrubbing(isAnyPlayerScrubbing)
    return LaneWork(kind: decideKind(at: host), ticket: decode.ticket)
  }

  private mutating func decideKind(at host: HostTime) -> LaneWork.Kind {
    advance(to: host)
    drops.willStep(at: host)
    interruptFill(at: host)
    guard isReady, outputs.isVisible else { return .nothing }
    if let rendering = displayRendering { return .render(rendering) }
    beginSeek(at: host)
    if decode.refresh == nil { checkRest() }
    beginRefresh(at: host)
    switch decode.phase {
    case .idle:
      return .nothing
    case .approaching, .prefetching:
      return goOnTheWay()
    case .streaming:
      break
    case .detached:
      // Steps that waited for the source's previous work. Without them, the display may be at rest.
      if seeks.pendingSteps != 0 {
        performSteps(at: host)
        if seeks.pendingSteps == 0 { wake(.lane) }
      }
      return prefetchGoingBack() || beginFill() ? goOnTheWay() : .nothing
    case .ended:
      return startNextPass() || beginFill() ? goOnTheWay() : .nothing
    }
    if decode.loopIndex < clock.loopIndex {
      // The clock has started the next pass before the decoder.
      if startNextPass() { return goOnTheWay() }
      // All of it waits, from the cache.
      if !decode.isStreaming { return .nothing }
    }
    dropSuperseded(at: host)
    guard !presentation.isFull else { return beginFill() ? goOnTheWay() : .nothing }
    return decodeNext(drops.discard)
  }

  private mutating func decodeNext(_ discard: DiscardLevel) -> LaneWork.Kind {
    if discard != .nothing { decode.willDiscard() }
    return .decode(discard)
  }

  /// Sends the source to a frame to display, without skipping frames on the way.
  mutating func begin(_ approach: Approach, loopIndex: Int) {
    // This may leave decoding ahead for reverse playback unfinished.
    fill.forgetLookAhead()
    decode.approach(approach, loopIndex: loopIndex)
    drops.stopDiscarding()
  }

  /// Decodes for the queue from a place: from `last`, if the source still holds what follows it.
  mutating func resume(at place: MediaTime, from last: FrameTiming?, loopIndex: Int) {
    var approach = Approach(.resume, to: place)
    if let last { approach.decodeOn(from: last) }
    begin(approach, loopIndex: loopIndex)
  }

  // MARK: - Another look at the present

  /// True if the current frame is still to come, and the displayed one belongs to an earlier clock time.
  var isDisplayOutdated: Bool {
    if decode.refresh != nil { return true }
    if case .refresh = decode.approach?.purpose { return true }
    return false
  }

  /// Checks that the display rests on the right frame, in the requested sizes.
  private mutating func checkRest() {
    if restsInFormerSize { return decode.wantRefresh() }
    guard restsElsewhere else { return }
    decode.didCheck(at: clock.timebase.anchorMedia)
    guard let displayed = presentation.displayed, restsOnWrongFrame else { return }
    // The clock has passed the frames between; those that were decoded have been counted.
    decode.wantRefresh(.jump(from: lastDecoded(behind: displayed.timing) ?? displayed.timing))
  }

  /// Checks that the new frame is that of the clock's time, which may have been set elsewhere meanwhile.
  mutating func checkStop() {
    let place = clock.timebase.anchorMedia
    guard !clock.isRunning, !clock.isUntimed, !seeks.isUnderWay, decode.checkedAt != place, restsOnWrongFrame else { return }
    decode.didCheck(at: place)
    decode.wantRefresh()
  }

  /// Starts the requested refresh, unless another frame is being approached.
  private mutating func beginRefresh(at host: HostTime) {
    guard !decode.isOnTheWay, let refresh = decode.takeRefresh() else { return }
    let target = refreshTarget(at: host)
    var jumpOrigin: FrameTiming?
    switch refresh {
    case .again:
      if playOnFromCache(from: target) { return }
    case .jump(let origin):
      jumpOrigin = origin
      // Frames after the origin are counted once the frame has come.
      statistics.noteDropped(presentation.waiting.count { $0.timing.pts <= origin.pts && $0.timing.end <= target })
    }
    presentation.removeWaiting()
    begin(Approach(.refresh(jumpFrom: jumpOrigin), to: target), loopIndex: clock.loopIndex)
  }

  /// Returns the last frame decoded for the queue after the displayed one.
  private func lastDecoded(behind displayed: FrameTiming) -> FrameTiming? {
    guard decode.isStreaming || decode.end == .source, decode.loopIndex == clock.loopIndex else { return nil }
    return decode.last.flatMap { $0.pts > displayed.pts ? $0 : nil }
  }

  /// Returns a time inside the frame that should be shown now.
  private func refreshTarget(at host: HostTime) -> MediaTime {
    let media = clock.media(at: host)
    // The displayed frame's own time, if it is that frame, since nanoseconds may be rounded to before it.
    if !clock.isRunning, let displayed = presentation.displayed, displayed.timing.ptsNanoseconds <= media,
      media < displayed.end.nanoseconds ?? .max { return displayed.timing.pts }
    return currentTime(at: host)
  }

  /// True if a frame is on display and no other is requested.
  var isDisplayAtRest: Bool {
    clock.rate == 0 && !clock.isRunning && !clock.isUntimed && !seeks.isUnderWay && seeks.pendingSteps == 0
      && presentation.displayed != nil
  }

  /// True if the display has come to rest, and the lane is not on the way to another frame.
  private var isAtRest: Bool { isDisplayAtRest && !decode.isOnTheWay && !decode.isIdle }

  /// True if a waiting frame is due at the stopped clock's time.
  var hasDueWaiting: Bool {
    presentation.first(of: clock.loopIndex).map { $0.timing.ptsNanoseconds <= clock.timebase.anchorMedia } ?? false
  }

  /// True if the displayed frame was rendered for other sizes, and its decoded frame is not available.
  private var restsInFormerSize: Bool {
    guard isAtRest, let displayed = presentation.displayed, displayed.decoded == nil else { return false }
    // Due frames come first.
    return !hasDueWaiting && !isCurrent(displayed.frame)
  }

  /// True if the clock has stopped at a time for which the display has not been checked.
  private var restsElsewhere: Bool {
    guard isAtRest, decode.checkedAt != clock.timebase.anchorMedia, !hasDueWaiting else { return false }
    // The next frame may still come.
    return !(decode.isStreaming && decode.loopIndex == clock.loopIndex && presentation.first(of: clock.loopIndex) == nil)
  }

  /// True if the clock rests outside the displayed frame, as after a pause amid frames that were late or left out.
  var restsOnWrongFrame: Bool {
    guard let displayed = presentation.displayed else { return false }
    let media = clock.timebase.anchorMedia
    if displayed.timing.ptsNanoseconds > media { return true }
    if itemDuration.isAtEnd(displayed.timing.end) { return false }
    return media >= displayed.end.nanoseconds ?? .max
  }

  // MARK: - On the way

  private mutating func goOnTheWay() -> LaneWork.Kind {
    if let move = decode.move {
      decode.willMove()
      return .move(move)
    }
    switch decode.phase {
    case .approaching(let approach):
      return mayDiscard(on: approach) ? .decodeOnTheWay : .decode(.nothing)
    case .prefetching:
      return decodeNext(discardGoingBack)
    case .idle, .streaming, .ended, .detached:
      return .nothing
    }
  }

  /// The frames skipped when decoding for reverse playback; none for a display at rest.
  var discardGoingBack: DiscardLevel { decode.prefetch?.reason == .goingBack ? drops.discardGoingBack : .nothing }

  /// The number of frames before the target from which nothing is skipped; more than decoders usually hold back.
  private static let wholeBeforeTarget = 12

  /// Returns true if the next frame on the way may be one that is left out.
  private func mayDiscard(on approach: Approach) -> Bool {
    guard info?.canSkipNonReference == true, let timeline, let target = discardingTarget(of: approach)
    else { return false }
    let present = decode.last.map { timeline.frameNumber(at: $0.pts) } ?? timeline.randomAccessFrame(for: target)
    return target - present > Self.wholeBeforeTarget
  }

  /// Returns the number of the target frame, if frames before it may be skipped.
  func discardingTarget(of approach: Approach) -> Int? {
    guard approach.purpose == .seek, !approach.mustBeWhole else { return nil }
    return timeline?.knownFrame(at: approach.target)
  }

  /// Notes that the next step skips frames.
  mutating func willDiscard() { decode.willDiscard() }

  /// Queues the loop's next pass, if there is one and all of it is cached, else sends the source there. Returns true if the
  /// source must move.
  /// has to go.
  private mutating func startNextPass() -> Bool {
    guard let start = loopStart, clock.rate > 0, !clock.isUntimed, decode.loopIndex <= clock.loopIndex else { return false }
    // The clock's own pass has started, even if it is the last.
    guard decode.loopIndex < clock.loopIndex || clock.loop.hasTurnLeft else { return false }
    if let end = playEnd, end <= start { return false }
    let target = MediaTime(nanoseconds: start)
    // The frames between are over.
    let loopIndex = max(decode.loopIndex + 1, clock.loopIndex)
    if let end = playEnd, queuePassFromCache(loopIndex, from: target, to: end) {
      decode.setLoopIndex(loopIndex)
      decode.finish(.cachedPass)
      return false
    }
    begin(Approach(.loop, to: target), loopIndex: loopIndex)
    return true
  }

  /// Makes room for newer frames if the display does not take the due ones.
  private mutating func dropSuperseded(at host: HostTime) {
    guard clock.isRunning, !clock.isUntimed, presentation.waiting.count >= PresentationQueue.capacity else { return }
    let media = clock.media(at: host)
    while presentation.waiting.count >= 2,
      presentation.waiting[0].loopIndex < clock.loopIndex
        || (presentation.waiting[1].loopIndex == clock.loopIndex && presentation.waiting[1].timing.ptsNanoseconds <= media) {
      presentation.removeFirst(1)
      statistics.noteDropped()
    }
  }

  // MARK: - Steps of the lane

  /// Notes that a step is done; returns the deadline of the next.
  mutating func didStep(retainedBytes: Int, at host: HostTime) -> HostTime {
    setRetainedBytes(retainedBytes)
    let next = deadline(at: host)
    drops.didStep(at: host, next: next)
    return next
  }

  /// Returns when the waiting frames run out: the deadline of the next step.
  func deadline(at host: HostTime) -> HostTime {
    // Someone waits, whatever the source does until then.
    if seeks.waiting != nil || decode.refresh != nil || displayRendering != nil { return host }
    if lane.isAhead { return host + 1_000_000_000 }
    switch decode.phase {
    case .prefetching(let prefetch):
      if prefetch.reason == .filling { return host + 2_000_000_000 }
      guard clock.rate < 0, clock.isRunning, let displayed = presentation.displayed else { return host }
      let start = cache.contiguousFrames(before: displayed.timing.pts).start.nanoseconds ?? 0
      return clock.timebase.host(for: start) ?? host
    case .approaching(let approach):
      guard approach.purpose == .resume, let last = presentation.waiting.last else { return host }
      return clock.timebase.host(for: last.timing.endNanoseconds) ?? host
    case .idle, .streaming, .ended, .detached: break
    }
    guard let last = presentation.waiting.last else { return host }
    // Paused panes fill up with the lowest priority.
    guard clock.isRunning else { return clock.isUntimed ? host : host + 1_000_000_000 }
    if last.loopIndex != clock.loopIndex { return host + 500_000_000 }
    return clock.timebase.host(for: last.timing.endNanoseconds) ?? host
  }
}
