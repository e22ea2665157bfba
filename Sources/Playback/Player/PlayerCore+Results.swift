/// Handling of the lane's results.
extension PlayerCore {
  /// Notes that the source has performed the last `.seek` or `.rewind`.
  mutating func didMove(_ landing: SeekLanding, _ ticket: Ticket) { item.didMove(landing, ticket) }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail(_ ticket: Ticket) { item.moveDidFail(ticket) }

  /// Notes that the next step skips frames.
  mutating func willDiscard() { item.decode.willDiscard() }


  /// Handles a decoded frame; returns what to render.
  ///
  /// - Parameter isReliefWanted: true if another player that shares the pool is behind for lack of threads.
  mutating func didDecode(
    _ frame: any SourceFrame, isReliefWanted: Bool, at host: HostTime
  ) -> LaneWork.Next {
    advance(to: host)
    item.drops.setReliefWanted(isReliefWanted)
    item.statistics.noteDecoded()
    let timing = frame.timing
    let former = item.decode.last
    item.decode.didDecode(frame)
    if let former { item.noteOrder(of: timing, after: former) }
    if !clock.isRunning, item.presentation.displayed?.decoded == nil { item.presentation.keepDecoded(frame) }
    switch item.decode.phase {
    case .idle, .ended, .detached:
      return .none
    case .searching(let search):
      return goOn(search, with: frame, at: host)
    case .prefetching(let prefetch):
      guard !prefetch.needsSeek else { return .none }
      switch item.decode.updatePrefetch({ $0.didDecode(timing) }) {
      case .inside: return item.cacheDecoded(frame)
      case .past: endPrefetch(at: host)
      case .again, nil: break
      }
      return .none
    case .streaming:
      return queue(frame, after: former, at: host)
    }
  }

  // MARK: - On the way

  private mutating func goOn(
    _ search: TargetSearch, with frame: any SourceFrame, at host: HostTime
  ) -> LaneWork.Next {
    guard !search.needsSeek else { return .none }
    let timing = frame.timing
    if shortenSearch(search, from: timing) { return .none }
    let isDiscarded = leadsToRest(search) && item.isTargetDiscarded(search, before: timing)
    switch item.decode.updateSearch({ $0.didDecode(timing, isDiscarded: isDiscarded, at: host) }) {
    case .found:
      return item.render(frame, .target)
    case .foundBefore:
      guard let former = item.decode.previous else { return .none }
      return item.render(former, .target)
    case .again, nil:
      return .none
    case .onTheWay:
      return previewOrCache(frame, at: host)
    }
  }

  /// Handles a frame on the way to another: it is previewed, cached or dropped.
  private mutating func previewOrCache(_ frame: any SourceFrame, at host: HostTime) -> LaneWork.Next {
    guard let search = item.decode.search else { return .none }
    let timing = frame.timing
    if wantsPreview(search, from: timing, at: host) {
      _ = item.decode.updateSearch { $0.didPreview() }
      previews.didShow(at: host)
      guard item.cachesNearer(than: timing, to: search.target), showPreviewFromCache(for: search.target, at: host) else {
        return item.render(frame, .preview)
      }
    }
    // A viewer who looks at a frame soon steps back from it.
    return search.purpose == .seek ? item.cacheDecoded(frame) : .none
  }

  /// Returns true if the display will rest at the target frame, which must therefore be exact.
  private func leadsToRest(_ search: TargetSearch) -> Bool {
    switch search.purpose {
    case .seek: true
    case .refresh: !clock.isRunning
    case .first, .loop, .resume: false
    }
  }

  // MARK: - For the queue

  private mutating func queue(_ frame: any SourceFrame, after former: FrameTiming?, at host: HostTime) -> LaneWork.Next {
    let timing = frame.timing
    if item.drops.discard != .nothing { item.countUndecoded(from: former, to: timing) }
    if isPastRange(timing) {
      endQueue(at: host)
      return .none
    }
    return admit(timing, at: host) ? item.render(frame, .queue) : .none
  }

  /// Takes into account how late a decoded frame is, to skip more or fewer frames from here on; returns false if it is too
  /// late to be shown.
  private mutating func admit(_ timing: FrameTiming, at host: HostTime) -> Bool {
    guard clock.countsLateFrames, item.passes.areTogether else {
      item.drops.stopDiscarding()
      return true
    }
    let media = clock.media(at: host)
    // If the places of keyframes are unknown, one may lie before the present.
    let isKeyAhead = item.timeline == nil || !item.leadsOn(from: timing, to: MediaTime(nanoseconds: media))
    let verdict = item.drops.decide(
      .init(
        late: Int64(saturating: Double(media - timing.endNanoseconds) / clock.rate), isKeyAhead: isKeyAhead,
        isStart: item.isRandomAccess(timing), queued: item.presentation.waiting.count), at: host)
    if verdict.jumps { item.check.wantRefresh(.jump(from: timing)) }
    if !verdict.isShown { item.statistics.noteDropped() }
    return verdict.isShown
  }

  /// Returns true if this player is behind because it shares the pool, so that all players should skip frames.
  func needsRelief(at host: HostTime) -> Bool {
    guard clock.isRunning, let last = item.decode.last else { return false }
    return item.drops.needsRelief(late: last.endNanoseconds < clock.media(at: host))
  }

  // MARK: - Rendered frames

  /// Handles rendered images of a frame; returns what to render next.
  mutating func didRender(_ frame: ScaledFrames, _ rendering: LaneWork.Rendering, at host: HostTime) -> LaneWork.Next {
    switch rendering.role {
    case .display:
      didRenderDisplayed(frame)
    case .cache:
      keep(frame)
    case .preview:
      if !item.decode.mayLackPart { keep(frame) }
      if seeks.isUnderWay, item.decode.search?.purpose == .seek { showPreview(frame) }
    case .queue:
      item.drops.didRender(at: host)
      guard item.decode.isCurrent(rendering.ticket) else {
        keep(frame)
        break
      }
      append(frame, successor: nil, at: host)
    case .target:
      item.drops.didRender(at: host)
      guard item.decode.isCurrent(rendering.ticket), let search = item.decode.search else {
        keep(frame)
        break
      }
      return didArrive(frame, rendering.frame, search, at: host)
    }
    return .none
  }

  /// Caches a frame that will not be shown next.
  private mutating func keep(_ frame: ScaledFrames) {
    setCacheFloor(for: frame)
    item.cache.insert(frame, successor: nil)
    if item.cache.count % 32 == 0 { noteCached() }
  }

  private mutating func didRenderDisplayed(_ frame: ScaledFrames) {
    // The requests may have changed meanwhile.
    guard item.cache.isCurrent(frame) else { return keep(frame) }
    item.presentation.replaceDisplayed(by: frame)
    wake(.display)
  }

  /// Handles the arrival of the target frame; returns what to render next.
  private mutating func didArrive(
    _ frame: ScaledFrames, _ decoded: any SourceFrame, _ search: TargetSearch, at host: HostTime
  ) -> LaneWork.Next {
    item.decode.stream()
    askForIndex()
    // The source may have decoded one more frame to find where this one ends.
    let next = item.decode.latest.flatMap { $0.timing.pts > frame.timing.pts ? $0 : nil }
    let successor = next.flatMap { item.isNext($0.timing, after: frame.timing) ? $0.timing.pts : nil }
    switch search.purpose {
    case .seek:
      land(frame, successor: successor, decoded: decoded, at: host)
    case .first, .refresh:
      if case .refresh(let jumpOrigin) = search.purpose { item.countUndecoded(from: jumpOrigin, to: frame.timing) }
      present(frame, successor: successor, decoded: decoded)
      updateClock(at: host)
      if isOvertaken(search, at: host) { item.check.wantRefresh() } else { checkStop() }
      // Steps that waited for a frame to count from.
      performSteps(at: host)
    case .loop:
      if item.passes.isDecoderBehind, cachesPass(like: frame) {
        keep(frame)
        beginPass()
        return next.map { item.cacheDecoded($0) } ?? .none
      }
      // The clock has started another pass meanwhile.
      item.passes.catchUp()
      append(frame, successor: successor, at: host)
    case .resume:
      // At the stream's end it is the last frame, which already waits or has been shown.
      let last = item.presentation.waiting.last?.timing
        ?? (item.passes.areTogether ? item.presentation.displayed?.timing : nil)
      if last.map({ $0.pts < frame.timing.pts }) ?? true { append(frame, successor: successor, at: host) }
    }
    enterReverse(at: host)
    guard let next else { return .none }
    if item.decode.isStreaming, isPastRange(next.timing) { endQueue(at: host) }
    return item.render(next, item.decode.isStreaming ? .queue : .cache)
  }

  /// Returns true if the clock has moved or reversed meanwhile to where the target frame is still to come.
  private func isOvertaken(_ search: TargetSearch, at host: HostTime) -> Bool {
    guard clock.isRunning else { return false }
    let time = currentTime(at: host)
    return clock.rate > 0 ? search.target > time : search.target < time
  }

  private mutating func append(_ frame: ScaledFrames, successor: MediaTime?, at host: HostTime) {
    let wasEmpty = item.presentation.waiting.isEmpty
    item.presentation.append(frame, successor: successor, pass: item.passes.decoded)
    if wasEmpty || pacing == .outputs { wake(.display) }
    noteCached()
    if seeks.pendingSteps > 0 { performSteps(at: host) }
  }

  // MARK: - The end of the data

  /// Handles the end of the source; returns what is still to be rendered.
  mutating func didReachEnd(isCutOff: Bool, at host: HostTime) -> LaneWork.Next {
    advance(to: host)
    if item.decode.isStreaming, item.mayLackLastFrames, item.canSeek, let last = item.decode.last,
      item.duration.isBehindAnnounced(last.endNanoseconds) {
      // Skipped frames may have followed, and the duration is unknown: retry without skipping.
      item.begin(TargetSearch(.resume, to: last.end).whole, pass: item.passes.decoded)
      return .none
    }
    let isDiscarded = item.decode.search.map { leadsToRest($0) && item.isTargetDiscarded($0, before: nil) } ?? false
    if !isDiscarded { noteEnd(isCutOff: isCutOff) }
    switch item.decode.phase {
    case .idle, .ended, .detached:
      return .none
    case .prefetching(let prefetch):
      if !prefetch.needsSeek, item.decode.updatePrefetch({ $0.didReachEnd() }) != true { endPrefetch(at: host) }
      return .none
    case .streaming:
      endQueue(at: host)
      lookAgainBeforeEnd(at: host)
      wake([.observers, .display])
      return .none
    case .searching(let search):
      guard !search.needsSeek else { return .none }
      guard let verdict = item.decode.updateSearch({ $0.didReachEnd(isDiscarded: isDiscarded) }) ?? nil else {
        return .fail(.nothingDecodable)
      }
      guard verdict == .found, let last = item.decode.latest else { return .none }
      return item.render(last, .target)
    }
  }

  private mutating func noteEnd(isCutOff: Bool) {
    // In fast reverse playback, the last frame decoded need not be the last one.
    if item.discardsGoingBack || (item.decode.prefetch != nil && item.decode.mayLackFrames) { return }
    guard var end = item.decode.last?.endNanoseconds else { return }
    // The displayed frame exists, whatever the timestamps after it say.
    if let displayed = item.presentation.displayed?.timing, end <= displayed.ptsNanoseconds { end = displayed.endNanoseconds }
    clock.report(item.duration.note(end: end, isGuess: item.mayLackLastFrames, isCutOff: isCutOff))
    wake([.observers, .display])
  }

  /// If all frames up to the end were skipped to save time, nothing would be seen until then.
  private mutating func lookAgainBeforeEnd(at host: HostTime) {
    let media = clock.media(at: host)
    guard item.drops.discard != .nothing, clock.isRunning, item.passes.areTogether, let end = item.duration.knownEnd,
      media + DropPolicy.maxLatenessForReferences < end, let last = item.decode.last
    else { return }
    // If all remaining frames are before the clock there is no other way, however recently it was tried.
    let newest = item.presentation.waiting.last?.timing ?? item.presentation.displayed?.timing
    let isBehind = newest.map { $0.endNanoseconds <= media } ?? false
    if isBehind || item.drops.tryJump(at: host) { item.check.wantRefresh(.jump(from: last)) }
  }

  /// Notes that the last frame of the data has been rendered.
  mutating func endWasRendered(at host: HostTime) {
    guard item.decode.isStreaming else { return }
    endQueue(at: host)
    updateClock(at: host)
  }

  /// Ends the queue: steps that waited for its frames go elsewhere.
  private mutating func endQueue(at host: HostTime) {
    item.decode.finish(.source)
    performSteps(at: host)
  }
}
