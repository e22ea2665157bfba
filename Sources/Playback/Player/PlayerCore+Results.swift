/// Handling of the lane's results.
extension PlayerCore {
  /// Notes that the source has performed the last `.seek` or `.rewind`.
  mutating func didMove(_ landing: SeekLanding, _ ticket: Ticket) { item.didMove(landing, ticket) }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail(_ ticket: Ticket) { item.moveDidFail(ticket) }

  /// Notes that the next step skips frames.
  mutating func willDiscard() { item.decode.willDiscard() }

  // MARK: - Decoded frames

  /// Handles a decoded frame; returns what to render.
  ///
  /// - Parameter isReliefWanted: true if another player that shares the pool is behind for lack of threads.
  mutating func didDecode(
    _ frame: any SourceFrame, isReliefWanted: Bool, at host: HostTime
  ) -> LaneWork.Next {
    advance(to: host)
    item.drops.setReliefWanted(isReliefWanted)
    let former = item.note(frame, clockView)
    let timing = frame.timing
    switch item.decode.phase {
    case .idle, .ended, .detached:
      return .none
    case .searching(let search):
      switch item.search(search, met: timing, clockView, at: host) {
      case .found: return item.render(frame, .target)
      case .foundBefore: return item.decode.previous.map { item.render($0, .target) } ?? .none
      case .onTheWay: return previewOrCache(frame, at: host)
      case .again, nil: return .none
      }
    case .prefetching(let prefetch):
      guard !prefetch.needsSeek else { return .none }
      switch item.decode.updatePrefetch({ $0.didDecode(timing) }) {
      case .inside: return item.cacheDecoded(frame)
      case .past: endPrefetch(at: host)
      case .again, nil: break
      }
      return .none
    case .streaming:
      if item.drops.discard != .nothing { item.countUndecoded(from: former, to: timing) }
      if item.isPastRange(timing, clockView) {
        endQueue(at: host)
        return .none
      }
      return item.admit(timing, clockView, at: host) ? item.render(frame, .queue) : .none
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

  /// Returns true if this player is behind because it shares the pool, so that all players should skip frames.
  func needsRelief(at host: HostTime) -> Bool { item.needsRelief(clockView, at: host) }

  // MARK: - Rendered frames

  /// Handles rendered images of a frame; returns what to render next.
  mutating func didRender(_ frame: ScaledFrames, _ rendering: LaneWork.Rendering, at host: HostTime) -> LaneWork.Next {
    switch rendering.role {
    case .display:
      if !item.replaceDisplayed(by: frame) { keep(frame) }
    case .cache:
      keep(frame)
    case .preview:
      if !item.decode.mayLackPart { keep(frame) }
      if seeks.isUnderWay, item.decode.search?.purpose == .seek { item.showPreview(frame) }
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
    item.keep(frame, clockView)
    if item.cache.count % 32 == 0 { noteCached() }
  }

  /// Handles the arrival of the target frame; returns what to render next.
  private mutating func didArrive(
    _ frame: ScaledFrames, _ decoded: any SourceFrame, _ search: TargetSearch, at host: HostTime
  ) -> LaneWork.Next {
    item.decode.stream()
    askForIndex()
    let (next, successor) = item.decodedAfter(frame.timing)
    switch search.purpose {
    case .seek:
      land(frame, successor: successor, decoded: decoded, at: host)
    case .first, .refresh:
      if case .refresh(let jumpOrigin) = search.purpose { item.countUndecoded(from: jumpOrigin, to: frame.timing) }
      item.present(frame, successor: successor, decoded: decoded, clockView)
      updateClock(at: host)
      if isOvertaken(search, at: host) { item.check.wantRefresh() } else { item.checkStop(clockView) }
      // Steps that waited for a frame to count from.
      performSteps(at: host)
    case .loop:
      if item.passes.isDecoderBehind, item.cachesPass(like: frame, clockView) {
        keep(frame)
        item.beginPass(clockView)
        return next.map { item.cacheDecoded($0) } ?? .none
      }
      // The clock has started another pass meanwhile.
      item.passes.catchUp()
      append(frame, successor: successor, at: host)
    case .resume:
      if item.comesNext(frame.timing) { append(frame, successor: successor, at: host) }
    }
    enterReverse(at: host)
    guard let next else { return .none }
    if item.decode.isStreaming, item.isPastRange(next.timing, clockView) { endQueue(at: host) }
    return item.render(next, item.decode.isStreaming ? .queue : .cache)
  }

  /// Returns true if the clock has moved or reversed meanwhile to where the target frame is still to come.
  private func isOvertaken(_ search: TargetSearch, at host: HostTime) -> Bool {
    guard clock.isRunning else { return false }
    let time = currentTime(at: host)
    return clock.rate > 0 ? search.target > time : search.target < time
  }

  private mutating func append(_ frame: ScaledFrames, successor: MediaTime?, at host: HostTime) {
    item.append(frame, successor: successor, clockView)
    noteCached()
    endStall(at: host)
    followEdge(at: host)
    if seeks.pendingSteps > 0 { performSteps(at: host) }
  }

  // MARK: - The end of the data

  /// Handles the end of the source; returns what is still to be rendered.
  mutating func didReachEnd(isCutOff: Bool, at host: HostTime) -> LaneWork.Next {
    advance(to: host)
    if item.lookBehindLast() { return .none }
    let isDiscarded = item.isTargetDiscardedAtEnd(clockView)
    if !isDiscarded { clock.report(item.noteEnd(isCutOff: isCutOff)) }
    switch item.decode.phase {
    case .idle, .ended, .detached:
      return .none
    case .prefetching(let prefetch):
      if !prefetch.needsSeek, item.decode.updatePrefetch({ $0.didReachEnd() }) != true { endPrefetch(at: host) }
      return .none
    case .streaming:
      endQueue(at: host)
      item.lookAgainBeforeEnd(clockView, at: host)
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

  /// Notes that the last frame of the data has been rendered.
  mutating func endWasRendered(at host: HostTime) {
    guard item.decode.isStreaming else { return }
    endQueue(at: host)
    updateClock(at: host)
  }

  /// Ends the queue: steps that waited for its frames go elsewhere.
  private mutating func endQueue(at host: HostTime) {
    item.decode.finish(.source)
    endStall(at: host)
    performSteps(at: host)
  }
}
