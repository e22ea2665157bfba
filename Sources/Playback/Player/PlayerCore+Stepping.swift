/// Steps by whole frames while the clock is stopped.
extension PlayerCore {
  mutating func step(by count: Int, at host: HostTime) {
    advance(to: host)
    guard item.isReady, count != 0 else { return }
    if clock.rate != 0 { setRate(0, at: host) }
    seeks.addSteps(count)
    item.fill.didMove(at: host)
    performSteps(at: host)
  }

  /// Performs as many of the waiting steps as possible.
  mutating func performSteps(at host: HostTime) {
    guard pacing != .clockAlone else { return stepWhileHidden(at: host) }
    // The frame that they count from is still to come.
    if isDisplayOutdated { return }
    while seeks.pendingSteps > 0, !seeks.isUnderWay {
      guard item.decode.isDetached ? stepOnInCache(at: host) : stepOnInQueue(at: host) else { return }
    }
    while seeks.pendingSteps < 0, !seeks.isUnderWay {
      guard stepBack(at: host) else { return }
    }
  }

  /// Steps forward to the next waiting frame, or sends the source there. Returns true to continue.
  private mutating func stepOnInQueue(at host: HostTime) -> Bool {
    let successor = item.presentation.displayed?.end
    let next = item.presentation.waiting.first.flatMap { $0.pass == item.passes.played ? $0 : nil }
    if seeks.pendingSteps > item.presentation.waiting.count, stepAtOnce(at: host) { return false }
    guard next != nil || item.decode.end != nil || item.passes.isDecoderAhead else { return false }
    // Nothing is decoded after an A–B loop, or frames between were skipped in playback.
    if let successor, next.map({ successor < $0.timing.pts }) ?? isBehindRange(successor) {
      seeks.didStep()
      startSeek(SeekRequest(target: successor, askedAt: host), at: host)
      return true
    }
    guard let next else {
      // Steps do not enter a loop's next pass, even if it is being decoded.
      seeks.dropSteps()
      return false
    }
    item.presentation.removeFirst(1)
    step(to: next.frame, successor: next.successor, at: host)
    return true
  }

  /// Returns true if the clip continues after the A–B loop.
  private func isBehindRange(_ time: MediaTime) -> Bool {
    guard let range = clock.loop.range else { return false }
    return time >= range.end && !item.duration.isAtEnd(time)
  }

  /// Steps forward in the cache, or sends the source to the next frame. Returns true to continue.
  private mutating func stepOnInCache(at host: HostTime) -> Bool {
    guard let displayed = item.presentation.displayed else { return false }
    let target = displayed.end
    if item.duration.isAtEnd(target) {
      seeks.dropSteps()
      return false
    }
    if let entry = item.cache.entry(at: target) {
      step(to: entry.frame, successor: entry.successor, at: host)
      return true
    }
    if stepAtOnce(at: host) { return true }
    seeks.didStep()
    startSeek(SeekRequest(target: target, askedAt: host), at: host)
    return true
  }

  /// Steps back in the cache, or sends the source to the previous frame. Returns true to continue.
  private mutating func stepBack(at host: HostTime) -> Bool {
    guard let displayed = item.presentation.displayed else { return false }
    let pts = displayed.timing.pts
    if let entry = item.cache.entry(before: pts) {
      item.detach()
      step(to: entry.frame, successor: entry.successor, at: host)
      return true
    }
    if stepAtOnce(at: host) { return true }
    guard pts > .zero else {
      seeks.dropSteps()
      return false
    }
    seeks.didStep()
    // The previous frame is on display one tick earlier.
    startSeek(SeekRequest(target: ItemPlayback.tickBefore(pts), askedAt: host), at: host)
    return true
  }

  private mutating func step(to frame: ScaledFrames, successor: MediaTime?, at host: HostTime) {
    seeks.didStep()
    present(frame, successor: successor)
    jump(to: frame.timing.pts, at: host)
  }

  /// Performs all waiting steps in one move, if the index knows their target frame. Returns true if it did.
  ///
  /// Single steps would each be decoded from a keyframe if no frames are cached.
  private mutating func stepAtOnce(at host: HostTime) -> Bool {
    guard abs(seeks.pendingSteps) > 1, let pts = item.presentation.displayed?.timing.pts, let timeline = item.timeline,
      let number = timeline.knownFrame(at: pts), timeline.time(ofFrame: number) == pts
    else { return false }
    return goToStep(from: number, in: timeline, at: host)
  }

  /// Without a visible output, steps count from the clock's frame if the index knows it; otherwise they wait for
  /// an output.
  private mutating func stepWhileHidden(at host: HostTime) {
    guard seeks.pendingSteps != 0, !seeks.isUnderWay else { return }
    guard let timeline = item.timeline else { return askForIndex() }
    guard let number = timeline.knownFrame(at: currentTime(at: host)) else { return }
    _ = goToStep(from: number, in: timeline, at: host)
  }

  /// Sends the source to the target of the waiting steps, counted from a frame. Returns true if the index knows where that
  /// is.
  private mutating func goToStep(from number: Int, in timeline: PresentationTimeline, at host: HostTime) -> Bool {
    guard timeline.isCountable else { return false }
    let reachable = timeline.clamped(frame: number + seeks.pendingSteps)
    guard let time = timeline.time(ofFrame: reachable), time < timeline.end else { return false }
    seeks.dropSteps()
    if reachable != number { startSeek(SeekRequest(target: time, askedAt: host), at: host) }
    return true
  }
}
