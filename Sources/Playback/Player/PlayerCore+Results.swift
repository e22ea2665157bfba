/// What becomes of the lane's results.
extension PlayerCore {
  /// A picture came out of the decoder; tells what to render.
  mutating func didDecode(_ timing: FrameTiming, epoch: Int, at host: HostTime) -> Rendering {
    advance(to: host)
    guard epoch == feed.epoch else { return .none }
    statistics.decoded += 1
    let previous = feed.last
    feed.last = timing
    feed.sinceDiscard += 1
    let isBack = feed.positioning?.purpose == .prefetch && feed.discardGoingBack != .nothing
    if let previous {
      if !isBack, isNext(timing, after: previous) {
        noteSuccessor(of: previous, timing.pts)
      } else {
        cache.note(reach: timing.pts, of: previous.pts)
      }
    }
    if var p = feed.positioning {
      let rendering = position(&p, timing, at: host)
      if feed.positioning != nil { feed.positioning = p }
      return rendering
    }
    if feed.discard != .nothing { countUndecoded(from: previous, to: timing) }
    if isPastRange(timing) {
      feed.phase = .atEnd
      performSteps(at: host)
      return .none
    }
    return isWorthShowing(timing, at: host) ? .latest : .none
  }

  /// Whether nothing was left out between two pictures that were decoded one after the other.
  private func isNext(_ timing: FrameTiming, after previous: FrameTiming) -> Bool {
    // The source may have begun anew further back.
    guard timing.pts > previous.pts else { return false }
    if feed.sinceDiscard > FeedState.mostDelayed { return true }
    guard let map, timing.pts < map.end else { return timing.pts <= previous.end }
    return map.frameNumber(at: timing.pts) == map.frameNumber(at: previous.pts) + 1
  }

  private mutating func noteSuccessor(of previous: FrameTiming, _ pts: MediaTime) {
    cache.note(successor: pts, of: previous.pts)
    if let last = queue.last, last.iteration == feed.iteration {
      if last.picture.timing.pts == previous.pts { queue[queue.count - 1].successor = pts }
    } else if displayed?.timing.pts == previous.pts {
      displayedSuccessor = pts
    }
  }

  func isPastRange(_ timing: FrameTiming) -> Bool {
    guard loopRange != nil, let end = playEnd else { return false }
    return timing.ptsNanoseconds >= end
  }

  private mutating func position(_ p: inout Positioning, _ timing: FrameTiming, at host: HostTime) -> Rendering {
    if p.purpose == .first { return .latest }
    let isFirst = p.candidate == nil
    if timing.pts <= p.target {
      // It will do if it reaches into the tolerance; an exact one waits to see where the next begins.
      if p.before != .zero && timing.end > p.earliest { return .latest }
      p.candidate = timing
      if p.passed == 0 { p.firstAt = host }
      p.passed += 1
      if p.purpose == .seek, isScrubbing(at: host) || isLong(p, from: timing, at: host), mayPreview(p, at: host) {
        p.hasPreviewed = true
        feed.lastPreview = host
        guard holdsNearer(than: timing, to: p.target), previewFromCache(p.target, at: host) else { return .preview }
      }
      // On a fast way back a part of each is better than nothing at all.
      let isWhole = !feed.mayLackPart || (p.purpose == .prefetch && feed.discardGoingBack != .nothing)
      return p.keepsPassed && isWhole && isWorthKeeping(timing) ? .keep : .none
    }
    if p.purpose == .prefetch {
      endPrefetch(at: host)
      return .none
    }
    if !isFirst {
      if isLeftOut(p) {
        // A decoder that holds back more than was thought.
        p.mustBeWhole = true
        p.needsSeek = true
        return .none
      }
      return .previousAndLatest
    }
    // Behind the target already: good enough within the tolerance, or at the very beginning.
    if timing.pts <= p.latest && p.after != .zero { return .latest }
    if p.attempts < Self.backoffSeconds.count && p.target > .zero {
      p.attempts += 1
      p.needsSeek = true
      return .none
    }
    return .latest
  }

  /// Whether the picture that holds the target is one of those that were left out on the way.
  private func isLeftOut(_ p: Positioning) -> Bool {
    guard p.purpose == .seek, !p.mustBeWhole, feed.sinceDiscard < FeedState.mostDelayed, let map, p.target < map.end,
      let candidate = p.candidate
    else { return false }
    return map.frameNumber(at: candidate.pts) < map.frameNumber(at: p.target)
  }

  /// Pictures that were not decoded, to save time, leave a gap in the time stamps.
  private mutating func countUndecoded(from previous: FrameTiming?, to timing: FrameTiming) {
    guard let previous, timing.pts > previous.end else { return }
    let missing = (timing.pts - previous.end).seconds / max(previous.duration.seconds, 0.001)
    if missing < 100_000 { statistics.skipped += Int(missing.rounded()) }
  }

  /// Whether this player is behind because others take their turns, so that all had better leave something out.
  func needsRelief(at host: HostTime) -> Bool {
    guard feed.discard != .nothing, timebase.isRunning, let last = feed.last, feed.load.isHeldUp else { return false }
    return last.endNanoseconds < timebase.media(at: host)
  }

  /// Late pictures are not shown, and when that is not enough, not decoded.
  private mutating func isWorthShowing(_ timing: FrameTiming, at host: HostTime) -> Bool {
    guard timebase.isRunning, !isUntimed, feed.iteration == iteration else {
      feed.discard = .nothing
      return true
    }
    let media = timebase.media(at: host)
    let late = Int64(Double(media - timing.endNanoseconds) / timebase.rate)
    feed.lateSince = late > 0 ? feed.lateSince ?? host : nil
    // Where nothing is known of the places of key frames, there may be one on the way to the present.
    let isKeyAhead = map == nil || !isOnTheWay(from: timing, to: MediaTime(nanoseconds: media))
    switch feed.discard {
    case .nothing:
      // What is a little late all the time is decoded in vain.
      let hasLasted = feed.lateSince.map { host - $0 > Self.lateForReference } ?? false
      if late > Self.lateForReference || hasLasted || feed.isReliefWanted { feed.discard = .nonReference }
    case .nonReference:
      if late > Self.lateForKeys && isKeyAhead {
        feed.discard = .nonKey
      } else if late < 0 && queue.count > 2 && !feed.isReliefWanted {
        feed.discard = .nothing
      }
    case .nonKey:
      // A late picture that moves is better than one that stands until a key frame comes.
      if late < 0 || (!isKeyAhead && isStart(timing)) { feed.discard = .nonReference }
    }
    if late > Self.lateForJump && isKeyAhead && host >= feed.mayJumpAfter {
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
  mutating func didRender(_ picture: RenderedFrame, isSought: Bool, epoch: Int, at host: HostTime) {
    guard epoch == feed.epoch else { return }
    feed.lastRender = host
    guard isSought, let p = feed.positioning else {
      append(picture, successor: nil, at: host)
      return
    }
    feed.positioning = nil
    feed.phase = .filling
    if !feed.hasAskedForIndex, !isUntimed {
      feed.hasAskedForIndex = true
      effects.append(.index)
    }
    // The source may have gone on by one picture to see where this one ends.
    let successor = feed.last.flatMap {
      $0.pts > picture.timing.pts && isNext($0, after: picture.timing) ? $0.pts : nil
    }
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
    case .resume:
      // At the stream's end it is the last one, which waits already, or has been seen.
      let latest = queue.last?.picture ?? (feed.iteration == iteration ? displayed : nil)
      if latest.map({ $0.timing.pts < picture.timing.pts }) ?? true {
        append(picture, successor: successor, at: host)
      }
    case .prefetch:
      cache.insert(picture, successor: successor)
      feed.phase = .parked
    }
    turnBack(at: host)
  }

  private mutating func append(_ picture: RenderedFrame, successor: MediaTime?, at host: HostTime) {
    let wasEmpty = queue.isEmpty
    queue.append(Queued(iteration: feed.iteration, picture: picture, successor: successor))
    if wasEmpty || isUntimed { effects.append(.display) }
    noteHeld()
    if seek.pendingSteps > 0 { performSteps(at: host) }
  }

  /// The source has no more pictures. Returns what is still to be rendered.
  mutating func didReachEnd(isCutOff: Bool, epoch: Int, at host: HostTime) -> Rendering {
    advance(to: host)
    guard epoch == feed.epoch else { return .none }
    var end = feed.last?.endNanoseconds
    if feed.discard != .nothing, let last = end {
      // Pictures that were left out may have followed.
      end = max(last, info?.duration.nanoseconds ?? last)
    }
    // Going back fast, the last one that was decoded need not be the last.
    let isSure = feed.positioning?.purpose != .prefetch || feed.discardGoingBack == .nothing
    if feed.positioning == nil, feed.discard != .nothing, feed.canSeek, duration == .indefinite, let last = feed.last {
      // Nor here, and no length tells: once more with nothing left out.
      feed.begin(Positioning(purpose: .resume, target: last.end))
      return .none
    }
    // What is on display is there, whatever the time stamps behind it say.
    if let displayed, let found = end, found <= displayed.timing.ptsNanoseconds { end = displayed.timing.endNanoseconds }
    if let end, isSure { noteEnd(end, isCutOff: isCutOff) }
    if feed.positioning?.purpose == .prefetch {
      endPrefetch(at: host)
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

  private mutating func noteEnd(_ end: Int64, isCutOff: Bool) {
    let isGuess = feed.discard != .nothing
    if knownEnd == nil || (endIsGuess && !isGuess) {
      endIsGuess = isGuess
      if end != knownEnd {
        knownEnd = end
        if info?.duration.nanoseconds != end { log.event(.durationChanged(MediaTime(nanoseconds: end))) }
      }
    }
    // Where it is the end that was known the file may still have been found to be cut off only now.
    if end == knownEnd, isCutOff || isEarly(end) { noteEarlyEnd(end) }
  }

  /// Whether so much is missing up to the end that the file announces that the rest of it must be lost.
  func isEarly(_ end: Int64) -> Bool {
    guard let info, !info.durationIsEstimate, let expected = info.duration.nanoseconds else { return false }
    return expected - end > max(1_000_000_000, expected / 20)
  }

  mutating func noteEarlyEnd(_ end: Int64) {
    guard earlyEnd != end else { return }
    earlyEnd = end
    let announced = info?.duration ?? .indefinite
    let isBehind = announced.nanoseconds.map { $0 > end } ?? false
    log.event(.endedEarly(at: MediaTime(nanoseconds: end), announced: isBehind ? announced : .indefinite))
    effects += [.observe, .display]
  }

  /// After rendering the last picture at the end of the data.
  mutating func endWasRendered(epoch: Int, at host: HostTime) {
    guard epoch == feed.epoch, feed.phase == .filling else { return }
    feed.phase = .atEnd
    performSteps(at: host)
    settle(at: host)
  }
}
