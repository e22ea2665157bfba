/// Delivery of frames to outputs.
extension PlayerCore {
  /// The media time by which the clock is ahead of the displayed frame, if frames come late in forward playback.
  func lateness(at host: HostTime) -> MediaTime {
    guard pacing == .clock, clock.rate > 0, clock.countsLateFrames,
      let displayed = item.presentation.displayed
    else { return .zero }
    return max(.zero, currentTime(at: host) - displayed.end)
  }

  /// The state in which frames of this player are paired with those of another.
  func pairMoment(at host: HostTime) -> PairMatcher.Moment {
    let isResting = !clock.isRunning && !seeks.isUnderWay && clock.buffering == nil && item.hasSettled(clockView)
    return PairMatcher.Moment(
      media: clock.media(at: host), rate: clock.timebase.rate,
      resting: isResting ? item.presentation.displayed?.timing.pts : nil)
  }

  // MARK: - Outputs

  mutating func addOutput() -> Int { outputs.add() }

  mutating func setRequest(_ request: RenderRequest?, of output: Int, at host: HostTime) {
    advance(to: host)
    let former = outputs
    outputs.setRequest(request, of: output)
    outputsDidChange(from: former, at: host)
  }

  mutating func removeOutput(_ output: Int, at host: HostTime) {
    advance(to: host)
    let former = outputs
    outputs.remove(output)
    outputsDidChange(from: former, at: host)
  }

  /// Handles a change of the outputs of the player that will play this item.
  mutating func outputsDidChangeAhead(from former: OutputSet, at host: HostTime) {
    outputsDidChange(from: former, at: host)
    guard outputs.isVisible, outputs.requests != former.lastRequests, item.isReady, item.canSeek else { return }
    // Nobody waits for the upcoming frames, and they can be rendered again.
    item.presentation.removeAll()
    item.begin(TargetSearch(.refresh(), to: .zero), pass: 0)
  }

  /// Handles a change of the requested sizes or shapes.
  private mutating func outputsDidChange(from former: OutputSet, at host: HostTime) {
    // An output that took the frame may have waited for one that has gone away.
    if pacing == .outputs { wake(.display) }
    guard outputs.requests != former.requests else { return }
    item.cache.select(outputs.requests)
    setBuffering(nil, at: host)
    guard outputs.isVisible else {
      finishSeekWhileHidden(at: host)
      // Without a visible output, there is no first frame to wait for.
      if !clock.isRunning { updateClock(at: host) }
      return
    }
    if outputs.requests != former.lastRequests { noteCached() }
    item.fill.didMove(at: host)
    wake(.lane)
    // The visible frame comes first.
    if item.decode.prefetch != nil { item.dropPrefetch(clockView) }
    item.fill.forgetLookAhead()
    if !former.isVisible, item.isReady, pacing == .clock, !isAhead {
      // Frames that have waited since the outputs went away are stale, as the clock may have run without frames.
      item.detach()
      if clock.rate != 0 || item.restsOnWrongFrame(clockView) { item.check.wantRefresh() }
    }
    // The displayed frame stays until it is there in the new size, as it may be already.
    let isNewSize = outputs.requests.contains { !former.requests.contains($0) }
    if isNewSize, pacing == .clock, !clock.isRunning, !item.isDisplayOutdated { item.showDisplayedInNewSize() }
    guard !item.presentation.isEmpty || item.decode.isDetached else { return }
    guard !clock.isRunning else { return item.shortenQueue(clockView) }
    item.check.didCheck(at: nil)
    if item.presentation.displayed == nil { item.check.wantRefresh() }
  }

  // MARK: - Taking

  /// Takes the visible frame and its due time, if an output has not taken it yet.
  mutating func takeFrame(for output: Int, at host: HostTime) -> (frame: RenderedFrame, due: HostTime)? {
    advance(to: host)
    guard let request = outputs.request(of: output) else { return nil }
    if pacing == .outputs { return takeUntimed(for: output, request, at: host) }
    item.startFilling(clockView, at: host)
    let due = item.presentation.previewTime == nil ? presentDue(at: host) : nil
    return take(for: output, request).map { ($0, due ?? host) }
  }

  /// Returns the frame to show now, if an output has not taken it.
  func newFrame(for output: Int) -> (frame: ScaledFrames, serial: Int)? {
    item.presentation.visible.flatMap { outputs.isNew($0.serial, for: output) ? $0 : nil }
  }

  private mutating func take(for output: Int, _ request: RenderRequest) -> RenderedFrame? {
    guard let visible = newFrame(for: output) else { return nil }
    outputs.didTake(visible.serial, by: output)
    var frame = visible.frame.frame(for: request)
    // With its exact number and end, if the index has them by now.
    if let timeline = item.timeline { frame.timing = timeline.numbered(frame.timing) }
    return frame
  }

  /// Displays the newest due frame; returns its due time.
  private mutating func presentDue(at host: HostTime) -> HostTime? {
    clock.rate < 0 ? showEarlier(at: host) : item.presentDue(for: outputs, clockView, at: host)
  }

  private mutating func takeUntimed(
    for output: Int, _ request: RenderRequest, at host: HostTime
  ) -> (frame: RenderedFrame, due: HostTime)? {
    let mayGoOn = clock.rate != 0 || item.presentation.displayed == nil
    guard mayGoOn || newFrame(for: output) != nil else { return nil }
    // Frames that wait during a seek belong to the old position.
    if mayGoOn, !seeks.isUnderWay, !isAwaited, let first = item.presentation.popFirst() {
      // Not by `present`: frames of a single pass would only fill the cache, which no clock trims here.
      item.presentation.present(first.frame, successor: first.successor, decoded: nil)
      clock.noteUntimed(first.timing.ptsNanoseconds)
      wake([.lane, .observers])
    }
    if clock.rate != 0, !seeks.isUnderWay, item.presentation.waiting.isEmpty, item.decode.end != nil, !isAwaited {
      endUntimed(at: host)
    }
    let taken = take(for: output, request)
    // The other outputs may continue now.
    if taken != nil, !isAwaited { wake(.display) }
    return taken.map { ($0, host) }
  }

  /// Counts a frame displayed this many nanoseconds after it was due.
  mutating func countShown(late: HostTime) { item.statistics.noteShown(late: late) }

  /// True if an output with a request has not taken the displayed frame.
  private var isAwaited: Bool { item.presentation.displayed.map { outputs.isAwaited($0.serial) } ?? false }

  /// Reports the end in untimed mode, where no clock passes it.
  private mutating func endUntimed(at host: HostTime) {
    clock.report(.playedToEnd)
    endPlaying(at: host)
    perform(clock.noteStatus(hold))
    wake([.observers, .display])
  }

  // MARK: - When

  /// Returns when an output should take its next frame; nil if none waits or the clock is stopped.
  func nextFrameHost(for output: Int, after host: HostTime) -> HostTime? {
    guard outputs.request(of: output) != nil else { return nil }
    let next = nextDueHost(for: output, after: host)
    guard let fill = item.fillHost(clockView) else { return next }
    return min(fill, next ?? fill)
  }

  private func nextDueHost(for output: Int, after host: HostTime) -> HostTime? {
    if newFrame(for: output) != nil { return host }
    if seeks.isUnderWay { return nil }
    if pacing == .outputs {
      return clock.rate != 0 && !isAwaited && (!item.presentation.waiting.isEmpty || item.decode.end != nil) ? host : nil
    }
    if clock.rate >= 0, !clock.isRunning { return item.hasDueWaiting(clockView) ? host : nil }
    return item.nextDueHost(clockView)
  }
}
