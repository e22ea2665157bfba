/// The pictures of a stream in the order in which they are shown, as its packets' time stamps tell.
///
/// Exists only where the stamps can be relied on: every packet has one, none twice, none jumps, and pictures come
/// in their order.
struct DisplayTimeline: Sendable {
  /// Ordinals in display order.
  let order: [Int32]
  /// Place in display order by ordinal; −1 for packets that are not shown.
  let ranks: [Int32]
  private let index: PacketIndex

  /// A step of the stamps in seconds that no stream of pictures takes where formats may jump.
  private static let jumpSeconds = 10.0

  /// - Parameters:
  ///   - tick: seconds of one tick.
  ///   - mayJump: whether the format's stamps may be discontinuous.
  init?(_ index: PacketIndex, tick: Double, mayJump: Bool) {
    guard index.keepsOrder else { return nil }
    var shown: [(pts: Int64, ordinal: Int32)] = []
    shown.reserveCapacity(index.count)
    for (ordinal, entry) in index.entries.enumerated() where !entry.isDiscarded {
      guard let pts = entry.pts else { return nil }
      shown.append((pts, Int32(ordinal)))
    }
    guard !shown.isEmpty else { return nil }
    shown.sort { ($0.pts, $0.ordinal) < ($1.pts, $1.ordinal) }
    for i in 1..<max(1, shown.count) {
      let (step, isTooFar) = shown[i].pts.subtractingReportingOverflow(shown[i - 1].pts)
      guard step > 0, !isTooFar, !mayJump || Double(step) * tick < Self.jumpSeconds else { return nil }
    }
    // What was decoded before a start point is shown before it: else the stamps go back in mid-stream.
    var latest = Int64.min
    for entry in index.entries where !entry.isDiscarded {
      guard let pts = entry.pts else { continue }
      guard entry.start != .trusted || pts > latest else { return nil }
      latest = max(latest, pts)
    }
    var ranks = [Int32](repeating: -1, count: index.count)
    for (rank, picture) in shown.enumerated() { ranks[Int(picture.ordinal)] = Int32(rank) }
    order = shown.map(\.ordinal)
    self.ranks = ranks
    self.index = index
  }

  var count: Int { order.count }

  /// PTS in ticks of the picture at a place in display order.
  func pts(rank: Int) -> Int64 { index.entries[Int(order[rank])].pts ?? 0 }

  /// Place in display order of a packet's picture; nil when it is not shown.
  func rank(ordinal: Int) -> Int? {
    guard ranks.indices.contains(ordinal), ranks[ordinal] >= 0 else { return nil }
    return Int(ranks[ordinal])
  }

  /// The place of the picture that is shown at a time: the last that begins at or before it, else the first.
  func rank(at ticks: Int64) -> Int {
    max(0, order.partitioningIndex { (index.entries[Int($0)].pts ?? 0) > ticks } - 1)
  }
}
