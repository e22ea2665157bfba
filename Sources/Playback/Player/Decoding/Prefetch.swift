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

  /// Whether the source has to go elsewhere first.
  private(set) var needsSeek = true
  /// Whether the source could not go to the target, and begins at the beginning.
  private var beginsAtStart = false

  init(_ reason: Reason, to target: MediaTime, mustBeCertain: Bool = false) {
    self.reason = reason
    self.target = target
    self.mustBeCertain = mustBeCertain
  }

  /// Where the source goes first; nil where it decodes on from where it is.
  var move: SourceMove? {
    guard needsSeek else { return nil }
    guard !beginsAtStart, target > .zero else { return .rewind }
    return .seek(target, mustBeCertain ? .mustBeCertain : [])
  }

  /// Whether a frame lies behind the stretch.
  func isPast(_ timing: FrameTiming) -> Bool { timing.pts > target }

  /// Decodes on from where the source is, rather than go elsewhere.
  mutating func decodeOn() { needsSeek = false }

  /// The source is where it had to go.
  mutating func didMove() { needsSeek = false }

  /// The source cannot go there: from the beginning then.
  mutating func moveDidFail() { beginsAtStart = true }

  /// What was decoded because nobody waited is waited for now.
  mutating func becomeAwaited() { reason = .goingBack }
}
