/// What the lane does next.
extension PlayerCore {
  /// The next piece of work for the lane.
  enum Work: Equatable {
    case nothing
    case seek(MediaTime, SeekOptions)
    case rewind
    case decode(DiscardLevel)
    /// On the way to a target, without what nothing is built on where the pool is crowded.
    case decodeOnTheWay
  }

  /// What to do with the pictures that the source holds now.
  enum Rendering: Equatable {
    case none
    case latest
    case previous
    /// The one looked for, and the one after it, which the queue begins with.
    case previousAndLatest
    /// The latest one, for the cache.
    case keep
    /// The latest one, to be shown on the way to another, and for the cache.
    case preview
    /// There is nothing to render and never will be.
    case failure(PlaybackError)
  }

  /// Retries of a source that came out behind the target begin this much earlier, at last at the beginning.
  static let backoffSeconds: [Double] = [0, 1, 5, 20]
  /// Nanoseconds a picture may be late before pictures are left out of decoding, and before only key frames are kept.
  static let lateForReference: Int64 = 250_000_000
  static let lateForKeys: Int64 = 1_000_000_000
  /// So long all players leave pictures out after one of them was late for want of threads.
  static let reliefTime: HostTime = 300_000_000
  /// Later than this, going to a nearer key frame is tried.
  static let lateForJump: Int64 = 3_000_000_000
  /// However late, a picture is shown this often.
  static let sluggish: Int64 = 100_000_000
  /// A target this near ahead is reached by decoding on rather than by going to a key frame.
  static let nearSeconds = 1.0

  /// Decides the lane's next step.
  mutating func nextWork(at host: HostTime) -> Work {
    advance(to: host)
    feed.load.begin(at: host)
    interruptFill(at: host)
    guard case .ready = item, request != nil else { return .nothing }
    beginWanted(at: host)
    if isRestingElsewhere() {
      feed.needsRefresh = true
      beginWanted(at: host)
    }
    switch feed.phase {
    case .idle: return .nothing
    case .positioning: return workOfPositioning()
    case .filling: break
    case .parked:
      // Steps that waited for what the source was at before.
      performSteps(at: host)
      return beginPrefetch() || beginFill() ? workOfPositioning() : .nothing
    case .atEnd:
      guard startNextRound() || beginFill() else { return .nothing }
      return workOfPositioning()
    }
    if feed.iteration < iteration {
      // The clock has begun the loop anew before the decoder did.
      feed.iteration = iteration - 1
      if startNextRound() { return workOfPositioning() }
      if feed.phase == .atEnd { return .nothing }
    }
    dropSuperseded(at: host)
    guard queue.count < Self.queueCapacity, queue.count < 2 || queuedBytes < Self.queueBytes else {
      return beginFill() ? workOfPositioning() : .nothing
    }
    return decode(feed.discard)
  }

  private mutating func decode(_ discard: DiscardLevel) -> Work {
    if discard != .nothing { feed.sinceDiscard = 0 }
    return .decode(discard)
  }

  private mutating func beginWanted(at host: HostTime) {
    chase(at: host)
    if let request = seek.wanted, seek.active == nil {
      seek.wanted = nil
      seek.active = request
      var positioning = Positioning(
        purpose: .seek, target: request.target, before: request.before, after: request.after)
      let isSameRound = feed.iteration == iteration
      feed.iteration = iteration
      feed.needsRefresh = false
      feed.jumpsFrom = nil
      if let entry = cached(holding: request.target) {
        if rate <= 0 {
          park()
          seekDidLand(on: entry.picture, successor: entry.successor, at: host)
          return
        }
        if let bridge = bridge(after: entry) {
          seekDidLand(on: entry.picture, successor: entry.successor, at: host)
          cross(bridge)
          return
        }
      }
      if isSameRound, let queued = takeQueued(holding: request.target) {
        seekDidLand(on: queued.picture, successor: queued.successor, at: host)
        return
      }
      if isSameRound, let last = feed.last, isSoonAfter(last, request.target) {
        positioning.needsSeek = false
        // Passing by all pictures anyway, it can as well be exact.
        positioning.before = .zero
        // The source still holds it.
        if last.pts <= request.target { positioning.candidate = last }
      }
      // Whoever looks at a picture steps back from it soon.
      positioning.keepsPassed = cache.limit > 0
      cache.moveCenter(to: request.target)
      rememberQueue()
      feed.barrenPrefetch = nil
      if isScrubbing(at: host) { positioning.hasPreviewed = previewFromCache(request.target, at: host) }
      feed.begin(positioning)
    } else if feed.needsRefresh, feed.phase != .positioning {
      feed.needsRefresh = false
      feed.iteration = iteration
      let target = refreshTarget(at: host)
      if playOnFromCache(from: target) { return }
      queue.removeAll()
      feed.begin(Positioning(purpose: .refresh, target: target))
    }
  }

  /// Whether the clock rests outside the displayed picture, as after a pause amid pictures that were late or left out,
  /// and nothing that waits is the right one. Says so once for each place.
  private mutating func isRestingElsewhere() -> Bool {
    let media = timebase.anchorMedia
    guard rate == 0, !timebase.isRunning, !isUntimed, !seek.isUnderWay, seek.pendingSteps == 0, let displayed,
      feed.phase != .positioning, feed.phase != .idle, feed.restsAt != media
    else { return false }
    let mine = queue.first { $0.iteration == iteration }?.picture.timing
    if let mine, mine.ptsNanoseconds <= media { return false }
    // The next one may still come.
    if feed.phase == .filling, mine == nil, feed.iteration == iteration { return false }
    feed.restsAt = media
    let timing = displayed.timing
    if timing.ptsNanoseconds > media { return true }
    if let knownEnd, timing.endNanoseconds >= knownEnd { return false }
    return media >= (displayedSuccessor ?? timing.end).nanoseconds ?? .max
  }

  /// A time inside the picture that is to be seen now.
  private func refreshTarget(at host: HostTime) -> MediaTime {
    let media = timebase.media(at: host)
    // The displayed picture's own time where it is that one: nanoseconds may be rounded to before it.
    if !timebase.isRunning, let timing = displayed?.timing, timing.ptsNanoseconds <= media,
      media < (displayedSuccessor ?? timing.end).nanoseconds ?? .max { return timing.pts }
    return currentTime(at: host)
  }

  /// Whether decoding on from the last picture comes to the target soon.
  func isSoonAfter(_ last: FrameTiming, _ target: MediaTime) -> Bool {
    (feed.phase == .filling || feed.phase == .parked) && feed.discard == .nothing && isOnTheWay(from: last, to: target)
  }

  /// Whether no other start leads to the target sooner than decoding on.
  func isOnTheWay(from last: FrameTiming, to target: MediaTime) -> Bool {
    guard target >= last.pts else { return false }
    guard let map, target < map.end else { return (target - last.pts).seconds <= Self.nearSeconds }
    return map.randomAccessFrame(for: map.frameNumber(at: target)) <= map.frameNumber(at: last.pts)
  }

  /// Whether decoding can begin with a picture, as far as known.
  func isStart(_ timing: FrameTiming) -> Bool {
    guard let map, timing.pts < map.end else { return false }
    let number = map.frameNumber(at: timing.pts)
    return map.randomAccessFrame(for: number) == number
  }

  /// Takes the picture that holds `target`, and those before it, from those that wait.
  private mutating func takeQueued(holding target: MediaTime) -> Queued? {
    for (i, queued) in queue.enumerated() where queued.iteration == iteration {
      let isLast = i == queue.count - 1 && feed.phase == .atEnd && !feed.isRoundFromCache
      guard let end = queued.successor ?? (isLast ? .positiveInfinity : nil) else { break }
      guard queued.picture.timing.pts <= target && target < end else { continue }
      guard queued.picture.request == request else { return nil }
      queue.removeFirst(i + 1)
      return queued
    }
    return nil
  }

  private mutating func workOfPositioning() -> Work {
    guard let p = feed.positioning else { return .nothing }
    guard p.needsSeek else {
      if p.purpose == .prefetch { return decode(feed.discardGoingBack) }
      return mayLeaveOut(p) ? .decodeOnTheWay : .decode(.nothing)
    }
    if p.attempts >= Self.backoffSeconds.count { return .rewind }
    let target = p.target - MediaTime(seconds: Self.backoffSeconds[p.attempts], preferredTimescale: 1000)
    return target <= .zero ? .rewind : .seek(target, p.seekOptions)
  }

  /// From so far before the target on, which is more than decoders usually hold back, nothing is left out.
  private static let fullBeforeTarget = 12

  /// Whether the next picture on the way may be one that is left out.
  private func mayLeaveOut(_ p: Positioning) -> Bool {
    guard p.purpose == .seek, !p.mustBeWhole, feed.canLeaveOut, let map, p.target < map.end else { return false }
    let target = map.frameNumber(at: p.target)
    let present = feed.last.map { map.frameNumber(at: $0.pts) } ?? map.randomAccessFrame(for: target)
    return target - present > Self.fullBeforeTarget
  }

  /// The step that begins leaves pictures out.
  mutating func willLeaveOut(epoch: Int) {
    if epoch == feed.epoch { feed.sinceDiscard = 0 }
  }

  /// The source is where the last `.seek` or `.rewind` wanted it.
  mutating func didMove(_ landing: SeekLanding, epoch: Int) {
    guard epoch == feed.epoch else { return }
    feed.positioning?.needsSeek = false
    feed.positioning?.candidate = nil
    feed.last = nil
    feed.sinceDiscard = landing.lacksFrames ? 0 : FeedState.mostDelayed
  }

  /// Bytes for decoders that wait where a moving target has left them: what pictures leave of the memory.
  func waitingLimit(at host: HostTime) -> Int {
    let room = max(0, cache.budget - cache.byteCount)
    if isScrubbing(at: host) { return room }
    // Once the target rests there are to be no more of them, and playing on needs none.
    return rate == 0 ? min(room, feed.waitingBytes) : 0
  }

  /// The source cannot go there: from the beginning then.
  mutating func moveDidFail(epoch: Int) {
    guard epoch == feed.epoch else { return }
    feed.positioning?.attempts = Self.backoffSeconds.count
  }

  /// Begins decoding the loop's next round, if there is one.
  private mutating func startNextRound() -> Bool {
    guard let start = loopStart, rate > 0, !isUntimed, feed.iteration <= iteration else { return false }
    if let end = playEnd, end <= start { return false }
    feed.iteration += 1
    let target = MediaTime(nanoseconds: start)
    if let end = playEnd, queueRoundFromCache(from: target, to: end) {
      feed.phase = .atEnd
      feed.isRoundFromCache = true
      return false
    }
    feed.begin(Positioning(purpose: .loop, target: target))
    return true
  }

  /// Makes room for newer pictures where the display does not take those that are due.
  private mutating func dropSuperseded(at host: HostTime) {
    guard timebase.isRunning, !isUntimed, queue.count >= Self.queueCapacity else { return }
    let media = timebase.media(at: host)
    while queue.count >= 2, queue[0].iteration < iteration
      || (queue[1].iteration == iteration && queue[1].picture.timing.ptsNanoseconds <= media) {
      queue.removeFirst()
      statistics.skipped += 1
    }
  }

  /// A step has been done; tells the deadline of the next.
  mutating func endStep(waitingBytes: Int, at host: HostTime) -> HostTime {
    feed.waitingBytes = waitingBytes
    let next = deadline(at: host)
    feed.load.end(at: host, next: next)
    return next
  }

  /// When the waiting pictures run out: the deadline of the next step.
  func deadline(at host: HostTime) -> HostTime {
    // Somebody waits, whatever the source does until it is told.
    if seek.wanted != nil || feed.needsRefresh { return host }
    if rate < 0, feed.positioning?.purpose == .prefetch, timebase.isRunning, let displayed {
      let start = cache.run(before: displayed.timing.pts).start.nanoseconds ?? 0
      return timebase.host(for: start) ?? host
    }
    if feed.positioning?.purpose == .resume, let last = queue.last {
      return timebase.host(for: last.picture.timing.endNanoseconds) ?? host
    }
    if feed.phase == .positioning || queue.isEmpty {
      return feed.positioning?.isFill == true ? host + 2_000_000_000 : host
    }
    guard timebase.isRunning, let last = queue.last else {
      // Standing panes fill up behind all others.
      return isUntimed ? host : host + 1_000_000_000
    }
    if last.iteration != iteration { return host + 500_000_000 }
    return timebase.host(for: last.picture.timing.endNanoseconds) ?? host
  }

  // MARK: - The pane

  /// Another size or shape of the pane, or none when it is hidden.
  mutating func setRequest(_ new: RenderRequest?, at host: HostTime) {
    advance(to: host)
    guard new != request else { return }
    let wasHidden = request == nil
    request = new
    isBuffering = false
    guard let new else { return landUnseen(at: host) }
    // Pictures for another size are no use; the displayed one is shown until a better one is there.
    if new != lastRequest {
      cache.removeAll()
      noteHeld()
    }
    lastRequest = new
    noteMove(at: host)
    effects.append(.feed)
    // The picture to be seen now comes first.
    if feed.positioning?.purpose == .prefetch { dropPrefetch() }
    feed.barrenPrefetch = nil
    guard displayed != nil || !queue.isEmpty else { return }
    // What waits since the pane was hidden is of then.
    if wasHidden, timebase.isRunning { queue.removeAll() }
    if wasHidden || !timebase.isRunning { feed.needsRefresh = true } else { shortenQueue() }
  }

  /// The loop's bounds or the action at the end changed: what was decoded ahead may be wrong.
  mutating func setLoop(range: TimeRange?, action: ActionAtItemEnd, at host: HostTime) {
    advance(to: host)
    guard range != loopRange || action != actionAtItemEnd else { return }
    loopRange = range
    actionAtItemEnd = action
    if timebase.isRunning { settle(at: host) }
    let isQueuePast = queue.contains { isPastRange($0.picture.timing) }
    let tooFar = feed.iteration > iteration || isQueuePast
    // The decoder may be at the end of a range that is no more.
    let isAtItemEnd = knownEnd.map { feed.last?.endNanoseconds ?? 0 >= $0 } ?? false
    if isQueuePast, !feed.needsRefresh, feed.iteration == iteration,
      feed.phase == .filling || feed.positioning?.purpose == .resume {
      cutRound()
    } else if tooFar || feed.isRoundFromCache || (feed.phase == .atEnd && (range != nil || !isAtItemEnd)) {
      feed.needsRefresh = true
    }
    effects += [.feed, .observe]
  }
}
