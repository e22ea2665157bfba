/// On the way to a picture: a seek, a loop's turn, or a fresh look at the present time.
struct Positioning {
  enum Purpose: Equatable {
    /// The first picture of an item that was just opened.
    case first
    /// `SeekState.active` waits for it.
    case seek
    /// The first picture of the loop's next round.
    case loop
    /// The present time again: the pane's size changed, or it was hidden.
    case refresh
    /// Pictures for the cache only, while the display moves back.
    case prefetch
  }

  var purpose: Purpose
  var target: MediaTime
  /// The picture may lie anywhere in target − before … target + after.
  var before = MediaTime.zero
  var after = MediaTime.zero
  /// Whether the source has to go elsewhere first.
  var needsSeek = true
  /// Times that the source came out behind the target.
  var attempts = 0
  /// The last picture seen that begins at or before the target.
  var candidate: FrameTiming?
  /// Whether the pictures on the way are kept, because the display moves back over them.
  var keepsPassed = false

  /// The earliest time that will do.
  var earliest: MediaTime { target - before }
  var latest: MediaTime { target + after }
}

/// What the lane is doing with the source.
struct FeedState {
  enum Phase: Equatable {
    /// Nothing to decode from.
    case idle
    case positioning
    case filling
    /// All pictures up to the end have been decoded.
    case atEnd
    /// The display has gone on in the cache, away from where the source is.
    case parked
  }

  /// Belongs to every result: what was begun in an older one is thrown away.
  var epoch = 0
  var phase = Phase.idle
  var positioning: Positioning?
  /// The loop's round that is being decoded.
  var iteration = 0
  var discard = DiscardLevel.nothing
  /// The picture decoded last.
  var last: FrameTiming?
  /// Host time when a picture was last rendered.
  var lastRender: HostTime = 0
  /// A fresh look is wanted once the present way is done.
  var needsRefresh = false
  /// The picture from which a jump to catch up leaves out all others.
  var jumpsFrom: FrameTiming?
  /// Where the last look ahead for going back began; a second one there would find no more.
  var barrenPrefetch: MediaTime?
  /// No jump to catch up before this host time.
  var mayJumpAfter: HostTime = 0

  init(epoch: Int = 0) { self.epoch = epoch }

  mutating func begin(_ positioning: Positioning) {
    self.positioning = positioning
    phase = .positioning
    discard = .nothing
  }
}

extension PlayerCore {
  /// The next piece of work for the lane.
  enum Work: Equatable {
    case nothing
    case seek(MediaTime)
    case rewind
    case decode(DiscardLevel)
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
    /// There is nothing to render and never will be.
    case failure(PlaybackError)
  }

  /// Retries of a source that came out behind the target begin this much earlier, at last at the beginning.
  private static let backoffSeconds: [Double] = [0, 1, 5, 20]
  /// Nanoseconds a picture may be late before pictures are left out of decoding, and before only key frames are kept.
  private static let lateForReference: Int64 = 250_000_000
  private static let lateForKeys: Int64 = 1_000_000_000
  /// Later than this, going to a nearer key frame is tried.
  private static let lateForJump: Int64 = 3_000_000_000
  /// However late, a picture is shown this often.
  private static let sluggish: Int64 = 100_000_000
  /// A target this near ahead is reached by decoding on rather than by going to a key frame.
  private static let nearSeconds = 1.0

  /// Decides the lane's next step.
  mutating func nextWork(at host: HostTime) -> Work {
    advance(to: host)
    guard case .ready = item, request != nil else { return .nothing }
    beginWanted(at: host)
    switch feed.phase {
    case .idle: return .nothing
    case .positioning: return workOfPositioning()
    case .filling: break
    case .parked: return beginPrefetch() ? workOfPositioning() : .nothing
    case .atEnd:
      guard startNextRound() else { return .nothing }
      return workOfPositioning()
    }
    if feed.iteration < iteration {
      // The clock has begun the loop anew before the decoder did.
      feed.iteration = iteration - 1
      if startNextRound() { return workOfPositioning() }
    }
    dropSuperseded(at: host)
    guard queue.count < Self.queueCapacity, queue.count < 2 || queuedBytes < Self.queueBytes else { return .nothing }
    return .decode(feed.discard)
  }

  private mutating func beginWanted(at host: HostTime) {
    if let request = seek.wanted, seek.active == nil {
      seek.wanted = nil
      seek.active = request
      var positioning = Positioning(
        purpose: .seek, target: request.target, before: request.before, after: request.after)
      let isSameRound = feed.iteration == iteration
      feed.iteration = iteration
      feed.needsRefresh = false
      feed.jumpsFrom = nil
      if rate == 0, let entry = cached(holding: request.target) {
        park()
        seekDidLand(on: entry.picture, successor: entry.successor, at: host)
        return
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
      if let displayed, request.target < displayed.timing.pts { positioning.keepsPassed = cache.budget > 0 }
      rememberQueue()
      feed.barrenPrefetch = nil
      feed.begin(positioning)
    } else if feed.needsRefresh, feed.phase != .positioning {
      feed.needsRefresh = false
      feed.iteration = iteration
      queue.removeAll()
      feed.begin(Positioning(purpose: .refresh, target: refreshTarget(at: host)))
    }
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
  private func isSoonAfter(_ last: FrameTiming, _ target: MediaTime) -> Bool {
    feed.phase == .filling && feed.discard == .nothing && target >= last.pts
      && (target - last.pts).seconds <= Self.nearSeconds
  }

  /// Takes the picture that holds `target`, and those before it, from those that wait.
  private mutating func takeQueued(holding target: MediaTime) -> Queued? {
    for (i, queued) in queue.enumerated() where queued.iteration == iteration {
      let isLast = i == queue.count - 1 && feed.phase == .atEnd
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
    guard p.needsSeek else { return .decode(.nothing) }
    if p.attempts >= Self.backoffSeconds.count { return .rewind }
    let target = p.target - MediaTime(seconds: Self.backoffSeconds[p.attempts], preferredTimescale: 1000)
    return target <= .zero ? .rewind : .seek(target)
  }

  /// The source is where the last `.seek` or `.rewind` wanted it.
  mutating func didMove(epoch: Int) {
    guard epoch == feed.epoch else { return }
    feed.positioning?.needsSeek = false
    feed.positioning?.candidate = nil
    feed.last = nil
  }

  /// The source cannot go there: from the beginning then.
  mutating func moveDidFail(epoch: Int) {
    guard epoch == feed.epoch else { return }
    feed.positioning?.attempts = Self.backoffSeconds.count
  }

  /// Begins decoding the loop's next round, if there is one.
  private mutating func startNextRound() -> Bool {
    guard let start = loopStart, rate != 0, !isUntimed, feed.iteration <= iteration else { return false }
    if let end = playEnd, end <= start { return false }
    feed.iteration += 1
    feed.begin(Positioning(purpose: .loop, target: MediaTime(nanoseconds: start)))
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

  // MARK: - Results

  /// A picture came out of the decoder; tells what to render.
  mutating func didDecode(_ timing: FrameTiming, epoch: Int, at host: HostTime) -> Rendering {
    advance(to: host)
    guard epoch == feed.epoch else { return .none }
    statistics.decoded += 1
    let previous = feed.last
    feed.last = timing
    noteSuccessor(of: previous, timing.pts)
    if var p = feed.positioning {
      let rendering = position(&p, timing)
      if feed.positioning != nil { feed.positioning = p }
      return rendering
    }
    if feed.discard != .nothing { countUndecoded(from: previous, to: timing) }
    if isPastRange(timing) {
      feed.phase = .atEnd
      return .none
    }
    return isWorthShowing(timing, at: host) ? .latest : .none
  }

  private mutating func noteSuccessor(of previous: FrameTiming?, _ pts: MediaTime) {
    guard let previous else { return }
    cache.note(successor: pts, of: previous.pts)
    if let last = queue.last, last.iteration == feed.iteration {
      if last.picture.timing.pts == previous.pts { queue[queue.count - 1].successor = pts }
    } else if displayed?.timing.pts == previous.pts {
      displayedSuccessor = pts
    }
  }

  private func isPastRange(_ timing: FrameTiming) -> Bool {
    guard loopRange != nil, let end = playEnd else { return false }
    return timing.ptsNanoseconds >= end
  }

  private mutating func position(_ p: inout Positioning, _ timing: FrameTiming) -> Rendering {
    if p.purpose == .first { return .latest }
    let isFirst = p.candidate == nil
    if timing.pts <= p.target {
      // It will do if it reaches into the tolerance; an exact one waits to see where the next begins.
      if p.before != .zero && timing.end > p.earliest { return .latest }
      p.candidate = timing
      return p.keepsPassed && isWorthKeeping(timing) ? .keep : .none
    }
    if p.purpose == .prefetch {
      endPrefetch()
      return .none
    }
    if !isFirst { return .previousAndLatest }
    // Behind the target already: good enough within the tolerance, or at the very beginning.
    if timing.pts <= p.latest && p.after != .zero { return .latest }
    if p.attempts < Self.backoffSeconds.count && p.target > .zero {
      p.attempts += 1
      p.needsSeek = true
      return .none
    }
    return .latest
  }

  /// Pictures that were not decoded, to save time, leave a gap in the time stamps.
  private mutating func countUndecoded(from previous: FrameTiming?, to timing: FrameTiming) {
    guard let previous, timing.pts > previous.end else { return }
    let missing = (timing.pts - previous.end).seconds / max(previous.duration.seconds, 0.001)
    if missing < 100_000 { statistics.skipped += Int(missing.rounded()) }
  }

  /// Late pictures are not shown, and when that is not enough, not decoded.
  private mutating func isWorthShowing(_ timing: FrameTiming, at host: HostTime) -> Bool {
    guard timebase.isRunning, !isUntimed, feed.iteration == iteration else {
      feed.discard = .nothing
      return true
    }
    let media = timebase.media(at: host)
    let late = Int64(Double(media - timing.endNanoseconds) / timebase.rate)
    switch feed.discard {
    case .nothing: if late > Self.lateForReference { feed.discard = .nonReference }
    case .nonReference:
      if late > Self.lateForKeys { feed.discard = .nonKey } else if late < 0 && queue.count > 2 { feed.discard = .nothing }
    case .nonKey: if late < 0 { feed.discard = .nonReference }
    }
    if late > Self.lateForJump && host >= feed.mayJumpAfter {
      feed.needsRefresh = true
      feed.jumpsFrom = timing
      statistics.skipped += queue.count
      feed.mayJumpAfter = host + 2 * Self.lateForJump
    }
    guard late > 0, host - feed.lastRender < Self.sluggish else { return true }
    statistics.skipped += 1
    return false
  }

  /// A rendered picture arrives: the one looked for, or one for the queue.
  mutating func didRender(_ picture: Picture, isSought: Bool, epoch: Int, at host: HostTime) {
    guard epoch == feed.epoch else { return }
    feed.lastRender = host
    guard isSought, let p = feed.positioning else {
      append(picture, successor: nil, at: host)
      return
    }
    feed.positioning = nil
    feed.phase = .filling
    // The source may have gone on by one picture to see where this one ends.
    let successor = feed.last.flatMap { $0.pts > picture.timing.pts ? $0.pts : nil }
    switch p.purpose {
    case .seek:
      seekDidLand(on: picture, successor: successor, at: host)
    case .first, .refresh:
      if timebase.isRunning { countUndecoded(from: feed.jumpsFrom, to: picture.timing) }
      feed.jumpsFrom = nil
      show(picture, successor: successor)
      if p.purpose == .first && seek.wanted == nil && !timebase.isRunning && timebase.anchorMedia == 0 {
        // The clock begins with the first picture, also where that lies behind time zero.
        runClock(from: 0, at: host, isJump: false)
      }
      settle(at: host)
    case .loop:
      append(picture, successor: successor, at: host)
    case .prefetch:
      cache.insert(picture, successor: successor)
      feed.phase = .parked
    }
  }

  private mutating func append(_ picture: Picture, successor: MediaTime?, at host: HostTime) {
    let wasEmpty = queue.isEmpty
    queue.append(Queued(iteration: feed.iteration, picture: picture, successor: successor))
    // While the clock stands nothing else tells that more is held in memory.
    if wasEmpty || isUntimed || !timebase.isRunning { effects.append(.display) }
    if seek.pendingSteps > 0 { performSteps(at: host) }
  }

  /// The source has no more pictures. Returns what is still to be rendered.
  mutating func didReachEnd(epoch: Int, at host: HostTime) -> Rendering {
    advance(to: host)
    guard epoch == feed.epoch else { return .none }
    var end = feed.last?.endNanoseconds
    if feed.discard != .nothing, let last = end {
      // Pictures that were left out may have followed.
      end = max(last, info?.duration.nanoseconds ?? last)
    }
    if let end, knownEnd == nil {
      knownEnd = end
      noteEnd(end)
    }
    if feed.positioning?.purpose == .prefetch {
      endPrefetch()
      return .none
    }
    guard let p = feed.positioning else {
      feed.phase = .atEnd
      lookAgainBeforeEnd(at: host)
      performSteps(at: host)
      effects += [.observe, .display]
      return .none
    }
    if p.candidate != nil {
      // The last picture holds every time behind it.
      return .latest
    }
    // A file that was read from its beginning has nothing to offer.
    if p.purpose != .first && p.attempts <= Self.backoffSeconds.count {
      feed.positioning?.attempts += p.target > .zero ? 1 : Self.backoffSeconds.count + 1
      feed.positioning?.needsSeek = true
      return .none
    }
    return .failure(PlaybackError(.nothingDecodable, "has no picture that can be decoded"))
  }

  /// Where all pictures up to the end were left out to save time, nothing would be seen until then.
  private mutating func lookAgainBeforeEnd(at host: HostTime) {
    guard feed.discard != .nothing, timebase.isRunning, feed.iteration == iteration, host >= feed.mayJumpAfter,
      let end = knownEnd, timebase.media(at: host) + Self.lateForReference < end
    else { return }
    feed.needsRefresh = true
    feed.jumpsFrom = feed.last
    feed.mayJumpAfter = host + 2 * Self.lateForJump
  }

  private mutating func noteEnd(_ end: Int64) {
    guard let announced = info?.duration, let expected = announced.nanoseconds else {
      log.event(.durationChanged(MediaTime(nanoseconds: end)))
      return
    }
    let missing = expected - end
    if missing > max(1_000_000_000, expected / 20) {
      log.event(.endedEarly(at: MediaTime(nanoseconds: end), announced: announced))
    }
    if missing != 0 { log.event(.durationChanged(MediaTime(nanoseconds: end))) }
  }

  /// After rendering the last picture at the end of the data.
  mutating func endWasRendered(epoch: Int, at host: HostTime) {
    guard epoch == feed.epoch, feed.phase == .filling else { return }
    feed.phase = .atEnd
    performSteps(at: host)
    settle(at: host)
  }

  /// When the waiting pictures run out: the deadline of the next step.
  func deadline(at host: HostTime) -> HostTime {
    if feed.phase == .positioning || queue.isEmpty { return host }
    guard timebase.isRunning, let last = queue.last else {
      // Standing panes fill up behind all others.
      return isUntimed ? host : host + 1_000_000_000
    }
    if last.iteration != iteration { return host + 500_000_000 }
    return timebase.host(for: last.picture.timing.endNanoseconds) ?? host
  }

  // MARK: - The pane

  /// Another size or shape of the pane, or none when it is hidden.
  mutating func setRequest(_ new: PictureRequest?, at host: HostTime) {
    advance(to: host)
    guard new != request else { return }
    let wasHidden = request == nil
    request = new
    guard let new else { return landUnseen(at: host) }
    // Pictures for another size are no use; the displayed one is shown until a better one is there.
    if new != lastRequest { cache.removeAll() }
    lastRequest = new
    effects.append(.feed)
    guard displayed != nil || !queue.isEmpty else { return }
    if wasHidden || !timebase.isRunning { feed.needsRefresh = true }
  }

  /// The loop's bounds or the action at the end changed: what was decoded ahead may be wrong.
  mutating func setLoop(range: TimeRange?, action: ActionAtItemEnd, at host: HostTime) {
    advance(to: host)
    guard range != loopRange || action != actionAtItemEnd else { return }
    loopRange = range
    actionAtItemEnd = action
    if timebase.isRunning { settle(at: host) }
    let tooFar = feed.iteration > iteration || queue.contains { isPastRange($0.picture.timing) }
    if tooFar || (range != nil && feed.phase == .atEnd) || (feed.phase == .atEnd && knownEnd == nil) {
      feed.needsRefresh = true
    }
    effects += [.feed, .observe]
  }
}
