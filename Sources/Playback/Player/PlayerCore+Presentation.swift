/// Delivery of frames to outputs.
extension PlayerCore {
  /// Puts a frame on display.
  ///
  /// - Parameter decoded: the decoded frame, if available.
  mutating func present(_ frame: RenderedSet, successor: MediaTime?, decoded: (any SourceFrame)? = nil) {
    cacheDisplayed()
    cache.moveCenter(to: frame.timing.pts)
    presentation.present(frame, successor: successor, decoded: decoded)
    wake(.display)
  }

  /// The ranges of media time whose frames are cached.
  var loadedRanges: [TimeRange] {
    guard let waiting = waitingRange else { return cache.ranges }
    return TimeRange.joined((cache.ranges + [waiting]).sorted { $0.start < $1.start })
  }

  /// The media time from the displayed frame to the end of the last waiting one.
  private var waitingRange: TimeRange? {
    let mine = presentation.waiting.filter { $0.loopIndex == clock.loopIndex }
    guard let first = presentation.displayed?.timing ?? mine.first?.timing else { return nil }
    let last = mine.last?.timing ?? first
    guard last.end > first.pts else { return nil }
    return TimeRange(start: first.pts, end: last.end)
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

  /// Renders frames for the outputs of the item that is played before this one.
  mutating func setOutputs(_ outputs: OutputSet, at host: HostTime) {
    let former = self.outputs
    self.outputs = outputs
    outputsDidChange(from: former, at: host)
    guard outputs.isVisible, outputs.requests != former.lastRequests, isReady, canSeek else { return }
    // Nobody waits for the upcoming frames, and they can be rendered again.
    presentation.removeAll()
    begin(Approach(.refresh(), to: .zero), loopIndex: 0)
  }

  /// Handles a change of the requested sizes or shapes.
  private mutating func outputsDidChange(from former: OutputSet, at host: HostTime) {
    // An output that took the frame may have waited for one that has gone away.
    if clock.isUntimed { wake(.display) }
    guard outputs.requests != former.requests else { return }
    setBuffering(false, at: host)
    guard outputs.isVisible else {
      landUnseen(at: host)
      // Without a visible output, there is no first frame to wait for.
      if !clock.isRunning { updateClock(at: host) }
      return
    }
    // Frames of other sizes are useless; the displayed one stays until a better one is there.
    if outputs.requests != former.lastRequests {
      cache.removeAll()
      noteCached()
    }
    fill.didMove(at: host)
    wake(.lane)
    // The visible frame comes first.
    if decode.prefetch != nil { dropPrefetch() }
    fill.forgetLookAhead()
    if !former.isVisible, isReady, hasGoneOnUnseen {
      // Frames that have waited since the outputs went away are stale, as the clock may have run without frames.
      detach()
      if clock.rate != 0 || restsOnWrongFrame { decode.wantRefresh() }
    }
    guard !presentation.isEmpty || decode.isDetached else { return }
    guard !clock.isRunning else { return shortenQueue() }
    decode.didCheck(at: nil)
    if presentation.displayed == nil { decode.wantRefresh() }
  }

  /// True if time passes without a visible output: not if frames set the pace, nor before the item's turn.
  private var hasGoneOnUnseen: Bool { !clock.isUntimed && !lane.isAhead }

  /// The rendering of the displayed frame in other sizes; nil if there is nothing to render.
  var displayRendering: LaneWork.Rendering? {
    guard !clock.isRunning, outputs.isVisible, let displayed = presentation.displayed, let decoded = displayed.decoded,
      !isCurrent(displayed.frame)
    else { return nil }
    return LaneWork.Rendering(frame: decoded, role: .display, ticket: decode.ticket)
  }

  // MARK: - Taking

  /// Takes the visible frame and its due time, if an output has not taken it yet.
  mutating func takeFrame(for output: Int, at host: HostTime) -> (frame: RenderedFrame, due: HostTime)? {
    advance(to: host)
    guard let request = outputs.request(of: output) else { return nil }
    if clock.isUntimed { return takeUntimed(for: output, request, at: host) }
    startFilling(at: host)
    let due = presentation.previewTime == nil ? presentDue(at: host) : nil
    return take(for: output, request).map { ($0, due ?? host) }
  }

  /// Returns the frame to show now, if an output has not taken it.
  func newFrame(for output: Int) -> (frame: RenderedSet, serial: Int)? {
    presentation.visible.flatMap { outputs.isNew($0.serial, for: output) ? $0 : nil }
  }

  private mutating func take(for output: Int, _ request: RenderRequest) -> RenderedFrame? {
    guard let visible = newFrame(for: output) else { return nil }
    outputs.didTake(visible.serial, by: output)
    var frame = visible.frame.frame(for: request)
    // With its exact number and end, if the index has them by now.
    if let timeline { frame.timing = timeline.numbered(frame.timing) }
    return frame
  }

  /// Displays the newest due frame; returns its due time.
  private mutating func presentDue(at host: HostTime) -> HostTime? {
    var due = clock.rate < 0 ? showEarlier(at: host) : nil
    let media = clock.media(at: host)
    // Frames that wait during a seek belong to the old position.
    while clock.rate >= 0, !seeks.isUnderWay, let first = presentation.waiting.first {
      if first.loopIndex < clock.loopIndex {
        presentation.removeFirst(1)
        // Frames after a loop's end were never due.
        if !isPastRange(first.timing) { statistics.noteDropped() }
        continue
      }
      guard first.loopIndex == clock.loopIndex, first.timing.ptsNanoseconds <= media else { break }
      if clock.isRunning, isDisplayedUnseen { statistics.noteDropped() }
      presentation.removeFirst(1)
      present(first.frame, successor: first.successor)
      // After a jump into the middle of a frame, it is due then, not at its start.
      due = clock.due(first.timing.ptsNanoseconds)
      wake(.lane)
    }
    return due
  }

  /// True if no output has taken the displayed frame.
  var isDisplayedUnseen: Bool { presentation.displayed.map { !outputs.hasBeenTaken($0.serial) } ?? false }

  private mutating func takeUntimed(
    for output: Int, _ request: RenderRequest, at host: HostTime
  ) -> (frame: RenderedFrame, due: HostTime)? {
    let mayGoOn = clock.rate != 0 || presentation.displayed == nil
    guard mayGoOn || newFrame(for: output) != nil else { return nil }
    // Frames that wait during a seek belong to the old position.
    if mayGoOn, !seeks.isUnderWay, !isAwaited, let first = presentation.popFirst() {
      // Not by `present`: frames of a single pass would only fill the cache, which no clock trims here.
      presentation.present(first.frame, successor: first.successor, decoded: nil)
      clock.noteUntimed(first.timing.ptsNanoseconds)
      wake([.lane, .observers])
    }
    if clock.rate != 0, !seeks.isUnderWay, presentation.waiting.isEmpty, decode.end != nil, !isAwaited { endUntimed(at: host) }
    let taken = take(for: output, request)
    // The other outputs may continue now.
    if taken != nil, !isAwaited { wake(.display) }
    return taken.map { ($0, host) }
  }

  /// Counts a frame displayed this many nanoseconds after it was due.
  mutating func countShown(late: HostTime) { statistics.noteShown(late: late) }

  /// True if an output with a request has not taken the displayed frame.
  private var isAwaited: Bool { presentation.displayed.map { outputs.isAwaited($0.serial) } ?? false }

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
    guard let fill = fillHost else { return next }
    return min(fill, next ?? fill)
  }

  private func nextDueHost(for output: Int, after host: HostTime) -> HostTime? {
    if newFrame(for: output) != nil { return host }
    if seeks.isUnderWay { return nil }
    if clock.isUntimed {
      return clock.rate != 0 && !isAwaited && (!presentation.waiting.isEmpty || decode.end != nil) ? host : nil
    }
    if clock.rate < 0 {
      // At the very first frame, or without a frame at its position, only the end of the way is left.
      guard let displayed = presentation.displayed?.timing, !isFirst(displayed), !isDisplayOutdated else {
        return clock.timebase.host(for: playStart)
      }
      return clock.timebase.host(for: max(playStart, displayed.ptsNanoseconds - 1))
    }
    guard clock.isRunning else { return hasDueWaiting ? host : nil }
    if let first = presentation.first(of: clock.loopIndex) { return clock.timebase.host(for: first.timing.ptsNanoseconds) }
    return playEnd.flatMap { clock.timebase.host(for: $0) }
  }
}
