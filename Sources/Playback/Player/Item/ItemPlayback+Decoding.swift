/// The steps of the source, and the order of its frames.
extension ItemPlayback {
  mutating func decodeNext(_ discard: DiscardLevel) -> LaneWork.Kind {
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

  mutating func goOnTheWay() -> LaneWork.Kind {
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
  func discardingTarget(of search: TargetSearch) -> Int? {
    guard search.purpose == .seek, !search.mustBeWhole else { return nil }
    return timeline?.knownFrame(at: search.target)
  }

  // MARK: - Results

  /// Notes that the source has performed the last `.seek` or `.rewind`.
  mutating func didMove(_ landing: SeekLanding, _ ticket: Ticket) {
    decode.didMove(lacksFrames: landing.lacksFrames, isCurrent: decode.isCurrent(ticket))
  }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail(_ ticket: Ticket) {
    guard decode.isCurrent(ticket) else { return }
    decode.moveDidFail()
  }

  /// Records that two frames decoded in sequence follow each other.
  mutating func noteOrder(of timing: FrameTiming, after former: FrameTiming) {
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
  var discardsGoingBack: Bool { discardGoingBack != .nothing }

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

  /// Returns true if the frame that holds the target may be one of those that were left out on the way.
  ///
  /// - Parameter next: the frame that came out now; nil at the end of the data.
  func isTargetDiscarded(_ search: TargetSearch, before next: FrameTiming?) -> Bool {
    guard decode.mayLackFrames, !search.mustBeWhole, let candidate = search.candidate
    else { return false }
    if let timeline, let target = timeline.knownFrame(at: search.target) {
      return timeline.frameNumber(at: candidate.pts) < target
    }
    // Without numbers, nothing is known to be missing only if one frame starts where the other ends.
    return next.map { $0.pts > candidate.end } ?? true
  }

  func render(_ frame: any SourceFrame, _ role: LaneWork.Rendering.Role) -> LaneWork.Next {
    .render(LaneWork.Rendering(frame: frame, role: role, ticket: decode.ticket))
  }

  /// Counts skipped frames, by the gap they leave in the timestamps.
  mutating func countUndecoded(from former: FrameTiming?, to timing: FrameTiming) {
    guard let former, timing.pts > former.end else { return }
    let missing = former.frameCount(in: (timing.pts - former.end).seconds)
    if missing < 100_000 { statistics.noteDropped(Int(missing.rounded())) }
  }

  /// True if skipped frames may have followed the decoded ones, even if none are skipped any more.
  var mayLackLastFrames: Bool { drops.discard != .nothing || decode.mayLackFrames }

  /// Cancels everything decided for the old position.
  mutating func prepareForSeek() {
    passes.rejoin()
    check.dropRefresh()
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
}
