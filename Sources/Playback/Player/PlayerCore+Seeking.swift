/// Seeks: targets, landing, and previews.
extension PlayerCore {
  /// Requests a seek; the newest request wins.
  mutating func requestSeek(_ request: SeekRequest, at host: HostTime) {
    advance(to: host)
    seeks.noteAsk(at: host)
    fill.didMove(at: host)
    startSeek(request, at: host)
  }

  mutating func startSeek(_ request: SeekRequest, at host: HostTime) {
    guard item == .opening || isReady else {
      return perform(.complete(seeks.refuse(request)))
    }
    var request = request
    request.target = clamped(request.target)
    // Until the end is known, the clock stays where it is.
    let time = request.target == Self.behindAnyEnd ? currentTime(at: host) : request.target
    perform(.complete(seeks.enqueue(request)))
    jump(to: time, at: host)
    if !landInCache(at: host) { landUnseen(at: host) }
  }

  mutating func jump(to time: MediaTime, at host: HostTime) {
    perform(clock.jump(to: time, hold, at: host))
    clock.report(.timeJumped(time))
    wake([.lane, .display, .observers])
  }

  /// Sends the source to the current time, for playback.
  mutating func seekToPresent(at host: HostTime) {
    let now = currentTime(at: host)
    perform(.complete(seeks.enqueue(SeekRequest(target: now, askedAt: host, isOwn: true))))
    clock.noteExactTime(now)
  }

  /// Clamps a target requested before the item's duration was known, if it lies after the end.
  mutating func clampWaitingSeek(at host: HostTime) {
    guard let target = seeks.waiting?.target, clamped(target) != target else { return }
    seeks.moveWaiting(to: clamped(target))
    jump(to: clamped(target), at: host)
  }

  /// Without a visible output, seeks land by the clock alone; the frame follows when it becomes visible.
  mutating func landUnseen(at host: HostTime) {
    // Without a clock only frames tell the time, and where the end is.
    guard !outputs.isVisible, isReady, !clock.isUntimed, seeks.newestTarget != Self.behindAnyEnd,
      let landing = seeks.landWithoutFrame()
    else { return }
    perform(.complete(landing.completions))
    presentation.dropPreview()
    statistics.noteLanding(after: host - landing.request.askedAt)
    // Nothing waits for the lane's target.
    if decode.approach?.purpose == .seek { detach() }
    updateClock(at: host)
    wake(.observers)
    performSteps(at: host)
  }

  /// Lands the waiting seek on a cached frame immediately. If the clock is stopped or runs backwards, the source stays
  /// where it is; otherwise it goes to the end of the cached frames. Returns true if it landed.
  private mutating func landInCache(at host: HostTime) -> Bool {
    guard seeks.active == nil, let target = seeks.waiting?.target, let entry = cached(holding: target) else { return false }
    let bridge = clock.goesOn ? bridge(after: entry) : nil
    guard !clock.goesOn || bridge != nil, seeks.begin() != nil else { return false }
    prepareForSeek()
    if bridge == nil {
      // Frames before the old position are not needed here.
      if decode.prefetch != nil, !isPrefetching(before: entry.timing.pts) { dropPrefetch() }
      detach()
    }
    land(entry.frame, successor: entry.successor, at: host)
    if let bridge { cross(bridge) } else { enterReverse(at: host) }
    return true
  }

  /// Cancels everything decided for the old position.
  private mutating func prepareForSeek() {
    decode.setLoopIndex(clock.loopIndex)
    decode.dropRefresh()
  }

  /// Completes all waiting seeks as superseded.
  mutating func cancelSeeks() {
    perform(.complete(seeks.cancelAll()))
    presentation.dropPreview()
  }

  /// Drops the waiting seek and the steps after it; the one in flight lands.
  mutating func cancelPendingSeeks(at host: HostTime) {
    guard let waiting = seeks.waiting else { return }
    // Steps that would have followed it lead nowhere.
    seeks.dropSteps()
    if waiting.isOwn { return }
    let (completions, restored) = seeks.takeBackWaiting()
    perform(.complete(completions))
    if seeks.active == nil { presentation.dropPreview() }
    if let restored { return jump(to: restored.target, at: host) }
    // Back to the current position, or to where the seek in flight goes.
    let isAtDisplayed = seeks.active == nil && outputs.isVisible
    jump(to: isAtDisplayed ? presentation.displayed?.timing.pts ?? .zero : currentTime(at: host), at: host)
    // The cancelled seek may have ended playback from the cache, or in reverse.
    if seeks.active == nil { takeDirection(at: host) }
  }

  // MARK: - On the way

  /// Starts the waiting seek, if none is in flight.
  mutating func beginSeek(at host: HostTime) {
    chase(at: host)
    if landInCache(at: host) { return }
    let isSamePass = decode.loopIndex == clock.loopIndex
    guard let request = seeks.begin() else { return }
    prepareForSeek()
    if isSamePass, let waiting = takeWaiting(holding: request.target) {
      land(waiting.frame, successor: waiting.successor, at: host)
      return enterReverse(at: host)
    }
    var approach = Approach(.seek, to: request.target, before: request.before, after: request.after)
    if isSamePass, let last = decode.last, comesSoon(after: last, to: request.target) { approach.decodeOn(from: last) }
    cache.moveCenter(to: request.target)
    cacheQueue()
    fill.forgetLookAhead()
    if seeks.isScrubbing(at: host), showPreviewFromCache(for: request.target, at: host) { approach.didPreview() }
    // Without the index, the source guesses where decoding can start.
    if timeline == nil {
      approach.guessStart()
      askForIndex()
    }
    begin(approach, loopIndex: clock.loopIndex)
  }

  /// Restarts an approach if the index, which has arrived meanwhile, has a nearer start than the latest frame.
  ///
  /// - Returns: true if it did.
  mutating func shortenApproach(_ approach: Approach, from timing: FrameTiming) -> Bool {
    guard approach.startIsGuessed, let timeline, approach.target < timeline.end,
      !timeline.leadsOn(from: timing.pts, to: approach.target)
    else { return false }
    begin(approach.anew, loopIndex: decode.loopIndex)
    return true
  }

  /// Handles a newer target: continues to it if it lies ahead on the way, else turns to it once the seek in flight has
  /// shown something.
  private mutating func chase(at host: HostTime) {
    guard seeks.active != nil, let waiting = seeks.waiting, seeks.isMoving, let approach = decode.approach,
      approach.purpose == .seek
    else { return }
    if !approach.needsSeek, let last = decode.last ?? approach.candidate, cached(holding: waiting.target) == nil,
      leadsOn(from: last, to: waiting.target), let (request, completions) = seeks.chase() {
      perform(.complete(completions))
      let isPreviewed = previews.isDue(approach, at: host) && showPreviewFromCache(for: request.target, at: host)
      _ = decode.updateApproach { approach in
        approach.retarget(to: request)
        if isPreviewed { approach.didPreview() }
      }
    } else if approach.hasPreviewed {
      perform(.complete(seeks.abandonActive()))
      decode.stream()
    }
  }

  /// Returns true if decoding from the last frame reaches the target soon.
  func comesSoon(after last: FrameTiming, to target: MediaTime) -> Bool {
    let isHere =
      switch decode.phase {
      case .detached, .streaming, .ended(.cachedPass): true
      case .idle, .approaching, .prefetching, .ended(.source): false
      }
    return isHere && drops.discard == .nothing && leadsOn(from: last, to: target)
  }

  /// Takes the frame on display at `target`, and those before it, from the waiting frames.
  private mutating func takeWaiting(holding target: MediaTime) -> PresentationQueue.Waiting? {
    let waiting = presentation.waiting
    for (i, entry) in waiting.enumerated() where entry.loopIndex == clock.loopIndex {
      // Unless skipped frames may have followed.
      let isLast = i == waiting.count - 1 && decode.end == .source && !decode.mayLackFrames
      guard let end = entry.successor ?? (isLast ? .positiveInfinity : nil) else { break }
      guard entry.timing.pts <= target && target < end else { continue }
      guard isCurrent(entry.frame) else { return nil }
      presentation.removeFirst(i + 1)
      return entry
    }
    return nil
  }

  // MARK: - Landing

  /// Lands the seek in flight on its frame; the caller continues reverse playback from there.
  mutating func land(
    _ frame: RenderedSet, successor: MediaTime?, decoded: (any SourceFrame)? = nil, at host: HostTime
  ) {
    guard let request = seeks.active else { return }
    let completions = seeks.land()
    present(frame, successor: successor, decoded: decoded)
    statistics.noteLanding(after: host - request.askedAt)
    perform(.complete(completions))
    wake(.lane)
    guard seeks.waiting == nil else { return }
    // An exact seek is at the requested time, a tolerant one at its frame's.
    let timing = frame.timing
    let holds = timing.pts <= request.target && (request.target < timing.end || request.isExact)
    let landed = holds ? max(timing.pts, clamped(request.target)) : timing.pts
    perform(clock.land(at: landed, askedFor: request.target, hold, at: host))
    if landed != request.target { clock.report(.timeJumped(landed)) }
    performSteps(at: host)
    wake(.observers)
  }

  // MARK: - Frames on the way

  /// Returns true if a seek takes so long, or its target moves so fast, that a preview is due.
  func wantsPreview(_ approach: Approach, from timing: FrameTiming, at host: HostTime) -> Bool {
    guard approach.purpose == .seek, outputs.isVisible, previews.isDue(approach, at: host) else { return false }
    if seeks.isScrubbing(at: host) { return true }
    guard let askedAt = seeks.active?.askedAt else { return false }
    let left: Double
    if let timeline, let target = timeline.knownFrame(at: approach.target) {
      left = Double(target - timeline.frameNumber(at: timing.pts))
    } else {
      left = timing.frameCount(in: (approach.target - timing.pts).seconds)
    }
    return previews.isLong(
      approach, left: left, askedAt: askedAt, hasDisplayed: presentation.displayed != nil, at: host)
  }

  /// Previews the cached frame nearest to the target, unless decoding would start nearer. Returns true if one is shown.
  mutating func showPreviewFromCache(for target: MediaTime, at host: HostTime) -> Bool {
    guard let (frame, distance) = nearestCached(to: target), let timeline, let number = timeline.knownFrame(at: target),
      let start = timeline.time(ofFrame: timeline.randomAccessFrame(for: number)),
      distance <= (target - start).seconds
    else { return false }
    previews.didShow(at: host)
    // Once is enough.
    if presentation.previewTime != frame.timing.pts { showPreview(frame) }
    return true
  }

  /// Returns true if a frame is cached that is nearer to the target than one that is passed by.
  func cachesNearer(than timing: FrameTiming, to target: MediaTime) -> Bool {
    nearestCached(to: target).map { $0.distance < abs((timing.pts - target).seconds) } ?? false
  }

  /// Returns the cached frame that starts nearest to a time, and its distance in seconds.
  private func nearestCached(to time: MediaTime) -> (frame: RenderedSet, distance: Double)? {
    guard let frame = cache.entry(nearest: time)?.frame, isCurrent(frame) else { return nil }
    return (frame, abs((frame.timing.pts - time).seconds))
  }

  mutating func showPreview(_ frame: RenderedSet) {
    presentation.showPreview(frame)
    wake(.display)
  }
}
