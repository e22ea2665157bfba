/// A target frame given by its time: classifies each frame that comes, and decides where to start over.
struct TimeTarget: Hashable, Sendable {
  var time: MediaTime
  /// The frame may be on display at any time in `time` − before … `time` + after.
  var before = MediaTime.zero
  var after = MediaTime.zero

  enum Verdict {
    /// The target is still ahead.
    case onTheWay
    /// This frame is the target.
    case found
    /// The previous frame is the target.
    case foundBefore
    /// Decoding started after the target.
    case tooLate
  }

  /// Distances before the target from which to retry when decoding started too late; after these, from the beginning.
  static let backoff = [1, 5, 25].map { MediaTime(value: $0, timescale: 1) }

  /// Returns where decoding starts for a time after a number of attempts that started too late; nil for the beginning.
  static func start(for time: MediaTime, attempts: Int) -> MediaTime? {
    guard attempts <= backoff.count else { return nil }
    let start = attempts == 0 ? time : time - backoff[attempts - 1]
    return start > .zero ? start : nil
  }

  var isExact: Bool { before == .zero && after == .zero }

  /// - Parameters:
  ///   - hasFormer: true if an earlier frame came that starts at or before the target.
  ///   - isFromStart: true if decoding started at the beginning, so that nothing lies before.
  func classify(_ timing: FrameTiming, hasFormer: Bool, isFromStart: Bool) -> Verdict {
    if timing.pts <= time {
      // It suffices if it reaches into the tolerance, or is known to reach the target; otherwise the start of the next
      // decides.
      if before > .zero && timing.end > time - before { return .found }
      return timing.endIsExact && time < timing.end ? .found : .onTheWay
    }
    // The previous frame is on display until this one.
    if hasFormer { return .foundBefore }
    return isFromStart || (after > .zero && timing.pts <= time + after) ? .found : .tooLate
  }
}
