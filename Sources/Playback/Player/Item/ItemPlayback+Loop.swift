/// The passes of a loop: what is decoded for them, and what is played from the cache.
extension ItemPlayback {
  // MARK: - The next pass

  /// Queues the loop's next pass, if there is one and all of it is cached, else sends the source there. Returns true if the
  /// source must move.
  mutating func startNextPass(_ clock: ClockView) -> Bool {
    let bounds = bounds(clock)
    guard let start = bounds.loopStart, clock.rate > 0, clock.pacing != .outputs, !passes.isDecoderAhead else { return false }
    // The clock's own pass has started, even if it is the last.
    guard passes.isDecoderBehind || clock.loop.hasTurnLeft else { return false }
    if let end = bounds.end, end <= start { return false }
    let target = MediaTime(nanoseconds: start)
    // The frames between are over.
    let pass = passes.next
    if let end = bounds.end, queuePassFromCache(pass, from: target, to: end) {
      passes.decode(pass)
      decode.finish(.cachedPass)
      return false
    }
    begin(TargetSearch(.loop, to: target), pass: pass)
    return true
  }

  /// Queues a loop's next pass from the cache, if all of it is cached. Returns true if it did.
  private mutating func queuePassFromCache(_ pass: Int, from start: MediaTime, to end: Int64) -> Bool {
    cacheDisplayed()
    copyQueueToCache()
    guard let first = cache.entry(holding: start) else { return false }
    let run = cache.contiguousFrames(from: first.timing.pts, limit: .max)
    guard let knownEnd = run.knownEnd, knownEnd >= end else { return false }
    queueCached(run, pass: pass, before: end)
    return true
  }

  /// Returns true if all of a loop's pass fits into the memory, of frames like one.
  func cachesPass(like frame: ScaledFrames, _ clock: ClockView) -> Bool {
    let bounds = bounds(clock)
    guard clock.goesOn, let start = bounds.loopStart, let end = bounds.passEnd else { return false }
    return frame.timing.frameCount(in: Double(end - start) / 1e9) + 2 <= Double(cacheCapacity)
  }

  /// Decodes a whole loop pass, at the start of which the source is, to play it from memory.
  mutating func beginPass(_ clock: ClockView) {
    guard let end = bounds(clock).passEnd else { return }
    detach()
    var prefetch = Prefetch(.pass, to: Self.tickBefore(MediaTime(nanoseconds: end)))
    prefetch.decodeOn()
    begin(prefetch)
  }

  // MARK: - The end of a pass

  /// Notes that the rest of the clock's own pass is waiting.
  mutating func endPass() {
    fill.forgetLookAhead()
    passes.rejoin()
    decode.finish(.cachedPass)
    wake(.lane)
  }

  /// Abandons a loop's next pass, none of which will be shown.
  mutating func dropNextPass() {
    let pass = passes.played
    copyQueueToCache()
    presentation.removeWaiting { $0.pass > pass }
    endPass()
  }

  // MARK: - Another loop

  /// Returns the frame after the loop's end, at which the decoder has stopped; nil if it has not.
  func frameAfterLoop(_ clock: ClockView) -> FrameTiming? {
    guard decode.end == .source, let last = decode.last, isPastRange(last, clock) else { return nil }
    return last
  }

  /// Adapts what has been decoded ahead to another loop.
  ///
  /// - Parameter cut: the frame after the former end, at which the decoder has stopped; nil if it has not.
  mutating func loopDidChange(cutAt cut: FrameTiming?, _ clock: ClockView) {
    switch loopChange(cutAt: cut, clock) {
    case .none: break
    case .dropPass: dropPrefetch(clock)
    case .cutPass: cutPass(clock)
    case .decodeOn(let place, let last): resume(at: place, from: last, pass: passes.decoded)
    case .decodeAnew: check.wantRefresh()
    }
  }

  /// The consequence of another loop for what has been decoded ahead.
  private enum LoopChange {
    case none
    /// The pass being decoded for the cache is not played.
    case dropPass
    /// The rest of what waits lies after the new end.
    case cutPass
    /// Playback continues after what waits, from a place; `last` is the frame that the source still holds before it.
    case decodeOn(from: MediaTime, last: FrameTiming?)
    /// The frame that waits is not the one that comes next.
    case decodeAnew
  }

  /// Returns the consequence of the loop that has just been set.
  private func loopChange(cutAt cut: FrameTiming?, _ clock: ClockView) -> LoopChange {
    if decode.prefetch?.reason == .pass { return .dropPass }
    let bounds = bounds(clock)
    let isQueuePast = presentation.waiting.contains { bounds.isPastRange($0.timing) }
    // The waiting frames are the ones that come next.
    if check.refresh == nil, passes.areTogether {
      if isQueuePast {
        if decode.isStreaming || decode.search?.purpose == .resume { return .cutPass }
      } else if let cut, !bounds.isPastRange(cut), clock.actionAtItemEnd != .loop {
        return .decodeOn(from: cut.pts, last: cut)
      } else if decode.end == .cachedPass, let end = presentation.waiting.last?.end ?? presentation.displayed?.end,
        end.nanoseconds ?? 0 < bounds.end ?? .max {
        return .decodeOn(from: end, last: decode.last.flatMap { comesSoon(after: $0, to: end) ? $0 : nil })
      }
    }
    if !passes.areTogether || isQueuePast || decode.end == .cachedPass { return .decodeAnew }
    // The decoder may be at the end of a former range.
    let isAtItemEnd = decode.last.map { duration.isAtEnd($0.end) } ?? false
    return decode.end == .source && (clock.loop.range != nil || !isAtItemEnd) ? .decodeAnew : .none
  }

  /// Moves frames after a loop's new end to the cache, so that the pass ends there.
  private mutating func cutPass(_ clock: ClockView) {
    copyQueueToCache()
    if let end = bounds(clock).end { presentation.removeWaiting { $0.timing.ptsNanoseconds >= end } }
    endPass()
  }
}
