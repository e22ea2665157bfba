/// Decoding towards a target frame: the target, the purpose and the progress.
struct TargetSearch {
  enum Purpose: Equatable {
    /// The first frame of a newly opened item.
    case first
    /// The target of the seek in flight.
    case seek
    /// The first frame of the next loop pass.
    case loop
    /// The current time again, because the displayed frame is wrong or has the wrong size. A jump skips all frames after
    /// one that was far too late.
    case refresh(jumpFrom: FrameTiming? = nil)
    /// The end of the cached frames that are played meanwhile.
    case resume
  }

  /// The meaning of a decoded frame for the search.
  enum Verdict: Equatable {
    /// The target is still ahead.
    case onTheWay
    /// This frame is the target.
    case found
    /// The previous frame is the target, and this one follows it.
    case foundBefore
    /// Decoding started too late: start over, earlier or without skipping frames.
    case again
  }

  let purpose: Purpose
  private var timeTarget: TimeTarget
  private var route = SourceRoute()

  /// True if the source guessed where to start, without an index.
  private(set) var startIsGuessed = false
  /// The last frame seen that starts at or before the target.
  private(set) var candidate: FrameTiming?
  /// True if nothing may be left out on the way, as the target was once, or may have been.
  private(set) var mustBeWhole = false
  /// True if a preview near the target has been shown.
  private(set) var hasPreviewed = false
  /// The number of frames decoded on the way, and the host time of the first.
  private(set) var passed = 0
  private(set) var firstAt: HostTime = 0

  init(_ purpose: Purpose, to target: MediaTime, before: MediaTime = .zero, after: MediaTime = .zero) {
    self.purpose = purpose
    timeTarget = TimeTarget(time: target, before: before, after: after)
    // A newly opened item is at its beginning.
    if purpose == .first { route.stay() }
  }

  var target: MediaTime { timeTarget.time }

  // MARK: - Where the source goes

  /// True if the source must seek first.
  var needsSeek: Bool { route.needsSeek }

  /// The source's next seek; nil if it decodes on from where it is.
  var move: SourceMove? {
    // Missing frames are also missing from a decoder that another seek has retained on the way.
    route.move(to: target, mustBeWhole ? .withFreshDecoder : [])
  }

  /// Notes that the source guesses where to start, without an index.
  mutating func guessStart() { startIsGuessed = true }

  /// Decodes further from `last`, which the source still holds, instead of seeking.
  ///
  /// As all frames are decoded anyway, the search can be exact.
  mutating func decodeOn(from last: FrameTiming?) {
    route.stay()
    timeTarget.before = .zero
    if let last, last.pts <= target { candidate = last }
  }

  /// Notes that the source has arrived.
  mutating func didMove() {
    route.stay()
    candidate = nil
  }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail() { route.moveDidFail() }

  // MARK: - What comes out

  /// - Parameter isDiscarded: true if the target's frame is among those skipped on the way.
  mutating func didDecode(_ timing: FrameTiming, isDiscarded: Bool, at host: HostTime) -> Verdict {
    if purpose == .first { return .found }
    let verdict = timeTarget.classify(timing, hasFormer: candidate != nil, isFromStart: route.start(for: target) == nil)
    // An exact search waits for the frame after the target, even if the target's end is known: the lane continues from
    // there, and panes that are scrubbed together show a third fewer frames otherwise.
    if timing.pts <= target, verdict == .onTheWay || timeTarget.before == .zero {
      candidate = timing
      if passed == 0 { firstAt = host }
      passed += 1
      return .onTheWay
    }
    switch verdict {
    case .onTheWay, .found: return .found
    case .foundBefore: return isDiscarded ? beginWhole() : .foundBefore
    case .tooLate:
      route.beginEarlier(than: target)
      return .again
    }
  }

  /// Starts over without skipping frames, since the decoder holds back more than assumed.
  private mutating func beginWhole() -> Verdict {
    mustBeWhole = true
    route.beginAgain()
    return .again
  }

  /// Handles the end of the data; returns nil if nothing can be decoded.
  ///
  /// - Parameter isDiscarded: whether the target's frame is among those skipped on the way.
  mutating func didReachEnd(isDiscarded: Bool) -> Verdict? {
    if isDiscarded { return beginWhole() }
    // The last frame is on display at every time after it.
    if candidate != nil { return .found }
    // A file that was read from its beginning has nothing more to offer.
    guard purpose != .first, !route.isExhausted else { return nil }
    route.beginEarlier(than: target)
    return .again
  }

  /// The same search without skipping frames.
  var whole: TargetSearch {
    var search = self
    search.mustBeWhole = true
    return search
  }

  /// The same search from its start.
  var anew: TargetSearch {
    var search = TargetSearch(purpose, to: target, before: timeTarget.before, after: timeTarget.after)
    search.hasPreviewed = hasPreviewed
    return search
  }

  /// Replaces the target by another one that lies ahead.
  mutating func retarget(to request: SeekRequest) {
    timeTarget = TimeTarget(time: request.target, before: request.before, after: request.after)
  }

  mutating func didPreview() { hasPreviewed = true }
}
