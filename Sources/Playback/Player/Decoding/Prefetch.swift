/// A stretch of frames that is decoded for the cache only, while the display is in it.
struct Prefetch {
  enum Reason: Equatable {
    /// The display moves back towards them.
    case goingBack
    /// The display rests; nobody waits for them.
    case filling
  }

  private(set) var reason: Reason
  /// The stretch ends with the frame that holds this time.
  let target: MediaTime
  /// Whether decoding has to begin where it is known to be right.
  let mustBeCertain: Bool

  /// What a decoded frame means.
  enum Verdict: Equatable {
    /// It is one of the stretch.
    case inside
    /// It lies behind the stretch, all of which has come.
    case past
    /// The source came out behind the stretch: begin again, further back.
    case again
  }

  /// Whether the source has to go elsewhere first.
  private(set) var needsSeek = true
  /// Times that the source came out behind the stretch.
  private var attempts = 0
  /// Whether the source was sent to the stretch, and nothing of it has come yet.
  private var mayBeBehind = false

  init(_ reason: Reason, to target: MediaTime, mustBeCertain: Bool = false) {
    self.reason = reason
    self.target = target
    self.mustBeCertain = mustBeCertain
  }

  /// Where the source goes first; nil where it decodes on from where it is.
  var move: SourceMove? {
    guard needsSeek else { return nil }
    guard let place else { return .rewind }
    return .seek(place, mustBeCertain ? .mustBeCertain : attempts > 0 ? .withFreshDecoder : [])
  }

  /// Where to begin now; nil for the beginning.
  private var place: MediaTime? { TimeTarget.start(for: target, attempts: attempts) }

  /// Decodes on from where the source is, rather than go elsewhere.
  mutating func decodeOn() { needsSeek = false }

  /// The source is where it had to go.
  mutating func didMove() {
    needsSeek = false
    mayBeBehind = true
  }

  /// The source cannot go there: from the beginning then.
  mutating func moveDidFail() { attempts = TimeTarget.backoff.count + 1 }

  mutating func didDecode(_ timing: FrameTiming) -> Verdict {
    guard timing.pts > target else {
      mayBeBehind = false
      return .inside
    }
    return beginEarlier() ? .again : .past
  }

  /// There are no more frames; returns whether it begins again, further back.
  mutating func didReachEnd() -> Bool { beginEarlier() }

  /// Begins further back, where the source has come out behind the stretch and somebody waits for it.
  private mutating func beginEarlier() -> Bool {
    guard mayBeBehind, reason == .goingBack, place != nil else { return false }
    attempts += 1
    needsSeek = true
    return true
  }

  /// What was decoded because nobody waited is waited for now.
  mutating func becomeAwaited() { reason = .goingBack }
}
