/// Rate, loop and the passing of time.
extension PlayerCore {
  mutating func setRate(_ rate: Double, at host: HostTime) {
    advance(to: host)
    guard rate != clock.rate else { return }
    changeRate(to: rate, at: host)
    turn(at: host)
    updateClock(at: host)
    wake([.lane, .display, .observers])
  }

  /// Makes the clock show `media` at `anchor` and run at `rate`.
  mutating func setRate(_ rate: Double, media: Int64?, anchor: HostTime, at host: HostTime) {
    advance(to: host)
    let isOther = rate != clock.rate
    if isOther { changeRate(to: rate, at: host) }
    let isJump = clock.isJump(to: media.map(item.clamped), host: anchor)
    // If playback goes elsewhere, frames cached here are of no use.
    if isOther, !isJump { turn(at: host) }
    if isJump { clock.leaveEnd() }
    perform(clock.anchor(at: media.map(item.clamped), host: anchor, hold))
    if isJump { clock.report(.timeJumped(currentTime(at: host))) }
    if isJump, item.presentation.displayed != nil {
      if item.isReady, !seeks.isUnderWay { flushForJump() } else { item.check.wantRefresh() }
    }
    wake([.lane, .display, .observers])
  }

  private mutating func changeRate(to rate: Double, at host: HostTime) {
    // A late display in reverse playback rests where the clock does.
    if clock.rate < 0 { _ = showEarlier(at: host, mayCatchUp: false) }
    setClockRate(rate, at: host)
    // Steps that still waited for their frames would come in the middle of playback.
    if rate != 0 { seeks.dropSteps() }
    // The clock has started the next pass and now rests, so no further pass is decoded.
    if rate <= 0, item.passes.isDecoderBehind, item.presentation.displayed != nil { item.check.wantRefresh() }
  }

  /// Adopts the direction of a new rate, at the current time.
  private mutating func turn(at host: HostTime) {
    if clock.rate < 0, isDisplayFarBehind(at: host) { flushForJump() }
    takeDirection(at: host)
  }

  /// Returns true if frames have come so late that going back would show none for a while: the present one comes first then.
  private func isDisplayFarBehind(at host: HostTime) -> Bool {
    guard pacing == .clock, item.isReady, !seeks.isUnderWay, let displayed = item.presentation.displayed, let end = displayed.end.clockNanoseconds,
      !item.duration.isAtEnd(displayed.end)
    else { return false }
    return clock.media(at: host) > end + DropPolicy.maxLatenessForReferences
  }

  /// Starts playback in its direction: from the cached frames, or back over them.
  mutating func takeDirection(at host: HostTime) {
    leaveCache(at: host)
    enterReverse(at: host)
  }

  /// Sets the rate, and cancels decisions for the previous direction.
  private mutating func setClockRate(_ rate: Double, at host: HostTime) {
    clock.setRate(rate)
    if rate >= 0 { item.cache.setFloor(0) }
    item.fill.didStop(at: host)
    item.fill.forgetLookAhead()
    item.drops.stopDiscardingGoingBack()
    item.check.didCheck(at: nil)
  }

  /// Stops playback at its end.
  mutating func stopPlaying(at host: HostTime) { setClockRate(0, at: host) }

  /// Returns the number of the next entry of the observers' log.
  mutating func markLog() -> Int { clock.markLog() }

  /// Takes everything that has happened since the last call.
  mutating func drainLog() -> [TimeLog.Entry] { clock.drainLog() }

  mutating func setDefaultRate(_ rate: Double) { clock.setDefaultRate(rate) }

  /// Keeps the clock from starting, for players that start together.
  mutating func beginGroupHold(_ hold: GroupHold, at host: HostTime) {
    advance(to: host)
    clock.beginGroupHold(hold)
    updateClock(at: host)
    wake([.display, .observers])
  }

  /// Starts the clock, anchored at `host`, unless a newer hold has replaced this one.
  mutating func endGroupHold(_ hold: GroupHold, at host: HostTime) {
    advance(to: host)
    guard clock.endGroupHold(hold) else { return }
    updateClock(at: host)
    wake([.display, .observers])
  }

  /// Turns untimed mode on, or off again, continuing from the frame taken last.
  mutating func setUntimed(_ untimed: Bool, at host: HostTime) {
    advance(to: host)
    guard untimed != clock.isUntimed else { return }
    if untimed { leaveClock(at: host) }
    let present = clock.isUntimed ? item.presentation.displayed?.timing.pts : nil
    clock.setUntimed(untimed)
    perform(clock.goOn(from: seeks.isUnderWay ? nil : present, hold, at: host))
    finishSeekWhileHidden(at: host)
    takeDirection(at: host)
    wake([.lane, .display, .observers])
  }

  /// Leaves the clock: from here on only frames tell the time, and there are no passes. Displayed and waiting frames must
  /// be of the current one.
  private mutating func leaveClock(at host: HostTime) {
    guard item.isReady else { return }
    if item.passes.isDecoderAhead { dropNextPass() }
    guard item.canSeek, !seeks.isUnderWay, isDisplayOutdated || item.passes.isDecoderBehind || !outputs.isVisible else { return }
    seekToPresent(at: host)
  }

  /// Handles a change of the loop's range or of the action at the end, which may invalidate what was decoded ahead.
  mutating func setLoop(range: TimeRange?, action: ActionAtItemEnd, at host: HostTime) {
    advance(to: host)
    guard range != clock.loop.range || action != clock.actionAtItemEnd else { return }
    // The frame after the range's end, at which the decoder has stopped.
    let cut = item.decode.end == .source ? item.decode.last.flatMap { isPastRange($0) ? $0 : nil } : nil
    clock.setLoop(range: range, action: action)
    if clock.isRunning { updateClock(at: host) }
    switch loopChange(cutAt: cut) {
    case .none: break
    case .dropPass: dropPrefetch()
    case .cutPass: cutPass()
    case .decodeOn(let place, let last): item.resume(at: place, from: last, pass: item.passes.decoded)
    case .decodeAnew: item.check.wantRefresh()
    }
    wake([.lane, .observers])
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
    /// What waits is not what comes next.
    case decodeAnew
  }

  /// Returns the consequence of the loop that has just been set.
  ///
  /// - Parameter cut: the frame after the former end, at which the decoder has stopped; nil if it has not.
  private func loopChange(cutAt cut: FrameTiming?) -> LoopChange {
    if item.decode.prefetch?.reason == .pass { return .dropPass }
    let isQueuePast = item.presentation.waiting.contains { isPastRange($0.timing) }
    // The waiting frames are the ones that come next.
    if item.check.refresh == nil, item.passes.areTogether {
      if isQueuePast {
        if item.decode.isStreaming || item.decode.search?.purpose == .resume { return .cutPass }
      } else if let cut, !isPastRange(cut), clock.actionAtItemEnd != .loop {
        return .decodeOn(from: cut.pts, last: cut)
      } else if item.decode.end == .cachedPass, let end = item.presentation.waiting.last?.end ?? item.presentation.displayed?.end,
        end.nanoseconds ?? 0 < playEnd ?? .max {
        return .decodeOn(from: end, last: item.decode.last.flatMap { item.comesSoon(after: $0, to: end) ? $0 : nil })
      }
    }
    if !item.passes.areTogether || isQueuePast || item.decode.end == .cachedPass { return .decodeAnew }
    // The decoder may be at the end of a former range.
    let isAtItemEnd = item.decode.last.map { item.duration.isAtEnd($0.end) } ?? false
    return item.decode.end == .source && (clock.loop.range != nil || !isAtItemEnd) ? .decodeAnew : .none
  }

  /// Changes only what follows the loop's end.
  mutating func setLoopLimit(_ limit: Int?, at host: HostTime) {
    advance(to: host)
    guard limit != clock.loop.limit else { return }
    clock.setLoopLimit(limit)
    if item.passes.isDecoderAhead, !clock.loop.hasTurnLeft { dropNextPass() }
    wake([.lane, .observers])
  }

  /// The maximum number of loop repeats at a time; more mean a loop too short to be seen.
  private static let maxTurns = 1000

  /// Handles everything that the clock has passed: the end, or the loop's repeat.
  mutating func advance(to host: HostTime) {
    if clock.buffering == .lastFrames { endWaitForLastFrames(at: host) }
    guard clock.isRunning else { return }
    if clock.rate < 0 { return advanceBackwards(to: host) }
    for _ in 0..<Self.maxTurns {
      if let end = waitingEnd, end < playEnd ?? .max, clock.media(at: host) >= end { return waitForLastFrames(at: end, by: host) }
      guard let end = playEnd, clock.media(at: host) >= end else { break }
      // A loop set before the current time is entered from there.
      let hostAtEnd = clock.host(passing: end, by: host)
      let isItemEnd = itemEnd.map { end >= $0 } ?? false
      let turnsTo = clock.loop.hasTurnLeft ? loopStart.flatMap { $0 < end ? $0 : nil } : nil
      if turnsTo == nil, isItemEnd, lacksFrames(before: end) { return waitForLastFrames(at: end, by: host) }
      clock.didReach(end: end, isItemEnd: isItemEnd)
      guard let start = turnsTo else {
        return stop(atEnd: end, isItemEnd: isItemEnd, hostAtEnd: hostAtEnd, at: host)
      }
      clock.turn(to: start, at: hostAtEnd)
      item.passes.turn()
      wake([.observers, .lane])
    }
    guard clock.isRunning else { return }
    clock.notePassage(at: host)
    if clock.actionAtItemEnd == .advance, loopStart == nil || !clock.loop.hasTurnLeft, isEndNear(at: host) { wake(.openNext) }
  }

  // MARK: - Late frames at the end

  /// Makes the clock wait at the end, so that playback has not ended before its last frame is displayed.
  private mutating func waitForLastFrames(at end: Int64, by host: HostTime) {
    let hostAtEnd = clock.host(passing: end, by: host)
    clock.setBuffering(.lastFrames)
    perform(clock.wait(atEnd: end, .buffering, at: hostAtEnd))
    wake([.lane, .display, .observers])
  }

  /// Lets the clock run again once nothing is left to wait for; it then finds the end, or data after the announced one.
  private mutating func endWaitForLastFrames(at host: HostTime) {
    let place = clock.timebase.anchorMedia
    if waitingEnd == nil, item.duration.knownEnd.map({ $0 > place || !lacksFrames(before: $0) }) ?? true {
      return setBuffering(nil, at: host)
    }
    // Frames that were skipped, or that a change of outputs left out, are decoded now.
    guard !item.decode.isStreaming, !item.decode.isOnTheWay, item.check.refresh == nil, item.check.checkedAt != place else { return }
    item.check.didCheck(at: place)
    item.check.wantRefresh()
    wake(.lane)
  }

  /// Returns true if the last frame before the end of the item is still to be decoded, for outputs that wait for it.
  private func lacksFrames(before end: Int64) -> Bool {
    guard pacing == .clock, item.isReady, item.newestEnd ?? .min < end else { return false }
    // After a second attempt, there is nothing more to come.
    return item.decode.isStreaming || item.decode.isOnTheWay || item.check.refresh != nil || item.check.checkedAt != clock.timebase.anchorMedia
  }

  /// The time in nanoseconds before its start at which the next item is opened: enough for a slow disk.
  private static let openingTime: HostTime = 10_000_000_000

  /// Returns true if it is time to open the next item; if the end is unknown, it may come at any time.
  private func isEndNear(at host: HostTime) -> Bool {
    guard let end = [playEnd, item.duration.expectedEnd].compactMap({ $0 }).min(), let endHost = clock.timebase.host(for: end) else {
      return true
    }
    return endHost - host <= Self.openingTime
  }

  /// Handles the end of everything to be played.
  mutating func endPlaying(at host: HostTime) {
    if clock.actionAtItemEnd == .advance {
      wake(.nextItem)
    } else {
      stopPlaying(at: host)
    }
  }

  private mutating func stop(atEnd end: Int64, isItemEnd: Bool, hostAtEnd: HostTime, at host: HostTime) {
    endPlaying(at: host)
    perform(clock.stop(atEnd: end, isItemEnd: isItemEnd, hold, at: hostAtEnd))
    // If the last frames were skipped, the very last is still to be shown.
    wake([.observers, .display, .lane])
  }

  /// Moves reverse playback to the beginning, or around the loop.
  private mutating func advanceBackwards(to host: HostTime) {
    let start = playStart
    guard clock.media(at: host) <= start else { return clock.notePassage(at: host) }
    let hostAtStart = clock.host(passing: start, by: host)
    // Not without the frame shown there.
    _ = showEarlier(at: hostAtStart, mayCatchUp: false)
    if clock.buffering != nil { return }
    clock.didReach(start: start)
    if loopStart == start, clock.loop.hasTurnLeft, let end = playEnd ?? item.duration.expectedEnd, end > start {
      clock.countTurn()
      startSeek(SeekRequest(target: MediaTime(nanoseconds: end - 1), askedAt: host, isOwn: true), at: hostAtStart)
      return
    }
    stopPlaying(at: host)
    perform(clock.stop(atStart: start, hold, at: hostAtStart))
    // The lane checks that the frame shown there is on display.
    wake([.lane, .observers, .display])
  }
}
