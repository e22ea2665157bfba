/// Continues the timestamps of a source over interruptions and jumps: a value.
///
/// Times are microseconds. Where the source begins anew, its time goes on by what has passed in the meantime.
struct LiveTimeline {
  /// The offset from the source's time; nil before the first packet since it was opened.
  private var offset: Int64?
  /// The latest time, and when it arrived.
  private var last: (time: Int64, arrival: Int64)?

  /// A step forward or back, in microseconds, that is taken for a new beginning. Streams of one source may lie apart a little.
  private static let maxStep: (forward: Int64, back: Int64) = (5_000_000, 2_000_000)
  /// The step over an interruption, at least.
  private static let minGap: Int64 = 10_000

  /// Notes that the source has been opened again.
  mutating func begin() { offset = nil }

  /// Returns what to add to the source's timestamps from a packet on.
  ///
  /// - Parameters:
  ///   - time: the packet's decoding time.
  ///   - arrival: the present.
  mutating func place(_ time: Int64, arrival: Int64) -> Int64 {
    guard let last else {
      (offset, self.last) = (-time, (0, arrival))
      return -time
    }
    var offset = offset
    if let known = offset {
      let step = time &+ known &- last.time
      if step > Self.maxStep.forward + max(0, arrival - last.arrival) || step < -Self.maxStep.back { offset = nil }
    }
    let valid = offset ?? last.time + max(Self.minGap, arrival - last.arrival) &- time
    self.offset = valid
    self.last = (max(last.time, time &+ valid), arrival)
    return valid
  }
}
