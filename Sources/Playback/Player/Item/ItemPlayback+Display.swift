/// The display: what is put there, and whether it rests on the right frame.
extension ItemPlayback {
  /// Seconds of frames that forward playback leaves in the cache of each pane, so that playback alone does not fill the
  /// memory.
  private static let historySeconds = 10.0

  /// Puts a frame on display.
  ///
  /// - Parameter decoded: the decoded frame, if available.
  mutating func present(
    _ frame: ScaledFrames, successor: MediaTime?, decoded: (any SourceFrame)? = nil, _ clock: ClockView
  ) {
    cacheDisplayed()
    // Frames that a loop will play again stay.
    if clock.isRunning, clock.rate > 0, clock.loop.range == nil, let displayed = presentation.displayed {
      cache.trim(before: displayed.timing.pts, seconds: Self.historySeconds)
    }
    cache.moveCenter(to: frame.timing.pts)
    presentation.present(frame, successor: successor, decoded: decoded)
    wake(.display)
  }

  /// Shows a frame on the way to a seek's target, until another is put on display.
  mutating func showPreview(_ frame: ScaledFrames) {
    presentation.showPreview(frame)
    wake(.display)
  }

  /// The timing of the displayed frame, with its exact number if the index has it.
  var displayedTiming: FrameTiming? { presentation.displayed.map { timeline?.numbered($0.timing) ?? $0.timing } }

  /// Returns true if no output has taken the displayed frame.
  func isUnseen(by outputs: OutputSet) -> Bool { presentation.displayed.map { !outputs.hasBeenTaken($0.serial) } ?? false }

  /// Displays the newest due frame in forward playback; returns its due time.
  mutating func presentDue(for outputs: OutputSet, _ clock: ClockView, at host: HostTime) -> HostTime? {
    var due: HostTime?
    let media = clock.media(at: host)
    // Frames that wait during a seek belong to the old position.
    while clock.rate >= 0, !clock.isSeeking, let first = presentation.waiting.first {
      if first.pass < passes.played {
        presentation.removeFirst(1)
        // Frames after a loop's end were never due.
        if !isPastRange(first.timing, clock) { statistics.noteDropped() }
        continue
      }
      guard first.pass == passes.played, first.timing.ptsNanoseconds <= media else { break }
      if clock.countsLateFrames, isUnseen(by: outputs) { statistics.noteDropped() }
      presentation.removeFirst(1)
      present(first.frame, successor: first.successor, clock)
      // After a jump into the middle of a frame, it is due then, not at its start.
      due = clock.due(first.timing.ptsNanoseconds)
      wake(.lane)
    }
    return due
  }

  /// Returns when the next frame is due, or the end of what is played; nil if none is, or the clock is stopped.
  func nextDueHost(_ clock: ClockView) -> HostTime? {
    let bounds = bounds(clock)
    if clock.rate < 0 {
      // At the very first frame, or without a frame at its position, only the end of the way is left.
      guard let displayed = presentation.displayed?.timing, !isFirst(displayed, clock), !isDisplayOutdated else {
        return clock.timebase.host(for: bounds.start)
      }
      return clock.timebase.host(for: max(bounds.start, displayed.ptsNanoseconds - 1))
    }
    if let first = presentation.first(of: passes.played) { return clock.timebase.host(for: first.timing.ptsNanoseconds) }
    return bounds.end.flatMap { clock.timebase.host(for: $0) }
  }

  // MARK: - At rest

  /// True if the current frame is still to come, and the displayed one belongs to an earlier clock time.
  var isDisplayOutdated: Bool {
    if check.refresh != nil { return true }
    if case .refresh = decode.search?.purpose { return true }
    return false
  }

  /// Returns true if a frame is on display and no other is requested.
  func isDisplayAtRest(_ clock: ClockView) -> Bool {
    clock.rate == 0 && !clock.isRunning && clock.pacing != .outputs && !clock.isSeeking && !clock.isStepping
      && presentation.displayed != nil
  }

  /// Returns true if the display has come to rest, and the lane is not on the way to another frame.
  private func isAtRest(_ clock: ClockView) -> Bool { isDisplayAtRest(clock) && !decode.isOnTheWay && !decode.isIdle }

  /// Returns true if a waiting frame is due at the stopped clock's time.
  func hasDueWaiting(_ clock: ClockView) -> Bool {
    presentation.first(of: passes.played).map { $0.timing.ptsNanoseconds <= clock.timebase.anchorMedia } ?? false
  }

  /// Checks that the display rests on the right frame, in the requested sizes.
  mutating func checkRest(_ clock: ClockView) {
    guard check.refresh == nil else { return }
    if restsInFormerSize(clock) { return check.wantRefresh() }
    guard restsElsewhere(clock) else { return }
    check.didCheck(at: clock.timebase.anchorMedia)
    guard let displayed = presentation.displayed, restsOnWrongFrame(clock) else { return }
    // The clock has passed the frames between; those that were decoded have been counted.
    check.wantRefresh(.jump(from: lastDecoded(behind: displayed.timing) ?? displayed.timing))
  }

  /// Checks that the new frame is that of the clock's time, which may have been set elsewhere meanwhile.
  mutating func checkStop(_ clock: ClockView) {
    let place = clock.timebase.anchorMedia
    guard !clock.isRunning, clock.pacing != .outputs, !clock.isSeeking, check.checkedAt != place, restsOnWrongFrame(clock)
    else { return }
    check.didCheck(at: place)
    check.wantRefresh()
  }

  /// Returns true if the displayed frame was rendered for other sizes, and its decoded frame is not available.
  private func restsInFormerSize(_ clock: ClockView) -> Bool {
    guard isAtRest(clock), let displayed = presentation.displayed, displayed.decoded == nil else { return false }
    // Due frames come first.
    return !hasDueWaiting(clock) && !cache.isCurrent(displayed.frame)
  }

  /// Returns true if the clock has stopped at a time for which the display has not been checked.
  private func restsElsewhere(_ clock: ClockView) -> Bool {
    guard isAtRest(clock), check.checkedAt != clock.timebase.anchorMedia, !hasDueWaiting(clock) else { return false }
    // The next frame may still come.
    return !(decode.isStreaming && passes.areTogether && presentation.first(of: passes.played) == nil)
  }

  /// Returns true if the clock rests outside the displayed frame, as after a pause amid frames that were late or left out.
  func restsOnWrongFrame(_ clock: ClockView) -> Bool {
    guard let displayed = presentation.displayed else { return false }
    let media = clock.timebase.anchorMedia
    if displayed.timing.ptsNanoseconds > media { return true }
    if duration.isAtEnd(displayed.timing.end) { return false }
    return media >= displayed.end.nanoseconds ?? .max
  }

  /// Returns true if no other frame than the displayed one is expected while the clock stands still.
  func hasSettled(_ clock: ClockView) -> Bool {
    guard !isDisplayOutdated, !hasDueWaiting(clock) else { return false }
    return !restsOnWrongFrame(clock) || check.checkedAt == clock.timebase.anchorMedia
  }

  // MARK: - Another look at the present

  /// Starts the requested refresh, unless another frame is being searched for.
  ///
  /// - Parameter time: the current time.
  mutating func beginRefresh(at time: MediaTime, _ clock: ClockView) {
    guard !decode.isOnTheWay, let refresh = check.takeRefresh() else { return }
    let target = refreshTarget(at: time, clock)
    var jumpOrigin: FrameTiming?
    switch refresh {
    case .again:
      if playOnFromCache(from: target, clock) { return }
    case .jump(let origin):
      jumpOrigin = origin
      // Frames after the origin are counted once the frame has come.
      statistics.noteDropped(presentation.waiting.count { $0.timing.pts <= origin.pts && $0.timing.end <= target })
    }
    presentation.removeWaiting()
    begin(TargetSearch(.refresh(jumpFrom: jumpOrigin), to: target), pass: passes.played)
  }

  /// Returns a time inside the frame that should be shown now.
  private func refreshTarget(at time: MediaTime, _ clock: ClockView) -> MediaTime {
    let media = clock.timebase.anchorMedia
    // The displayed frame's own time, if it is that frame, since nanoseconds may be rounded to before it.
    if !clock.isRunning, let displayed = presentation.displayed, displayed.timing.ptsNanoseconds <= media,
      media < displayed.end.nanoseconds ?? .max { return displayed.timing.pts }
    return time
  }

  /// Abandons the old position after the clock has moved: drops what waits or is being decoded, and requests the current
  /// frame.
  mutating func flushForJump(_ clock: ClockView) {
    if decode.prefetch != nil { dropPrefetch(clock) }
    detach()
    check.wantRefresh()
  }

  /// Returns true if frames have come so late that going back would show none for a while: the present one comes first then.
  func isDisplayFarBehind(_ clock: ClockView, at host: HostTime) -> Bool {
    guard clock.pacing == .clock, isReady, !clock.isSeeking, let displayed = presentation.displayed,
      let end = displayed.end.clockNanoseconds, !duration.isAtEnd(displayed.end)
    else { return false }
    return clock.media(at: host) > end + DropPolicy.maxLatenessForReferences
  }

  // MARK: - Other sizes

  /// Returns the rendering of the displayed frame in other sizes; nil if there is nothing to render.
  func displayRendering(_ clock: ClockView) -> LaneWork.Rendering? {
    guard !clock.isRunning, let displayed = presentation.displayed, let decoded = displayed.decoded,
      !cache.isCurrent(displayed.frame)
    else { return nil }
    return LaneWork.Rendering(frame: decoded, role: .display, ticket: decode.ticket)
  }

  /// Shows the displayed frame for the selected requests, if it is there.
  mutating func showDisplayedInNewSize() {
    guard let displayed = presentation.displayed,
      let frame = cache.isCurrent(displayed.frame) ? displayed.frame : cache.entry(at: displayed.timing.pts)?.frame
    else { return }
    presentation.replaceDisplayed(by: frame)
    wake(.display)
  }
}
