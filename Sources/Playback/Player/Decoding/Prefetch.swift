/// A range of frames decoded only for the cache, while the display is in the cache.
struct Prefetch {
  enum Reason: Equatable {
    /// The display moves back towards them.
    case goingBack
    /// The display is still, and nothing waits for them.
    case filling
    /// They form a loop pass that takes less time than the source needs to return to its start; playback waits for them.
    case pass
  }

  private(set) var reason: Reason
  /// The range ends with the frame on display at this time.
  let target: MediaTime
  /// True if decoding must start at a verified point.
  let mustBeCertain: Bool

  /// The meaning of a decoded frame for the prefetch.
  enum Verdict: Equatable {
    /// The frame belongs to the range.
    case inside
    /// The frame lies after the range, which is complete.
    case past
    /// The source came out after the range: start over, earlier.
    case again
  }

  private var route = SourceRoute()
  /// True if the source was sent to the range, and none of its frames has come yet.
  private var mayBeBehind = false

  init(_ reason: Reason, to target: MediaTime, mustBeCertain: Bool = false) {
    self.reason = reason
    self.target = target
    self.mustBeCertain = mustBeCertain
  }

  /// The source's next seek; nil if it decodes on from where it is.
  ///
  /// Uses a fresh decoder: a retained one that is within the range, or lacks frames, would leave a gap.
  var move: SourceMove? { route.move(to: target, mustBeCertain ? .mustBeCertain : .withFreshDecoder) }

  /// True if the source must seek first.
  var needsSeek: Bool { route.needsSeek }

  /// Decodes on from the current position instead of seeking.
  mutating func decodeOn() { route.stay() }

  /// Notes that the source has arrived.
  mutating func didMove() {
    route.stay()
    mayBeBehind = true
  }

  /// Notes that the source cannot seek there, and starts from the beginning.
  mutating func moveDidFail() { route.moveDidFail() }

  mutating func didDecode(_ timing: FrameTiming) -> Verdict {
    guard timing.pts > target else {
      mayBeBehind = false
      return .inside
    }
    return beginEarlier() ? .again : .past
  }

  /// Notes that there are no more frames; returns true if decoding starts again, earlier.
  mutating func didReachEnd() -> Bool { beginEarlier() }

  /// Starts earlier, if the source came out after the range and someone waits for it.
  private mutating func beginEarlier() -> Bool {
    guard mayBeBehind, reason == .goingBack, route.start(for: target) != nil else { return false }
    route.beginEarlier(than: target)
    return true
  }

  /// Makes playback wait for the prefetch.
  mutating func becomeAwaited() { reason = .goingBack }
}
