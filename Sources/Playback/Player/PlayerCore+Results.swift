/// Handling of the lane's results.
extension PlayerCore {
  /// Notes that the source has performed the last `.seek` or `.rewind`.
  mutating func didMove(_ landing: SeekLanding, _ ticket: Ticket) {
    decode.didMove(lacksFrames: landing.lacksFrames, isCurrent: decode.isCurrent(ticket))
  }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail(_ ticket: Ticket) {
    guard decode.isCurrent(ticket) else { return }
    decode.moveDidFail()
  }

  /// Handles a decoded frame; returns what to render.
  ///
  /// - Parameter isReliefWanted: true if another player that shares the pool is behind for lack of threads.
  mutating func didDecode(
    _ frame: any SourceFrame, isReliefWanted: Bool, at host: HostTime
  ) -> LaneWork.Next {
    advance(to: host)
    drops.setReliefWanted(isReliefWanted)
    statistics.noteDecoded()
    let timing = frame.timing
    let former = decode.last
    decode.didDecode(frame)
    if let former { noteOrder(of: timing, after: former) }
    if !clock.isRunning, presentation.displayed?.decoded == nil { presentation.keepDecoded(frame) }
    switch decode.phase {
    case .idle, .ended, .detached:
      return .none
    case .approaching(let approach):
      return goOn(approach, with: frame, at: host)
    case .prefetching(let prefetch):
      guard !prefetch.needsSeek else { return .none }
      switch decode.updatePrefetch({ $0.didDecode(timing) }) {
      case .inside: return cacheDecoded(frame)
      case .past: endPrefetch(at: host)
      case .again, nil: break
      }
      return .none
    case .streaming:
      return queue(frame, after: former, at: host)
    }
  }

  /// Records that two frames decoded in sequence follow each other.
  private mutating func noteOrder(of timing: FrameTiming, after former: FrameTiming) {
    guard !discardsGoingBack, isNext(timing, after: former) else {
      return cache.note(nextDecoded: timing.pts, of: former.pts)
    }
    cache.note(successor: timing.pts, of: former.pts)
    presentation.noteSuccessor(timing.pts, of: former.pts, loopIndex: decode.loopIndex)
  }

  /// Returns true if two frames decoded in sequence are adjacent.
  private func isNext(_ timing: FrameTiming, after former: FrameTiming) -> Bool {
    // The source may have restarted earlier.
    guard timing.pts > former.pts else { return false }
    if !decode.mayLackFrames { return true }
    guard let timeline, let number = timeline.knownFrame(at: timing.pts) else { return timing.pts <= former.end }
    return number == timeline.frameNumber(at: former.pts) + 1
  }

  // MARK: - On the way

  private mutating func goOn(
    _ approach: Approach, with frame: any SourceFrame, at host: HostTime
  ) -> LaneWork.Next {
    guard !approach.needsSeek else { return .none }
    let timing = frame.timing
    if shortenApproach(approach, from: timing) { return .none }
    let isDiscarded = isTargetDiscarded(approach, before: timing)
    switch decode.updateApproach({ $0.didDecode(timing, isDiscarded: isDiscarded, at: host) }) {
    case .found:
      return render(frame, .target)
    case .foundBefore:
      guard let former = decode.previous else { return .none }
      return render(former, .target)
    case .again, nil:
      return .none
    case .onTheWay:
      return previewOrCache(frame, at: host)
    }
  }

  /// Handles a frame on the way to another: it is previewed, cached or dropped.
  private mutating func previewOrCache(_ frame: any SourceFrame, at host: HostTime) -> LaneWork.Next {
    guard let approach = decode.approach else { return .none }
    let timing = frame.timing
    if wantsPreview(approach, from: timing, at: host) {
      _ = decode.updateApproach { $0.didPreview() }
      previews.didShow(at: host)
      guard cachesNearer(than: timing, to: approach.target), showPreviewFromCache(for: approach.target, at: host) else {
        return render(frame, .preview)
      }
    }
    // A viewer who looks at a frame soon steps back from it.
    return approach.purpose == .seek ? cacheDecoded(frame) : .none
  }

  /// True if frames are left out for the cache, too, as on a fast way back.
  private var discardsGoingBack: Bool { discardGoingBack != .nothing }

  /// Returns a rendering of a decoded frame for the cache, if it is complete and not there yet.
  private func cacheDecoded(_ frame: any SourceFrame) -> LaneWork.Next {
    // In fast reverse playback, a part of each is better than nothing.
    guard !decode.mayLackPart || discardsGoingBack, !isCached(frame.timing),
      cache.hasRoom(for: frame.timing, bytes: presentation.displayed?.frame.byteCount ?? 0)
    else { return .none }
    return render(frame, .cache)
  }

  /// Returns true if a frame is cached in the sizes that are asked for, among those that follow each other, and nothing better is known
  /// of it now.
  private func isCached(_ timing: FrameTiming) -> Bool {
    guard let entry = cache.denseEntry(at: timing.pts), isCurrent(entry.frame) else { return false }
    return entry.timing.isCertain || !timing.isCertain
  }

  /// Returns true if the display will rest at the target frame, which must therefore be exact.
  private func leadsToRest(_ approach: Approach) -> Bool {
    switch approach.purpose {
    case .seek: true
    case .refresh: !clock.isRunning
    case .first, .loop, .resume: false
    }
  }

  /// Returns true if the frame that holds the target may be one of those that were left out on the way.
  ///
  /// - Parameter next: the frame that came out now; nil at the end of the data.
  private func isTargetDiscarded(_ approach: Approach, before next: FrameTiming?) -> Bool {
    guard decode.mayLackFrames, leadsToRest(approach), !approach.mustBeWhole, let candidate = approach.candidate
    else { return false }
    if let timeline, let target = timeline.knownFrame(at: approach.target) {
      return timeline.frameNumber(at: candidate.pts) < target
    }
    // Without numbers, nothing is known to be missing only if one frame starts where the other ends.
    return next.map { $0.pts > candidate.end } ?? true
  }

  private func render(_ frame: any SourceFrame, _ role: LaneWork.Rendering.Role) -> LaneWork.Next {
    .render(LaneWork.Rendering(frame: frame, role: role, ticket: decode.ticket))
  }

  // MARK: - For the queue

  private mutating func queue(_ frame: any SourceFrame, after former: FrameTiming?, at host: HostTime) -> LaneWork.Next {
    let timing = frame.timing
    if drops.discard != .nothing { countUndecoded(from: former, to: timing) }
    if isPastRange(timing) {
      endQueue(at: host)
      return .none
    }
    return admit(timing, at: host) ? render(frame, .queue) : .none
  }

  /// Counts skipped frames, by the gap they leave in the timestamps.
  private mutating func countUndecoded(from former: FrameTiming?, to timing: FrameTiming) {
    guard let former, timing.pts > former.end else { return }
    let missing = former.frameCount(in: (timing.pts - former.end).seconds)
    if missing < 100_000 { statistics.noteDropped(Int(missing.rounded())) }
  }

  /// Takes into account how late a decoded frame is, to skip more or fewer frames from here on; returns false if it is too
  /// late to be shown.
  private mutating func admit(_ timing: FrameTiming, at host: HostTime) -> Bool {
    guard clock.isRunning, !clock.isUntimed, decode.loopIndex == clock.loopIndex else {
      drops.stopDiscarding()
      return true
    }
    let media = clock.media(at: host)
    // If the places of keyframes are unknown, one may lie before the present.
    let isKeyAhead = timeline == nil || !leadsOn(from: timing, to: MediaTime(nanoseconds: media))
    let verdict = drops.decide(
      .init(
        late: Int64(Double(media - timing.endNanoseconds) / clock.timebase.rate), isKeyAhead: isKeyAhead,
        isStart: isRandomAccess(timing), queued: presentation.waiting.count), at: host)
    if verdict.jumps { decode.wantRefresh(.jump(from: timing)) }
    if !verdict.isShown { statistics.noteDropped() }
    return verdict.isShown
  }

  /// Returns true if this player is behind because it shares the pool, so that all players should skip frames.
  func needsRelief(at host: HostTime) -> Bool {
    guard clock.isRunning, let last = decode.last else { return false }
    return drops.needsRelief(late: last.endNanoseconds < clock.media(at: host))
  }

  // MARK: - Rendered frames

  /// Handles rendered images of a frame; returns what to render next.
  mutating func didRender(_ frame: RenderedSet, _ rendering: LaneWork.Rendering, at host: HostTime) -> LaneWork.Next {
    switch rendering.role {
    case .display:
      didRenderDisplayed(frame)
    case .cache:
      keep(frame)
    case .preview:
      if !decode.mayLackPart { keep(frame) }
      if seeks.isUnderWay, decode.approach?.purpose == .seek { showPreview(frame) }
    case .queue:
      drops.didRender(at: host)
      guard decode.isCurrent(rendering.ticket) else {
        keep(frame)
        break
      }
      append(frame, successor: nil, at: host)
    case .target:
      drops.didRender(at: host)
      guard decode.isCurrent(rendering.ticket), let approach = decode.approach else {
        keep(frame)
        break
      }
      return didArrive(frame, rendering.frame, approach, at: host)
    }
    return .none
  }

  /// Caches a frame that will not be shown next.
  private mutating func keep(_ frame: RenderedSet) {
    guard cache.limit > 0, isCurrent(frame) else { return }
    setCacheFloor(for: frame)
    cache.insert(frame, successor: nil)
    if cache.count % 32 == 0 { noteCached() }
  }

  private mutating func didRenderDisplayed(_ frame: RenderedSet) {
    guard isCurrent(frame) else { return }
    presentation.replaceDisplayed(by: frame)
    wake(.display)
  }

  /// Handles the arrival of the target frame; returns what to render next.
  private mutating func didArrive(
    _ frame: RenderedSet, _ decoded: any SourceFrame, _ approach: Approach, at host: HostTime
  ) -> LaneWork.Next {
    decode.stream()
    askForIndex()
    // The source may have decoded one more frame to find where this one ends.
    let next = decode.latest.flatMap { $0.timing.pts > frame.timing.pts ? $0 : nil }
    let successor = next.flatMap { isNext($0.timing, after: frame.timing) ? $0.timing.pts : nil }
    switch approach.purpose {
    case .seek:
      land(frame, successor: successor, decoded: decoded, at: host)
    case .first, .refresh:
      if case .refresh(let jumpOrigin) = approach.purpose { countUndecoded(from: jumpOrigin, to: frame.timing) }
      present(frame, successor: successor, decoded: decoded)
      updateClock(at: host)
      if isOvertaken(approach, at: host) { decode.wantRefresh() } else { checkStop() }
      // Steps that waited for a frame to count from.
      performSteps(at: host)
    case .loop:
      if decode.loopIndex < clock.loopIndex, cachesPass(like: frame) {
        keep(frame)
        beginPass()
        return next.map { cacheDecoded($0) } ?? .none
      }
      // The clock has started another pass meanwhile.
      decode.setLoopIndex(max(decode.loopIndex, clock.loopIndex))
      append(frame, successor: successor, at: host)
    case .resume:
      // At the stream's end it is the last frame, which already waits or has been shown.
      let last = presentation.waiting.last?.timing
        ?? (decode.loopIndex == clock.loopIndex ? presentation.displayed?.timing : nil)
      if last.map({ $0.pts < frame.timing.pts }) ?? true { append(frame, successor: successor, at: host) }
    }
    enterReverse(at: host)
    guard let next else { return .none }
    if decode.isStreaming, isPastRange(next.timing) { endQueue(at: host) }
    return render(next, decode.isStreaming ? .queue : .cache)
  }

  /// Returns true if the clock has moved or reversed meanwhile to where the target frame is still to come.
  private func isOvertaken(_ approach: Approach, at host: HostTime) -> Bool {
    guard clock.isRunning else { return false }
    let time = currentTime(at: host)
    return clock.rate > 0 ? approach.target > time : approach.target < time
  }

  private mutating func append(_ frame: RenderedSet, successor: MediaTime?, at host: HostTime) {
    let wasEmpty = presentation.waiting.isEmpty
    presentation.append(frame, successor: successor, loopIndex: decode.loopIndex)
    if wasEmpty || clock.isUntimed { wake(.display) }
    noteCached()
    if seeks.pendingSteps > 0 { performSteps(at: host) }
  }

  // MARK: - The end of the data

  /// Handles the end of the source; returns what is still to be rendered.
  mutating func didReachEnd(isCutOff: Bool, at host: HostTime) -> LaneWork.Next {
    advance(to: host)
    if decode.isStreaming, mayLackLastFrames, canSeek, let last = decode.last,
      itemDuration.isBehindAnnounced(last.endNanoseconds) {
      // Skipped frames may have followed, and the duration is unknown: retry without skipping.
      begin(Approach(.resume, to: last.end).whole, loopIndex: decode.loopIndex)
      return .none
    }
    let isDiscarded = decode.approach.map { isTargetDiscarded($0, before: nil) } ?? false
    if !isDiscarded { noteEnd(isCutOff: isCutOff) }
    switch decode.phase {
    case .idle, .ended, .detached:
      return .none
    case .prefetching(let prefetch):
      if !prefetch.needsSeek, decode.updatePrefetch({ $0.didReachEnd() }) != true { endPrefetch(at: host) }
      return .none
    case .streaming:
      endQueue(at: host)
      lookAgainBeforeEnd(at: host)
      wake([.observers, .display])
      return .none
    case .approaching(let approach):
      guard !approach.needsSeek else { return .none }
      guard let verdict = decode.updateApproach({ $0.didReachEnd(isDiscarded: isDiscarded) }) ?? nil else {
        return .fail(.nothingDecodable)
      }
      guard verdict == .found, let last = decode.latest else { return .none }
      return render(last, .target)
    }
  }

  /// True if skipped frames may have followed the decoded ones, even if none are skipped any more.
  private var mayLackLastFrames: Bool { drops.discard != .nothing || decode.mayLackFrames }

  private mutating func noteEnd(isCutOff: Bool) {
    // In fast reverse playback, the last frame decoded need not be the last one.
    if discardsGoingBack || (decode.prefetch != nil && decode.mayLackFrames) { return }
    guard var end = decode.last?.endNanoseconds else { return }
    // The displayed frame exists, whatever the timestamps after it say.
    if let displayed = presentation.displayed?.timing, end <= displayed.ptsNanoseconds { end = displayed.endNanoseconds }
    clock.report(itemDuration.note(end: end, isGuess: mayLackLastFrames, isCutOff: isCutOff))
    wake([.observers, .display])
  }

  /// If all frames up to the end were skipped to save time, nothing would be seen until then.
  private mutating func lookAgainBeforeEnd(at host: HostTime) {
    let media = clock.media(at: host)
    guard drops.discard != .nothing, clock.isRunning, decode.loopIndex == clock.loopIndex, let end = itemDuration.knownEnd,
      media + DropPolicy.maxLatenessForReferences < end, let last = decode.last
    else { return }
    // If all remaining frames are before the clock there is no other way, however recently it was tried.
    let newest = presentation.waiting.last?.timing ?? presentation.displayed?.timing
    let isBehind = newest.map { $0.endNanoseconds <= media } ?? false
    if isBehind || drops.tryJump(at: host) { decode.wantRefresh(.jump(from: last)) }
  }

  /// Notes that the last frame of the data has been rendered.
  mutating func endWasRendered(at host: HostTime) {
    guard decode.isStreaming else { return }
    endQueue(at: host)
    updateClock(at: host)
  }

  /// Ends the queue: steps that waited for its frames go elsewhere.
  private mutating func endQueue(at host: HostTime) {
    decode.finish(.source)
    performSteps(at: host)
  }
}
