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
      if item.isReady, !seeks.isUnderWay { item.flushForJump(clockView) } else { item.check.wantRefresh() }
    }
    wake([.lane, .display, .observers])
  }

  /// Shifts the clock by a few frames while it runs forward; see `Player.shift(by:)`.
  mutating func shift(by nanoseconds: Int64, at host: HostTime) {
    advance(to: host)
    guard clock.isRunning, clock.rate > 0, !seeks.isUnderWay else { return }
    clock.shift(by: nanoseconds, at: host)
    wake([.lane, .display, .observers])
  }

  private mutating func changeRate(to rate: Double, at host: HostTime) {
    // A late display in reverse playback rests where the clock does.
    if clock.rate < 0 { _ = showEarlier(at: host, mayCatchUp: false) }
    setClockRate(rate, at: host)
    noteChosenTime(at: host)
    // Steps that still waited for their frames would come in the middle of playback.
    if rate != 0 { seeks.dropSteps() }
    // The clock has started the next pass and now rests, so no further pass is decoded.
    if rate <= 0, item.passes.isDecoderBehind, item.presentation.displayed != nil { item.check.wantRefresh() }
  }

  /// Adopts the direction of a new rate, at the current time.
  private mutating func turn(at host: HostTime) {
    if clock.rate < 0, item.isDisplayFarBehind(clockView, at: host) { item.flushForJump(clockView) }
    takeDirection(at: host)
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

  /// Sets the clock back by the media time that it covers in a host time, to where another player is.
  mutating func setBack(by time: HostTime, at host: HostTime) {
    advance(to: host)
    guard clock.rate != 0, !seeks.isUnderWay, pacing == .clock else { return }
    clock.setBack(by: time, at: host)
    wake([.lane, .display, .observers])
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
    if item.passes.isDecoderAhead { item.dropNextPass() }
    guard item.canSeek, !seeks.isUnderWay, item.isDisplayOutdated || item.passes.isDecoderBehind || !outputs.isVisible
    else { return }
    seekToPresent(at: host)
  }

  /// Handles a change of the loop's range or of the action at the end, which may invalidate what was decoded ahead.
  mutating func setLoop(range: TimeRange?, action: ActionAtItemEnd, at host: HostTime) {
    advance(to: host)
    guard range != clock.loop.range || action != clock.actionAtItemEnd else { return }
    let cut = item.frameAfterLoop(clockView)
    clock.setLoop(range: range, action: action)
    if clock.isRunning { updateClock(at: host) }
    item.loopDidChange(cutAt: cut, clockView)
    wake([.lane, .observers])
  }

  /// Changes only what follows the loop's end.
  mutating func setLoopLimit(_ limit: Int?, at host: HostTime) {
    advance(to: host)
    guard limit != clock.loop.limit else { return }
    clock.setLoopLimit(limit)
    if item.passes.isDecoderAhead, !clock.loop.hasTurnLeft { item.dropNextPass() }
    wake([.lane, .observers])
  }

  /// The maximum number of loop repeats at a time; more mean a loop too short to be seen.
  private static let maxTurns = 1000

  /// Handles everything that the clock has passed: the end, or the loop's repeat.
  mutating func advance(to host: HostTime) {
    if clock.buffering == .lastFrames { endWaitForLastFrames(at: host) }
    guard clock.isRunning else { return }
    if clock.rate < 0 { return advanceBackwards(to: host) }
    if stallIfStarved(at: host) { return }
    for _ in 0..<Self.maxTurns {
      let bounds = bounds
      if let end = bounds.waitingEnd, end < bounds.end ?? .max, clock.media(at: host) >= end {
        return waitForLastFrames(at: end, by: host)
      }
      guard let end = bounds.end, clock.media(at: host) >= end else { break }
      // A loop set before the current time is entered from there.
      let hostAtEnd = clock.host(passing: end, by: host)
      let isItemEnd = bounds.itemEnd.map { end >= $0 } ?? false
      let turnsTo = clock.loop.hasTurnLeft ? bounds.loopStart.flatMap { $0 < end ? $0 : nil } : nil
      if turnsTo == nil, isItemEnd, item.lacksFrames(before: end, clockView) { return waitForLastFrames(at: end, by: host) }
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
    let turnsBack = bounds.loopStart != nil && clock.loop.hasTurnLeft
    if clock.actionAtItemEnd == .advance, !turnsBack, item.isEndNear(clockView, at: host) { wake(.openNext) }
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
    if item.isDoneWaiting(clockView) { setBuffering(nil, at: host) } else { item.lookForLastFrames(clockView) }
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
    let bounds = bounds
    let start = bounds.start
    guard clock.media(at: host) <= start else { return clock.notePassage(at: host) }
    let hostAtStart = clock.host(passing: start, by: host)
    // Not without the frame shown there.
    _ = showEarlier(at: hostAtStart, mayCatchUp: false)
    if clock.buffering != nil { return }
    clock.didReach(start: start)
    if bounds.loopStart == start, clock.loop.hasTurnLeft, let end = bounds.end ?? item.duration.expectedEnd, end > start {
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
