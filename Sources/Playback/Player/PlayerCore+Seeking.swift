/// Seeks: to where, landing, and frames that are shown on the way.
extension PlayerCore {
  /// Asks for another place; the newest ask wins.
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
    // Until it is known where the end is the clock stays where it is.
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

  /// Sends the source to the present, for playing.
  mutating func seekToPresent(at host: HostTime) {
    let now = currentTime(at: host)
    perform(.complete(seeks.enqueue(SeekRequest(target: now, askedAt: host, isOwn: true))))
    clock.noteExactTime(now)
  }

  /// A target that was asked for before the item told its length turns out to lie behind its end.
  mutating func clampWaitingSeek(at host: HostTime) {
    guard let target = seeks.waiting?.target, clamped(target) != target else { return }
    seeks.moveWaiting(to: clamped(target))
    jump(to: clamped(target), at: host)
  }

  /// While nobody sees the frames seeks land by the clock alone; the frame follows when it is to be seen again.
  mutating func landUnseen(at host: HostTime) {
    // Without a clock the frame alone tells the time, and only frames tell where the end is.
    guard !outputs.isVisible, isReady, !clock.isUntimed, seeks.newestTarget != Self.behindAnyEnd,
      let landing = seeks.landWithoutFrame()
    else { return }
    perform(.complete(landing.completions))
    presentation.dropPreview()
    statistics.noteLanding(after: host - landing.request.askedAt)
    // Nothing waits for what the lane was on the way to.
    if decode.approach?.purpose == .seek { detach() }
    updateClock(at: host)
    wake(.observers)
    performSteps(at: host)
  }

  /// Lets the target that waits land on a cached frame, at once: where the clock stands or goes back the source stays where
  /// it is, and where it goes on the source goes to where the cached frames end. Returns whether it did.
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

  /// Whatever was decided for the place that is being left is void.
  private mutating func prepareForSeek() {
    decode.setLoopIndex(clock.loopIndex)
    decode.dropRefresh()
  }

  /// Completes everything that waits as superseded.
  mutating func cancelSeeks() {
    perform(.complete(seeks.cancelAll()))
    presentation.dropPreview()
  }

  /// Drops the target that waits, with the steps behind it; the one in flight lands.
  mutating func cancelPendingSeeks(at host: HostTime) {
    guard let waiting = seeks.waiting else { return }
    // Steps that were to follow it lead nowhere.
    seeks.dropSteps()
    if waiting.isOwn { return }
    let (completions, restored) = seeks.takeBackWaiting()
    perform(.complete(completions))
    if seeks.active == nil { presentation.dropPreview() }
    if let restored { return jump(to: restored.target, at: host) }
    // Back to where it is, or to where the one in flight goes.
    let isAtDisplayed = seeks.active == nil && outputs.isVisible
    jump(to: isAtDisplayed ? presentation.displayed?.timing.pts ?? .zero : currentTime(at: host), at: host)
    // Playing on from the cache, or back, may have been what it was for.
    if seeks.active == nil { takeDirection(at: host) }
  }

  // MARK: - On the way

  /// Sends the target that waits on its way, if none is in flight.
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
    // Without the index the source guesses where decoding can begin.
    if timeline == nil {
      approach.guessStart()
      askForIndex()
    }
    begin(approach, loopIndex: clock.loopIndex)
  }

  /// Begins a way anew where the index, which has come meanwhile, tells of a start that is nearer than a frame that came out.
  ///
  /// - Returns: whether it did.
  mutating func shortenApproach(_ approach: Approach, from timing: FrameTiming) -> Bool {
    guard approach.startIsGuessed, let timeline, approach.target < timeline.end,
      !timeline.leadsOn(from: timing.pts, to: approach.target)
    else { return false }
    begin(approach.anew, loopIndex: decode.loopIndex)
    return true
  }

  /// A newer target waits: goes on to it where it lies ahead on the way, else turns to it once the one in flight has shown
  /// something.
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

  /// Takes the frame that holds `target`, and those before it, from those that wait.
  private mutating func takeWaiting(holding target: MediaTime) -> PresentationQueue.Waiting? {
    let waiting = presentation.waiting
    for (i, entry) in waiting.enumerated() where entry.loopIndex == clock.loopIndex {
      // Unless some that were left out may have followed.
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

  /// The seek in flight has its frame; the caller lets playing backwards go on from there.
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
    // An exact seek is where it was asked to be; a tolerant one is where its frame is.
    let timing = frame.timing
    let holds = timing.pts <= request.target && (request.target < timing.end || request.isExact)
    let landed = holds ? max(timing.pts, clamped(request.target)) : timing.pts
    perform(clock.land(at: landed, askedFor: request.target, hold, at: host))
    if landed != request.target { clock.report(.timeJumped(landed)) }
    performSteps(at: host)
    wake(.observers)
  }

  // MARK: - Frames on the way

  /// Returns true if the way of a seek is so long, or its target moves so, that a frame is to be shown on it now.
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

  /// Shows the cached frame nearest to the target, where decoding would not begin nearer. Returns whether one is shown.
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

  /// The cached frame that begins nearest to a time, and how many seconds from it.
  private func nearestCached(to time: MediaTime) -> (frame: RenderedSet, distance: Double)? {
    guard let frame = cache.entry(nearest: time)?.frame, isCurrent(frame) else { return nil }
    return (frame, abs((frame.timing.pts - time).seconds))
  }

  mutating func showPreview(_ frame: RenderedSet) {
    presentation.showPreview(frame)
    wake(.display)
  }
}
