/// Finds frames of two players that belong together: a value without players.
struct PairMatcher {
  /// The state of a player at one host time.
  struct Moment {
    /// The clock's time, in nanoseconds of the item.
    var media: Int64
    /// The clock's rate; 0 if it is not running.
    var rate: Double
    /// The presentation time of the displayed frame if the player rests on it; nil while it runs or seeks.
    var resting: MediaTime?
  }

  /// The frames of one player that have been taken, oldest first; those rendered for another request are not kept.
  private struct Side {
    var request: RenderRequest?
    var recent: [(frame: RenderedFrame, due: HostTime, number: Int)] = []

    mutating func add(_ frame: RenderedFrame, due: HostTime, number: Int) {
      guard frame.request == request else { return }
      recent.append((frame, due, number))
      if recent.count > PairMatcher.capacity { recent.removeFirst() }
    }
  }

  /// Frames kept of each player, in which the partner of one that comes late is still found.
  private static let capacity = 6
  /// Numbers of both clips' frames: only frames with one number are paired while both players run; nil goes by the clocks.
  var numberings: (first: FrameNumbering, second: FrameNumbering)?

  /// The share of the shorter frame's duration for which both must be on display.
  private static let minOverlap = 0.25

  private var first = Side()
  private var second = Side()
  private var count = 0
  /// The numbers of the frames delivered last.
  private var delivered: (first: Int, second: Int)?
  /// The number of the first player's frames that were passed over, because their partner was missing.
  private(set) var dropped = 0

  /// Sets the requests; frames made for others are discarded.
  mutating func setRequests(first: RenderRequest?, second: RenderRequest?) {
    if first != self.first.request { self.first = Side(request: first) }
    if second != self.second.request { self.second = Side(request: second) }
  }

  var requests: (first: RenderRequest, second: RenderRequest)? {
    guard let one = first.request, let other = second.request else { return nil }
    return (one, other)
  }

  /// Adds the newest frames taken from the two players; nil where there is none.
  mutating func add(first frame: (RenderedFrame, due: HostTime)?, second other: (RenderedFrame, due: HostTime)?) {
    count += 1
    if let (frame, due) = frame { first.add(frame, due: due, number: count) }
    if let (frame, due) = other { second.add(frame, due: due, number: count) }
  }

  /// Takes the newest pair that has not been delivered; nil if there is none.
  mutating func takePair(_ one: Moment, _ other: Moment) -> FramePair? {
    guard let (i, j) = newestPair(one, other) else { return nil }
    let (a, b) = (first.recent[i], second.recent[j])
    if let delivered {
      guard delivered != (a.number, b.number), a.number >= delivered.first, b.number >= delivered.second else { return nil }
    }
    dropped += first.recent[..<i].count { $0.number > delivered?.first ?? 0 }
    delivered = (a.number, b.number)
    first.recent.removeFirst(i)
    second.recent.removeFirst(j)
    return FramePair(first: a.frame, second: b.frame, due: max(a.due, b.due))
  }

  private func newestPair(_ one: Moment, _ other: Moment) -> (Int, Int)? {
    guard let a = first.recent.indices.last, let b = second.recent.indices.last else { return nil }
    if let i = restingIndex(first, one), let j = restingIndex(second, other) { return (i, j) }
    // A player alone passes a still frame.
    if (one.rate == 0) != (other.rate == 0) {
      guard let still = one.rate == 0 ? restingIndex(first, one) : restingIndex(second, other) else { return nil }
      return one.rate == 0 ? (still, b) : (a, still)
    }
    let ratio = one.rate == 0 ? 1 : other.rate / one.rate
    for i in first.recent.indices.reversed() {
      if let j = second.recent.indices.reversed().first(where: { areTogether(i, $0, one, other, ratio) }) { return (i, j) }
    }
    return nil
  }

  private func restingIndex(_ side: Side, _ moment: Moment) -> Int? {
    moment.resting.flatMap { pts in side.recent.lastIndex { $0.frame.timing.pts == pts && !$0.frame.isApproximate } }
  }

  /// Returns true if two frames are on display together, as both clocks tell their distance.
  private func areTogether(_ i: Int, _ j: Int, _ one: Moment, _ other: Moment, _ ratio: Double) -> Bool {
    if let numberings {
      let number = numberings.first.number(at: first.recent[i].frame.timing.ptsNanoseconds)
      return number != nil && number == numberings.second.number(at: second.recent[j].frame.timing.ptsNanoseconds)
    }
    func place(_ time: Int64) -> Double { Double(other.media) + Double(time.saturatingSubtract(one.media)) * ratio }
    let (a, b) = (first.recent[i].frame.timing, second.recent[j].frame.timing)
    let (start, end) = (place(a.ptsNanoseconds), place(a.endNanoseconds))
    let (from, to) = (Double(b.ptsNanoseconds), Double(b.endNanoseconds))
    return min(end, to) - max(start, from) >= Self.minOverlap * min(end - start, to - from)
  }
}
