/// Finds where the time stamps of MPEG streams jump, and moves those behind so that time goes on.
struct TimestampJumps {
  private let tick: Double
  private let mayJump: Bool
  /// Added to stamps after a jump.
  private(set) var offset: Int64 = 0
  /// The offset before the latest jump.
  private(set) var formerOffset: Int64 = 0

  /// A step of the time stamps that no stream of frames takes.
  static let seconds = 10.0
  /// A step back that none takes: frames follow one another, and recordings that are joined may be short.
  static let secondsBack = 1.0

  /// - Parameters:
  ///   - tick: seconds of one tick.
  ///   - mayJump: whether the format's time stamps may be discontinuous.
  init(tick: Double, mayJump: Bool) {
    self.tick = tick
    self.mayJump = mayJump
  }

  mutating func forget() { (offset, formerOffset) = (0, 0) }

  /// Returns true if a stamp lies so far from what follows that it is behind a jump.
  static func isJump(seconds step: Double) -> Bool { step > seconds || step < -secondsBack }

  /// Moves the next stamp to the timeline that goes on, and learns how far.
  ///
  /// - Parameter expected: what follows from the stamp before, moved; nil for the first.
  mutating func move(_ stamp: Int64, expected: Int64?) -> Int64 {
    let found = stamp &+ offset
    guard mayJump, let expected else { return found }
    let step = seconds(found, since: expected)
    // After a single wrong timestamp, the timeline continues as before.
    let former = stamp &+ formerOffset
    if abs(step) > Self.secondsBack, formerOffset != offset, (0..<Self.secondsBack).contains(seconds(former, since: expected)) {
      (offset, formerOffset) = (formerOffset, offset)
      return former
    }
    guard Self.isJump(seconds: step) else { return found }
    (offset, formerOffset) = (offset &+ (expected &- found), offset)
    return expected
  }

  private func seconds(_ ticks: Int64, since start: Int64) -> Double { Double(ticks &- start) * tick }
}
