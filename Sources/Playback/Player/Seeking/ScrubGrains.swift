/// Decides which short pieces of sound are heard while the user steps or seeks with the clock at rest: those of the frames that are
/// reached.
struct ScrubGrains {
  /// See `Player.soundsWhileScrubbing`.
  var isEnabled = false {
    didSet { if !isEnabled { current = nil } }
  }
  /// The piece of the frame reached last; nil for none.
  private(set) var current: SoundCourse.Grain?
  private var count = 0

  /// The user has reached a frame.
  mutating func didReach(_ frame: FrameTiming, isResting: Bool) {
    guard isEnabled, isResting, let start = frame.pts.clockNanoseconds else { return current = nil }
    count += 1
    current = SoundCourse.Grain(start: start, number: count)
  }
}
