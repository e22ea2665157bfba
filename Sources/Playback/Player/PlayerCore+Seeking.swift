/// Seeks: targets, landing, and previews.
extension PlayerCore {
  /// Requests a seek; the newest request wins.
  mutating func requestSeek(_ request: SeekRequest, at host: HostTime) {
    advance(to: host)
    seeks.noteAsk(at: host)
    item.fill.didMove(at: host)
    startSeek(request, at: host)
  }

  mutating func startSeek(_ request: SeekRequest, at host: HostTime) {
    guard item.state == .opening || item.isReady else {
      return perform(.complete(seeks.refuse(request)))
    }
    var request = request
    request.target = item.clamped(request.target)
    // Until the end is known, the clock stays where it is.
    let time = request.target == ItemPlayback.behindAnyEnd ? currentTime(at: host) : request.target
    perform(.complete(seeks.enqueue(request)))
    jump(to: time, at: host)
    if !landInCache(at: host) { finishSeekWhileHidden(at: host) }
  }

  mutating func jump(to time: MediaTime, at host: HostTime) {
    clock.leaveEnd()
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
    guard let target = seeks.waiting?.target, item.clamped(target) != target else { return }
    seeks.moveWaiting(to: item.clamped(target))
    jump(to: item.clamped(target), at: host)
  }

  /// Without a visible output, seeks land by the clock alone; the frame follows when it becomes visible.
  mutating func finishSeekWhileHidden(at host: HostTime) {
    // Without a clock only frames tell the time, and where the end is.
    guard pacing == .clockAlone, item.isReady, seeks.newestTarget != ItemPlayback.behindAnyEnd,
      let landing = seeks.landWithoutFrame()
    else { return }
    perform(.complete(landing.completions))
    item.presentation.dropPreview()
    item.statistics.noteLanding(after: host - landing.request.askedAt)
    // Nothing waits for the lane's target.
    if item.decode.search?.purpose == .seek { item.detach() }
    updateClock(at: host)
    wake(.observers)
    performSteps(at: host)
  }

  /// Lands the waiting seek on a cached frame immediately. If the clock is stopped or runs backwards, the source stays
  /// where it is; otherwise it goes to the end of the cached frames. Returns true if it landed.
  private mutating func landInCache(at host: HostTime) -> Bool {
    guard seeks.active == nil, let target = seeks.waiting?.target, let entry = item.cache.entry(holding: target)
    else { return false }
    let run = clock.goesOn ? item.cachedRun(after: entry, clockView) : nil
    guard !clock.goesOn || run != nil, seeks.begin() != nil else { return false }
    item.prepareForSeek()
    if run == nil {
      // Frames before the old position are not needed here.
      if item.decode.prefetch != nil, !item.isPrefetching(before: entry.timing.pts) { item.dropPrefetch(clockView) }
      item.detach()
    }
    land(entry.frame, successor: entry.successor, at: host)
    if let run { item.playCached(run, clockView) } else { enterReverse(at: host) }
    return true
  }

  /// Completes all waiting seeks as superseded.
  mutating func cancelSeeks() {
    perform(.complete(seeks.cancelAll()))
    item.presentation.dropPreview()
  }

  /// Drops the waiting seek and the steps after it; the one in flight lands.
  mutating func cancelPendingSeeks(at host: HostTime) {
    guard let waiting = seeks.waiting else { return }
    // Steps that would have followed it lead nowhere.
    seeks.dropSteps()
    if waiting.isOwn { return }
    let (completions, restored) = seeks.takeBackWaiting()
    perform(.complete(completions))
    if seeks.active == nil { item.presentation.dropPreview() }
    if let restored { return jump(to: restored.target, at: host) }
    // Back to the current position, or to where the seek in flight goes.
    let isAtDisplayed = seeks.active == nil && pacing != .clockAlone
    jump(to: isAtDisplayed ? item.presentation.displayed?.timing.pts ?? .zero : currentTime(at: host), at: host)
    // The cancelled seek may have ended playback from the cache, or in reverse.
    if seeks.active == nil { takeDirection(at: host) }
  }

  // MARK: - On the way

  /// Starts the waiting seek, if none is in flight.
  mutating func beginSeek(at host: HostTime) {
    chase(at: host)
    if landInCache(at: host) { return }
    let isSamePass = item.passes.areTogether
    guard let request = seeks.begin() else { return }
    item.prepareForSeek()
    if isSamePass, let waiting = item.takeWaiting(holding: request.target) {
      land(waiting.frame, successor: waiting.successor, at: host)
      return enterReverse(at: host)
    }
    var search = item.prepareSearch(for: request, mayDecodeOn: isSamePass)
    if seeks.isScrubbing(at: host), showPreviewFromCache(for: request.target, at: host) { search.didPreview() }
    if search.startIsGuessed { askForIndex() }
    item.begin(search, pass: item.passes.played)
  }

  /// Handles a newer target: continues to it if it lies ahead on the way, else turns to it once the seek in flight has
  /// shown something.
  private mutating func chase(at host: HostTime) {
    guard seeks.active != nil, let waiting = seeks.waiting, seeks.isMoving, let search = item.decode.search,
      search.purpose == .seek
    else { return }
    if !search.needsSeek, let last = item.decode.last ?? search.candidate, item.cache.entry(holding: waiting.target) == nil,
      item.leadsOn(from: last, to: waiting.target), let (request, completions) = seeks.chase() {
      perform(.complete(completions))
      let isPreviewed = previews.isDue(search, at: host) && showPreviewFromCache(for: request.target, at: host)
      _ = item.decode.updateSearch { search in
        search.retarget(to: request)
        if isPreviewed { search.didPreview() }
      }
    } else if search.hasPreviewed {
      perform(.complete(seeks.abandonActive()))
      item.decode.stream()
    }
  }

  // MARK: - Landing

  /// Lands the seek in flight on its frame; the caller continues reverse playback from there.
  mutating func land(
    _ frame: ScaledFrames, successor: MediaTime?, decoded: (any SourceFrame)? = nil, at host: HostTime
  ) {
    guard let request = seeks.active else { return }
    let completions = seeks.land()
    item.present(frame, successor: successor, decoded: decoded, clockView)
    item.statistics.noteLanding(after: host - request.askedAt)
    perform(.complete(completions))
    wake(.lane)
    guard seeks.waiting == nil else { return }
    let landed = item.landing(of: request, on: frame.timing)
    perform(clock.land(at: landed, askedFor: request.target, hold, at: host))
    if landed != request.target { clock.report(.timeJumped(landed)) }
    if !request.isOwn { grains.didReach(frame.timing, isResting: clock.rate == 0) }
    noteChosenTime(at: host)
    performSteps(at: host)
    wake(.observers)
  }

  // MARK: - Frames on the way

  /// Returns true if a seek takes so long, or its target moves so fast, that a preview is due.
  func wantsPreview(_ search: TargetSearch, from timing: FrameTiming, at host: HostTime) -> Bool {
    guard search.purpose == .seek, outputs.isVisible, previews.isDue(search, at: host) else { return false }
    if seeks.isScrubbing(at: host) { return true }
    guard let askedAt = seeks.active?.askedAt else { return false }
    return previews.isLong(
      search, left: item.framesLeft(of: search, from: timing), askedAt: askedAt,
      hasDisplayed: item.presentation.displayed != nil, at: host)
  }

  /// Previews the cached frame nearest to the target, unless decoding would start nearer. Returns true if one is shown.
  mutating func showPreviewFromCache(for target: MediaTime, at host: HostTime) -> Bool {
    guard let frame = item.cachedPreview(for: target) else { return false }
    previews.didShow(at: host)
    // Once is enough.
    if item.presentation.previewTime != frame.timing.pts { item.showPreview(frame) }
    return true
  }
}
