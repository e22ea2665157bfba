/// The steps of the lane.
extension ItemPlayback {
  /// Decides what the lane does next.
  mutating func nextWork(_ clock: ClockView, at host: HostTime) -> LaneWork.Kind {
    switch decode.phase {
    case .idle:
      return .nothing
    case .searching, .prefetching:
      return goOnTheWay()
    case .streaming:
      break
    case .detached:
      return prefetchGoingBack(clock) || beginFill(clock) ? goOnTheWay() : .nothing
    case .ended:
      return startNextPass(clock) || beginFill(clock) ? goOnTheWay() : .nothing
    }
    if passes.isDecoderBehind {
      // The clock has started the next pass before the decoder.
      if startNextPass(clock) { return goOnTheWay() }
      // All of it waits, from the cache.
      if !decode.isStreaming { return .nothing }
    }
    dropSuperseded(clock, at: host)
    guard !presentation.isFull else { return beginFill(clock) ? goOnTheWay() : .nothing }
    return decodeNext(drops.discard)
  }

  /// Decodes the next frame, of those that are not skipped.
  private mutating func decodeNext(_ discard: DiscardLevel) -> LaneWork.Kind {
    if discard != .nothing { decode.willDiscard() }
    return .decode(discard)
  }

  /// Sends the source to a frame to display, without skipping frames on the way.
  mutating func begin(_ search: TargetSearch, pass: Int) {
    // This may leave decoding ahead for reverse playback unfinished.
    fill.forgetLookAhead()
    passes.decode(pass)
    decode.search(search)
    drops.stopDiscarding()
  }

  /// Decodes for the queue from a place: from `last`, if the source still holds what follows it.
  mutating func resume(at place: MediaTime, from last: FrameTiming?, pass: Int) {
    var search = TargetSearch(.resume, to: place)
    if let last { search.decodeOn(from: last) }
    begin(search, pass: pass)
  }

  /// Returns the last frame decoded for the queue after the displayed one.
  func lastDecoded(behind displayed: FrameTiming) -> FrameTiming? {
    guard decode.isStreaming || decode.end == .source, passes.areTogether else { return nil }
    return decode.last.flatMap { $0.pts > displayed.pts ? $0 : nil }
  }

  // MARK: - On the way

  /// Returns the next step on the way of a search or prefetch: the source's move, if one is due, else decoding.
  private mutating func goOnTheWay() -> LaneWork.Kind {
    if let move = decode.move {
      decode.willMove()
      return .move(move)
    }
    switch decode.phase {
    case .searching(let search):
      return mayDiscard(on: search) ? .decodeOnTheWay : .decode(.nothing)
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
  private func mayDiscard(on search: TargetSearch) -> Bool {
    guard info?.canSkipNonReference == true, let timeline, let target = discardingTarget(of: search)
    else { return false }
    let present = decode.last.map { timeline.frameNumber(at: $0.pts) } ?? timeline.randomAccessFrame(for: target)
    return target - present > Self.wholeBeforeTarget
  }

  /// Returns the number of the target frame, if frames before it may be skipped.
  private func discardingTarget(of search: TargetSearch) -> Int? {
    guard search.purpose == .seek, !search.mustBeWhole else { return nil }
    return timeline?.knownFrame(at: search.target)
  }

  /// Returns true if decoding from the last frame reaches the target soon.
  func comesSoon(after last: FrameTiming, to target: MediaTime) -> Bool {
    let isHere =
      switch decode.phase {
      case .detached, .streaming, .ended(.cachedPass): true
      case .idle, .searching, .prefetching, .ended(.source): false
      }
    return isHere && drops.discard == .nothing && leadsOn(from: last, to: target)
  }

  // MARK: - The queue

  /// Makes room for newer frames if the display does not take the due ones.
  private mutating func dropSuperseded(_ clock: ClockView, at host: HostTime) {
    guard clock.isRunning, presentation.waiting.count >= PresentationQueue.capacity else { return }
    let media = clock.media(at: host)
    while presentation.waiting.count >= 2,
      presentation.waiting[0].pass < passes.played
        || (presentation.waiting[1].pass == passes.played && presentation.waiting[1].timing.ptsNanoseconds <= media) {
      presentation.removeFirst(1)
      statistics.noteDropped()
    }
  }

  /// Returns when the waiting frames run out.
  func deadline(_ clock: ClockView, at host: HostTime) -> HostTime {
    switch decode.phase {
    case .prefetching(let prefetch):
      if prefetch.reason == .filling { return host + 2_000_000_000 }
      guard clock.rate < 0, clock.isRunning, let displayed = presentation.displayed else { return host }
      let start = cache.contiguousFrames(before: displayed.timing.pts).start.nanoseconds ?? 0
      return clock.timebase.host(for: start) ?? host
    case .searching(let search):
      guard search.purpose == .resume, let last = presentation.waiting.last else { return host }
      return clock.timebase.host(for: last.timing.endNanoseconds) ?? host
    case .idle, .streaming, .ended, .detached: break
    }
    guard let last = presentation.waiting.last else { return host }
    // Paused panes fill up with the lowest priority.
    guard clock.isRunning else { return clock.pacing == .outputs || clock.buffering != nil ? host : host + 1_000_000_000 }
    if last.pass != passes.played { return host + 500_000_000 }
    return clock.timebase.host(for: last.timing.endNanoseconds) ?? host
  }
}
