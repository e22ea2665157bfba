/// Continues the timestamps of a source over interruptions and jumps: a value.
///
/// Times are microseconds. Where the source begins anew, its time goes on by what has passed in the meantime.
struct LiveTimeline {
  /// The offset from the source's time; nil before the first packet since it was opened.
  private var offset: Int64?
  /// The latest time, and when it arrived.
  private var last: (time: Int64, arrival: Int64)?

  /// The number of packets in a row that came much later than they should have.
  private var heldBack = 0

  /// A step forward or back, in microseconds, that is taken for a new beginning. Streams of one source may lie apart a little.
  private static let maxStep: (forward: Int64, back: Int64) = (5_000_000, 2_000_000)
  /// The step over an interruption, at least.
  private static let minGap: Int64 = 10_000
  /// The delay in microseconds from which a packet counts as held back.
  private static let maxDelay: Int64 = 1_000_000
  /// The number of packets that a demuxer may hold back until the next ones arrive.
  private static let maxHeldBack = 3

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
    let passed = max(0, arrival - last.arrival)
    guard let offset, case let step = time &+ offset &- last.time,
      -Self.maxStep.back...Self.maxStep.forward + passed ~= step
    else {
      let new = last.time + max(Self.minGap, passed) &- time
      (self.offset, self.last, heldBack) = (new, (time &+ new, arrival), 0)
      return new
    }
    // The last packets before an interruption may come with the first ones after it: they do not tell its length.
    heldBack = passed > max(0, step) + Self.maxDelay ? heldBack + 1 : 0
    let isHeldBack = 1...Self.maxHeldBack ~= heldBack
    self.last = (max(last.time, time &+ offset), isHeldBack ? last.arrival + max(0, step) : arrival)
    return offset
  }
}
