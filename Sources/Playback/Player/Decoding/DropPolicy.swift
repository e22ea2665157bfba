/// Decides which frames to skip or drop when the machine is too slow for all of them.
struct DropPolicy {
  /// The frames that decoding skips.
  private(set) var discard = DiscardLevel.nothing
  /// The frames that decoding ahead for reverse playback skips.
  private(set) var discardGoingBack = DiscardLevel.nothing
  /// The host time since which frames have been late without interruption.
  private var lateSince: HostTime?
  /// True if another player that shares the pool is behind for lack of threads.
  private var isReliefWanted = false
  private var load = LaneLoad()
  /// The host time of the latest rendering.
  private var lastRender: HostTime = 0
  /// The host time before which no jump to catch up is made.
  private var noJumpBefore: HostTime = 0
  /// The host time before which a late display in reverse playback does not get the frames it has missed.
  private var noCatchUpBefore: HostTime = 0

  /// Lateness in nanoseconds from which frames are skipped in decoding, and from which only keyframes are kept.
  static let maxLatenessForReferences: Int64 = 250_000_000
  private static let maxLatenessForKeys: Int64 = 1_000_000_000
  /// Lateness in nanoseconds from which a jump to a nearer keyframe is tried.
  private static let maxLatenessForJump: Int64 = 3_000_000_000
  /// The time in nanoseconds for which all players skip frames after one of them was late for lack of threads.
  static let reliefTime: HostTime = 300_000_000
  /// The interval in nanoseconds at which a frame is shown, however late.
  private static let sluggish: Int64 = 100_000_000
  /// The lateness of the display in nanoseconds that reverse playback tolerates without dropping a frame.
  private static let maxCatchUp: HostTime = 500_000_000
  /// The time in nanoseconds for which a display that had to drop frames gets only the newest.
  private static let catchUpPause: HostTime = 5_000_000_000

  /// The fate of a frame decoded for the queue.
  struct Verdict: Equatable {
    /// True if it is worth rendering.
    var isShown = true
    /// True if the source should seek to the current time rather than decode everything up to it.
    var jumps = false
  }

  /// The conditions under which a frame's fate is decided.
  struct Circumstances {
    /// Lateness in nanoseconds of host time; negative while it is in time.
    var late: Int64
    /// True if a keyframe may lie between it and the current time.
    var isKeyAhead: Bool
    /// True if decoding can start with it.
    var isStart: Bool
    /// The number of waiting frames.
    var queued: Int
  }

  /// Decides the fate of a decoded frame: late ones are dropped, and if that is not enough, decoding skips frames.
  mutating func decide(_ frame: Circumstances, at host: HostTime) -> Verdict {
    let late = frame.late
    lateSince = late > 0 ? lateSince ?? host : nil
    switch discard {
    case .nothing:
      // If playback is always slightly late, its frames are decoded in vain.
      let hasLasted = lateSince.map { host - $0 > Self.maxLatenessForReferences } ?? false
      if late > Self.maxLatenessForReferences || hasLasted || isReliefWanted { discard = .nonReference }
    case .nonReference:
      if late > Self.maxLatenessForKeys && frame.isKeyAhead {
        discard = .nonKey
      } else if late < 0 && frame.queued > 2 && !isReliefWanted {
        discard = .nothing
      }
    case .nonKey:
      // A late moving image is better than one that freezes until a keyframe comes.
      if late < 0 || (!frame.isKeyAhead && frame.isStart) { discard = .nonReference }
    }
    var verdict = Verdict()
    if late > Self.maxLatenessForJump && frame.isKeyAhead { verdict.jumps = tryJump(at: host) }
    verdict.isShown = late <= 0 || host - lastRender >= Self.sluggish
    return verdict
  }

  /// Stops skipping, since nothing is late.
  mutating func stopDiscarding() {
    discard = .nothing
    lateSince = nil
  }

  /// Allows a jump to the current time; returns false if one was tried recently.
  mutating func tryJump(at host: HostTime) -> Bool {
    guard host >= noJumpBefore else { return false }
    noJumpBefore = host + 2 * Self.maxLatenessForJump
    return true
  }

  mutating func didRender(at host: HostTime) { lastRender = host }

  // MARK: - Going back

  /// Notes that a frame is missing in reverse playback; at high speed, less is decoded from now on.
  mutating func didFallBehind(rate: Double) {
    if rate < -1 { discardGoingBack = DiscardLevel(rawValue: discardGoingBack.rawValue + 1) ?? .nonKey }
  }

  mutating func stopDiscardingGoingBack() { discardGoingBack = .nothing }

  /// Returns true if a display that is late on the way back gets the next frame rather than the newest.
  func mayCatchUp(rate: Double, due: HostTime, at host: HostTime) -> Bool {
    rate >= -1 && host >= noCatchUpBefore && host - due < Self.maxCatchUp
  }

  /// Notes that frames were dropped in reverse playback.
  mutating func didSkipGoingBack(at host: HostTime) { noCatchUpBefore = host + Self.catchUpPause }

  // MARK: - The lane

  mutating func willStep(at host: HostTime) { load.begin(at: host) }

  mutating func didStep(at host: HostTime, next: HostTime) { load.end(at: host, next: next) }

  mutating func setReliefWanted(_ wanted: Bool) { isReliefWanted = wanted }

  /// Returns true if this player is behind because it shares the pool, so that all players should skip frames.
  func needsRelief(late: Bool) -> Bool { discard != .nothing && late && load.isHeldUp }
}
