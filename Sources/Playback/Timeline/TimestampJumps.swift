/// Finds where the time stamps of MPEG streams jump, and moves those behind so that time goes on.
struct TimestampJumps {
  private let tick: Double
  private let mayJump: Bool
  /// Added to stamps after a jump.
  private(set) var offset: Int64 = 0

  /// A step of the time stamps that no stream of frames takes.
  static let seconds = 10.0

  /// - Parameters:
  ///   - tick: seconds of one tick.
  ///   - mayJump: whether the format's time stamps may be discontinuous.
  init(tick: Double, mayJump: Bool) {
    self.tick = tick
    self.mayJump = mayJump
  }

  mutating func forget() { offset = 0 }

  /// Moves the next stamp to the timeline that goes on, and learns how far.
  ///
  /// - Parameter expected: what follows from the stamp before, moved; nil for the first.
  mutating func move(_ stamp: Int64, expected: Int64?) -> Int64 {
    let found = stamp &+ offset
    guard mayJump, let expected, abs(Double(found &- expected) * tick) > Self.seconds else { return found }
    offset = offset &+ (expected &- found)
    return expected
  }
}
