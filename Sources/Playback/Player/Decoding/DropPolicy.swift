/// Decides which frames to skip or drop when the machine is too slow for all of them.
struct DropPolicy {
  /// The frames that decoding skips.
  private(set) var discard = DiscardLevel.nothing
  /// The frames that decoding ahead for reverse playback skips.
  private(set) var discardGoingBack = DiscardLevel.nothing
  /// Since when frames have come out too late, one after another.
  private var lateSince: HostTime?
  /// True if another player that shares the pool is behind for lack of threads.
  private var isReliefWanted = false
  private var load = LaneLoad()
  /// Host time when a frame was last rendered.
  private var lastRender: HostTime = 0
  /// No jump to catch up before this host time.
  private var noJumpBefore: HostTime = 0
  /// On the way back a late display gets what it has missed only after this host time.
  private var noCatchUpBefore: HostTime = 0

  /// Nanoseconds a frame may be late before frames are left out of decoding, and before only keyframes are kept.
  static let maxLatenessForReferences: Int64 = 250_000_000
  private static let maxLatenessForKeys: Int64 = 1_000_000_000
  /// Later than this, going to a nearer keyframe is tried; nanoseconds.
  private static let maxLatenessForJump: Int64 = 3_000_000_000
  /// So long, in nanoseconds, all players leave frames out after one of them was late for want of threads.
  static let reliefTime: HostTime = 300_000_000
  /// However late, a frame is shown this often; nanoseconds.
  private static let sluggish: Int64 = 100_000_000
  /// The display may be so many nanoseconds late on the way back without leaving a frame out.
  private static let maxCatchUp: HostTime = 500_000_000
  /// One that had to leave some out is too slow: for so many nanoseconds it gets the newest.
  private static let catchUpPause: HostTime = 5_000_000_000

  /// The fate of a frame decoded for the queue.
  struct Verdict: Equatable {
    /// True if it is worth rendering.
    var isShown = true
    /// True if the source seeks to the present time rather than decode everything up to it.
    var jumps = false
  }

  /// The conditions under which a frame's fate is decided.
  struct Circumstances {
    /// Nanoseconds of host time since it should have gone; below 0 while it is in time.
    var late: Int64
    /// True if a keyframe may lie between it and the present.
    var isKeyAhead: Bool
    /// True if decoding can begin with it.
    var isStart: Bool
    /// Frames that wait.
    var queued: Int
  }

  /// A decoded frame; late ones are not shown, and when that is not enough, not decoded.
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
      // A late frame that moves is better than one that stands until a keyframe comes.
      if late < 0 || (!frame.isKeyAhead && frame.isStart) { discard = .nonReference }
    }
    var verdict = Verdict()
    if late > Self.maxLatenessForJump && frame.isKeyAhead { verdict.jumps = tryJump(at: host) }
    verdict.isShown = late <= 0 || host - lastRender >= Self.sluggish
    return verdict
  }

  /// Nothing is late: nothing is left out from here on.
  mutating func stopDiscarding() {
    discard = .nothing
    lateSince = nil
  }

  /// Tries a jump to the present; false where one was tried a short while ago.
  mutating func tryJump(at host: HostTime) -> Bool {
    guard host >= noJumpBefore else { return false }
    noJumpBefore = host + 2 * Self.maxLatenessForJump
    return true
  }

  mutating func didRender(at host: HostTime) { lastRender = host }

  // MARK: - Going back

  /// A frame is missing on the way back; where it goes fast, less is decoded from now on.
  mutating func didFallBehind(rate: Double) {
    if rate < -1 { discardGoingBack = DiscardLevel(rawValue: discardGoingBack.rawValue + 1) ?? .nonKey }
  }

  mutating func stopDiscardingGoingBack() { discardGoingBack = .nothing }

  /// Returns true if a display that is late on the way back gets the next frame rather than the newest.
  func mayCatchUp(rate: Double, due: HostTime, at host: HostTime) -> Bool {
    rate >= -1 && host >= noCatchUpBefore && host - due < Self.maxCatchUp
  }

  /// Frames were left out on the way back.
  mutating func didSkipGoingBack(at host: HostTime) { noCatchUpBefore = host + Self.catchUpPause }

  // MARK: - The lane

  mutating func willStep(at host: HostTime) { load.begin(at: host) }

  mutating func didStep(at host: HostTime, next: HostTime) { load.end(at: host, next: next) }

  mutating func setReliefWanted(_ wanted: Bool) { isReliefWanted = wanted }

  /// Returns true if this player is behind because it shares the pool, so that all players should skip frames.
  func needsRelief(late: Bool) -> Bool { discard != .nothing && late && load.isHeldUp }
}
