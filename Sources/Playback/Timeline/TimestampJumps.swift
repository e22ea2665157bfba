/// Finds jumps in the timestamps of MPEG streams, and corrects those after them so that time continues.
struct TimestampJumps {
  private let tick: Double
  private let mayJump: Bool
  /// The offset added to timestamps after a jump.
  private(set) var offset: Int64 = 0
  /// The offset before the latest jump.
  private(set) var formerOffset: Int64 = 0

  /// The smallest forward step of timestamps that counts as a jump, in seconds.
  static let seconds = 10.0
  /// The smallest step back that counts as a jump, in seconds: frames are in order, and joined recordings may be short.
  static let secondsBack = 1.0

  /// - Parameters:
  ///   - tick: seconds per tick.
  ///   - mayJump: true if the format's timestamps may be discontinuous.
  init(tick: Double, mayJump: Bool) {
    self.tick = tick
    self.mayJump = mayJump
  }

  mutating func forget() { (offset, formerOffset) = (0, 0) }

  /// Returns true if a timestamp is so far from the expected one that there must be a jump.
  static func isJump(seconds step: Double) -> Bool { step > seconds || step < -secondsBack }

  /// Corrects the next timestamp, detecting jumps.
  ///
  /// - Parameter expected: the expected timestamp, after correction; nil for the first.
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
