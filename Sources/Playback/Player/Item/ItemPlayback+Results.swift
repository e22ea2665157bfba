/// Results of the lane's steps.
extension ItemPlayback {
  /// Notes that the source has performed the last `.seek` or `.rewind`.
  mutating func didMove(_ landing: SeekLanding, _ ticket: Ticket) {
    decode.didMove(lacksFrames: landing.lacksFrames, isCurrent: decode.isCurrent(ticket))
  }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail(_ ticket: Ticket) {
    guard decode.isCurrent(ticket) else { return }
    decode.moveDidFail()
  }

  // MARK: - Decoded frames

  /// Notes a frame that has been decoded; returns the one before it.
  mutating func note(_ frame: any SourceFrame, _ clock: ClockView) -> FrameTiming? {
    statistics.noteDecoded()
    let former = decode.last
    decode.didDecode(frame)
    if let former { noteOrder(of: frame.timing, after: former) }
    if !clock.isRunning, presentation.displayed?.decoded == nil { presentation.keepDecoded(frame) }
    return former
  }

  /// Records that two frames decoded in sequence follow each other.
  private mutating func noteOrder(of timing: FrameTiming, after former: FrameTiming) {
    guard !discardsGoingBack, isNext(timing, after: former) else {
      return cache.note(nextDecoded: timing.pts, of: former.pts)
    }
    cache.note(successor: timing.pts, of: former.pts)
    presentation.noteSuccessor(timing.pts, of: former.pts, pass: passes.decoded)
  }

  /// Returns true if two frames decoded in sequence are adjacent.
  func isNext(_ timing: FrameTiming, after former: FrameTiming) -> Bool {
    // The source may have restarted earlier.
    guard timing.pts > former.pts else { return false }
    if !decode.mayLackFrames { return true }
    guard let timeline, let number = timeline.knownFrame(at: timing.pts) else { return timing.pts <= former.end }
    return number == timeline.frameNumber(at: former.pts) + 1
  }

  /// True if frames are left out for the cache, too, as on a fast way back.
  private var discardsGoingBack: Bool { discardGoingBack != .nothing }

  /// Takes into account how late a frame decoded for the queue is, to skip more or fewer frames from here on; returns false
  /// if it is too late to be shown.
  mutating func admit(_ timing: FrameTiming, _ clock: ClockView, at host: HostTime) -> Bool {
    guard clock.countsLateFrames, passes.areTogether else {
      drops.stopDiscarding()
      return true
    }
    let media = clock.media(at: host)
    // If the places of keyframes are unknown, one may lie before the present.
    let isKeyAhead = timeline == nil || !leadsOn(from: timing, to: MediaTime(nanoseconds: media))
    let verdict = drops.decide(
      .init(
        late: Int64(saturating: Double(media - timing.endNanoseconds) / clock.rate), isKeyAhead: isKeyAhead,
        isStart: isRandomAccess(timing), queued: presentation.waiting.count), at: host)
    if verdict.jumps { check.wantRefresh(.jump(from: timing)) }
    if !verdict.isShown { statistics.noteDropped() }
    return verdict.isShown
  }

  /// Returns true if decoding can start with a frame, as far as known.
  private func isRandomAccess(_ timing: FrameTiming) -> Bool {
    guard let timeline, let number = timeline.knownFrame(at: timing.pts) else { return false }
    return timeline.randomAccessFrame(for: number) == number
  }

  /// Returns true if this player is behind because it shares the pool, so that all players should skip frames.
  func needsRelief(_ clock: ClockView, at host: HostTime) -> Bool {
    guard clock.isRunning, let last = decode.last else { return false }
    return drops.needsRelief(late: last.endNanoseconds < clock.media(at: host))
  }

  /// Counts skipped frames, by the gap they leave in the timestamps.
  mutating func countUndecoded(from former: FrameTiming?, to timing: FrameTiming) {
    guard let former, timing.pts > former.end else { return }
    let missing = former.frameCount(in: (timing.pts - former.end).seconds)
    if missing < 100_000 { statistics.noteDropped(Int(missing.rounded())) }
  }

  // MARK: - On the way

  /// Takes a frame on the way to another; returns what it means for the search, nil if for none.
  mutating func search(
    _ search: TargetSearch, met timing: FrameTiming, _ clock: ClockView, at host: HostTime
  ) -> TargetSearch.Verdict? {
    guard !search.needsSeek, !shortenSearch(search, from: timing) else { return nil }
    let isDiscarded = leadsToRest(search, clock) && isTargetDiscarded(search, before: timing)
    return decode.updateSearch { $0.didDecode(timing, isDiscarded: isDiscarded, at: host) }
  }

  /// Returns true if the display will rest at the target frame, which must therefore be exact.
  private func leadsToRest(_ search: TargetSearch, _ clock: ClockView) -> Bool {
    switch search.purpose {
    case .seek: true
    case .refresh: !clock.isRunning
    case .first, .loop, .resume: false
    }
  }

  /// Returns true if the frame that holds the target may be one of those that were left out on the way.
  ///
  /// - Parameter next: the frame that came out now; nil at the end of the data.
  private func isTargetDiscarded(_ search: TargetSearch, before next: FrameTiming?) -> Bool {
    guard decode.mayLackFrames, !search.mustBeWhole, let candidate = search.candidate
    else { return false }
    if let timeline, let target = timeline.knownFrame(at: search.target) {
      return timeline.frameNumber(at: candidate.pts) < target
    }
    // Without numbers, nothing is known to be missing only if one frame starts where the other ends.
    return next.map { $0.pts > candidate.end } ?? true
  }

  // MARK: - Rendered frames

  /// Returns the rendering of a decoded frame, as decided now.
  func render(_ frame: any SourceFrame, _ role: LaneWork.Rendering.Role) -> LaneWork.Next {
    .render(LaneWork.Rendering(frame: frame, role: role, ticket: decode.ticket))
  }

  /// Returns a rendering of a decoded frame for the cache, if it is complete and not there yet.
  func cacheDecoded(_ frame: any SourceFrame) -> LaneWork.Next {
    // In fast reverse playback, a part of each is better than nothing.
    guard !decode.mayLackPart || discardsGoingBack, !isCached(frame.timing),
      cache.hasRoom(for: frame.timing, bytes: presentation.displayed?.frame.byteCount ?? 0)
    else { return .none }
    return render(frame, .cache)
  }

  /// Returns true if a frame is cached for the selected requests, and nothing better is known of it now.
  private func isCached(_ timing: FrameTiming) -> Bool {
    guard let entry = cache.entry(at: timing.pts) else { return false }
    return entry.timing.isCertain || !timing.isCertain
  }

  /// Caches a frame that will not be shown next.
  mutating func keep(_ frame: ScaledFrames, _ clock: ClockView) {
    setCacheFloor(for: frame, clock)
    cache.insert(frame, successor: nil)
  }

  /// Replaces the displayed frame by a new rendering. Returns false if the requests have changed meanwhile.
  mutating func replaceDisplayed(by frame: ScaledFrames) -> Bool {
    guard cache.isCurrent(frame) else { return false }
    presentation.replaceDisplayed(by: frame)
    wake(.display)
    return true
  }

  /// Adds a frame to the queue.
  mutating func append(_ frame: ScaledFrames, successor: MediaTime?, _ clock: ClockView) {
    let wasEmpty = presentation.waiting.isEmpty
    presentation.append(frame, successor: successor, pass: passes.decoded)
    if wasEmpty || clock.pacing == .outputs { wake(.display) }
  }

  /// Returns true if a frame comes after the last one that waits or has been shown, as it does not at the stream's end.
  func comesNext(_ timing: FrameTiming) -> Bool {
    let last = presentation.waiting.last?.timing ?? (passes.areTogether ? presentation.displayed?.timing : nil)
    return last.map { $0.pts < timing.pts } ?? true
  }

  /// Returns the frame that the source has decoded after another, to find where that one ends, and its time if it directly
  /// follows.
  func decodedAfter(_ timing: FrameTiming) -> (frame: (any SourceFrame)?, successor: MediaTime?) {
    guard let next = decode.latest, next.timing.pts > timing.pts else { return (nil, nil) }
    return (next, isNext(next.timing, after: timing) ? next.timing.pts : nil)
  }

  // MARK: - The end of the data

  /// Decodes from the last frame again, without skipping, if skipped frames may follow it and the duration is unknown. Returns
  /// true if it does.
  mutating func lookBehindLast() -> Bool {
    guard decode.isStreaming, mayLackLastFrames, canSeek, let last = decode.last, duration.isBehindAnnounced(last.endNanoseconds)
    else { return false }
    begin(TargetSearch(.resume, to: last.end).whole, pass: passes.decoded)
    return true
  }

  /// True if skipped frames may have followed the decoded ones, even if none are skipped any more.
  private var mayLackLastFrames: Bool { drops.discard != .nothing || decode.mayLackFrames }

  /// Returns true if the frame of a search may be one of those that were left out before the end.
  func isTargetDiscardedAtEnd(_ clock: ClockView) -> Bool {
    decode.search.map { leadsToRest($0, clock) && isTargetDiscarded($0, before: nil) } ?? false
  }

  /// Notes where the data has ended; returns events for observers.
  mutating func noteEnd(isCutOff: Bool) -> [PlayerEvent] {
    // In fast reverse playback, the last frame decoded need not be the last one.
    if discardsGoingBack || (decode.prefetch != nil && decode.mayLackFrames) { return [] }
    guard var end = decode.last?.endNanoseconds else { return [] }
    // The displayed frame exists, whatever the timestamps after it say.
    if let displayed = presentation.displayed?.timing, end <= displayed.ptsNanoseconds { end = displayed.endNanoseconds }
    wake([.observers, .display])
    return duration.note(end: end, isGuess: mayLackLastFrames, isCutOff: isCutOff)
  }

  /// If all frames up to the end were skipped to save time, nothing would be seen until then: jumps to the present.
  mutating func lookAgainBeforeEnd(_ clock: ClockView, at host: HostTime) {
    let media = clock.media(at: host)
    guard drops.discard != .nothing, clock.isRunning, passes.areTogether, let end = duration.knownEnd,
      media + DropPolicy.maxLatenessForReferences < end, let last = decode.last
    else { return }
    // If all remaining frames are before the clock there is no other way, however recently it was tried.
    let newest = presentation.waiting.last?.timing ?? presentation.displayed?.timing
    let isBehind = newest.map { $0.endNanoseconds <= media } ?? false
    if isBehind || drops.tryJump(at: host) { check.wantRefresh(.jump(from: last)) }
  }

  // MARK: - Times of frames

  /// Adopts the frame times.
  mutating func setTimeline(_ timeline: PresentationTimeline?) {
    self.timeline = timeline
    if let timeline, let timing = presentation.displayed?.timing { presentation.setDisplayedTiming(timeline.numbered(timing)) }
  }

  /// Notes the end of the sound of an item that has nothing else. Its frames end up to one of them later.
  mutating func noteSoundEnd(_ media: Int64) -> [PlayerEvent] { duration.noteDecoded(end: media, isCutOff: false) }

  /// Replaces guessed times by known ones; returns events for observers.
  mutating func takeDecodedTimes(_ timeline: PresentationTimeline, _ clock: ClockView) -> [PlayerEvent] {
    cache.removeAll()
    fill.forgetLookAhead()
    if presentation.displayed?.timing.numberIsExact == false, !clock.isRunning, clock.pacing != .outputs { check.wantRefresh() }
    wake(.lane)
    guard let end = timeline.duration?.nanoseconds else { return [] }
    return duration.noteDecoded(end: end, isCutOff: timeline.isCutOff)
  }
}
