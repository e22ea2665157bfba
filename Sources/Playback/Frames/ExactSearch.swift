/// Finds a frame by decoding: says where to seek, and classifies each frame that comes.
///
/// A value without a source or frames. Its user performs each step, reports the outcome, and receives the next step.
struct ExactSearch {
  enum Target: Hashable, Sendable {
    case time(TimeTarget)
    /// A zero-based frame number, in display order.
    case number(Int)
    /// The frame with exactly this timing.
    case frame(FrameTiming)

    /// True if only one frame will do.
    var isExact: Bool {
      switch self {
      case .time(let target): target.isExact
      case .number, .frame: true
      }
    }
  }

  /// The next step of the search.
  enum Step: Equatable {
    case seek(MediaTime, SeekOptions)
    case rewind
    case decode
    /// The latest frame is the target.
    case latest
    /// The frame before the latest is the target.
    case previous
    case failure(PlaybackError)
  }

  /// The current knowledge of the source.
  struct Knowledge {
    var info: SourceInfo
    var timeline: PresentationTimeline?
    /// True if all is known of the times that will be without decoding.
    var isScanned: Bool

    /// Returns true if only decoding from the beginning shows which frame is on display at a time.
    fileprivate func mustReadAll(_ target: Target) -> Bool {
      guard case .time = target else { return false }
      return target.isExact && isScanned && timeline == nil
    }
  }

  /// A decoding run from one place on.
  private struct Run {
    var isFromStart: Bool
    /// True if it started at a verified point.
    var isCertain = true
    /// The number of frames decoded.
    var count = 0
    var previous: FrameTiming?
    var latest: FrameTiming?
    var hasEnded = false
  }

  /// The current target; nil if there is none.
  private(set) var target: Target?
  private var run: Run?
  /// The number of restarts from an earlier point, because decoding started too late.
  private var retreats = 0
  /// The number of frames found that differed from a decode from the beginning.
  private var doubts = 0

  /// The distance up to which decoding further is preferred to seeking.
  private static let near = MediaTime(value: 1, timescale: 2)
  /// The distance after its time at which a given frame may still come.
  private static let beyond = MediaTime(value: 1, timescale: 1)
  /// The maximum number of starting points that may prove wrong.
  private static let maxDoubts = 4

  // MARK: - Going there

  /// Starts the search for a frame; unless it has already been decoded, the first step leads to where decoding starts.
  mutating func begin(_ target: Target, _ known: Knowledge) -> Step {
    self.target = target
    (retreats, doubts) = (0, 0)
    return approach(target, known)
  }

  /// Ends the search; the run is still known.
  mutating func end() { target = nil }

  /// Discards the current run, which cannot be relied on: the next target is reached by a seek.
  mutating func leaveRun() { run = nil }

  /// Ends the search, and forgets the position of the source.
  mutating func fail(_ known: Knowledge) {
    target = nil
    // A source that can be read only once continues from where it is.
    if known.info.canSeek { run = nil }
  }

  /// Notes that the source has performed a `.seek` step.
  mutating func didSeek() { run = Run(isFromStart: false, isCertain: target?.isExact ?? false) }

  /// Notes that the source has performed a `.rewind` step, or failed a `.seek` step.
  mutating func didRewind() { run = Run(isFromStart: true) }

  private func approach(_ target: Target, _ known: Knowledge) -> Step {
    switch target {
    case .time(let sought):
      let time = sought.time
      if let run, !run.hasEnded, let latest = run.latest, latest.pts <= time, run.isCertain || !target.isExact,
        time - latest.pts <= Self.near || !known.info.canSeek || (run.isFromStart && known.mustReadAll(target))
          || (sought.before.isNumeric && known.timeline?.leadsOn(from: latest.pts, to: time) ?? false)
      {
        return latest.endIsExact && time < latest.end ? .latest : .decode
      }
      return seek(to: time, target, known)
    case .frame(let timing):
      if let run, !run.hasEnded, let latest = run.latest, latest.originalPTS == timing.originalPTS { return .latest }
      return seek(to: timing.pts, target, known)
    case .number(let number):
      if let run, run.isFromStart, !run.hasEnded, run.count <= number { return .decode }
      return rewind(known)
    }
  }

  private func seek(to time: MediaTime, _ target: Target, _ known: Knowledge) -> Step {
    let end = known.info.duration
    let place = time.isNumeric ? time : end.isNumeric ? end : .zero
    guard place > .zero, known.info.canSeek, !known.mustReadAll(target) else { return rewind(known) }
    // For a single exact frame, there is time to be right.
    return .seek(place, target.isExact ? .mustBeCertain : [])
  }

  private func rewind(_ known: Knowledge) -> Step {
    guard !known.info.canSeek, run != nil else { return .rewind }
    return .failure(PlaybackError(.system, "can be read only once, and this frame has passed"))
  }

  /// Starts earlier, and finally from the beginning.
  private mutating func retreat(from time: MediaTime, _ target: Target, _ known: Knowledge) -> Step {
    retreats += 1
    let end = known.info.duration
    let place = end.isNumeric ? min(time, end) : time
    guard place.isNumeric, let start = TimeTarget.start(for: place, attempts: retreats) else { return rewind(known) }
    return seek(to: start, target, known)
  }

  // MARK: - Looking at what comes

  /// Notes a frame from a `.decode` step, or from reading on without a target.
  mutating func didDecode(_ timing: FrameTiming, _ known: Knowledge) -> Step {
    var run = run ?? Run(isFromStart: false)
    run.count += 1
    run.previous = run.latest
    run.latest = timing
    self.run = run
    guard let target else { return .decode }
    return check(classify(timing, run, target, known), target, known)
  }

  /// Notes that the source has no more frames.
  mutating func didReachEnd(_ known: Knowledge) -> Step {
    run?.hasEnded = true
    guard let target else { return .decode }
    return check(classifyEnd(target, known), target, known)
  }

  /// Starts over if the frame is not certain, since the source may know a better starting point by now.
  private mutating func check(_ step: Step, _ target: Target, _ known: Knowledge) -> Step {
    let found =
      switch step {
      case .latest: run?.latest
      case .previous: run?.previous
      case .seek, .rewind, .decode, .failure: nil as FrameTiming?
      }
    guard let found, target.isExact, !found.isCertain, known.info.canSeek, doubts < Self.maxDoubts else { return step }
    doubts += 1
    run = nil
    return approach(target, known)
  }

  private mutating func classify(_ timing: FrameTiming, _ run: Run, _ target: Target, _ known: Knowledge) -> Step {
    switch target {
    case .number(let number):
      return run.count > number ? .latest : .decode
    case .frame(let sought):
      if timing.originalPTS == sought.originalPTS { return .latest }
      // Times given to jumping timestamps during playback can be found again only by reading everything.
      guard timing.pts > sought.pts + Self.beyond, !run.isFromStart else { return .decode }
      return retreat(from: sought.pts, target, known)
    case .time(let sought):
      switch sought.classify(timing, hasFormer: run.previous != nil, isFromStart: run.isFromStart) {
      case .onTheWay: return .decode
      case .found: return .latest
      case .foundBefore: return .previous
      case .tooLate: return retreat(from: sought.time, target, known)
      }
    }
  }

  private mutating func classifyEnd(_ target: Target, _ known: Knowledge) -> Step {
    let isFromStart = run?.isFromStart ?? true
    switch target {
    case .frame(let sought):
      guard !isFromStart else { return .failure(PlaybackError(.damaged, "this frame could not be decoded again")) }
      return retreat(from: sought.pts, target, known)
    case .number:
      guard let run, run.latest != nil else { return .failure(.nothingDecodable) }
      return .failure(PlaybackError.noSuchFrame(of: run.count))
    case .time(let sought):
      if run?.latest != nil { return .latest }
      guard !isFromStart else { return .failure(.nothingDecodable) }
      return retreat(from: sought.time, target, known)
    }
  }
}
