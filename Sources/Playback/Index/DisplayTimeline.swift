import Libav

/// The pictures of a stream in the order in which they are shown, as its packets' time stamps tell, or a decode has told.
///
/// Exists only where the stamps can be relied on: every packet has one, none twice, none jumps, and pictures come
/// in their order; or where the whole stream has been decoded.
struct DisplayTimeline: Sendable {
  /// Ordinals in display order.
  let order: [Int32]
  /// Place in display order by ordinal; −1 for packets that are not shown.
  let ranks: [Int32]
  private let index: PacketIndex
  /// Whether pictures can be counted by packets; in broken streams some packets give no picture.
  let isCountable: Bool

  /// - Parameters:
  ///   - tick: seconds of one tick.
  ///   - mayJump: whether the format's stamps may be discontinuous.
  init?(_ index: PacketIndex, tick: Double, mayJump: Bool) {
    if let decoded = index.decoded {
      order = decoded.pictures.map(\.ordinal)
      ranks = decoded.ranks
      self.index = index
      isCountable = true
      return
    }
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
      guard step > 0, !isTooFar, !mayJump || Double(step) * tick < TimestampJumps.seconds else { return nil }
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
    isCountable = !index.isBroken
  }

  var count: Int { order.count }

  /// Whether it comes of a decode rather than of the packets' time stamps.
  var isDecoded: Bool { index.decoded != nil }

  /// When the picture at a place in display order is shown, in ticks that never go back.
  func ticks(rank: Int) -> Int64 {
    index.decoded.map { $0.pictures[rank].ticks } ?? index.entries[Int(order[rank])].pts ?? 0
  }

  /// The stream's own time stamp of the picture at a place in display order.
  func stamp(rank: Int) -> Int64? {
    if let decoded = index.decoded { return decoded.pictures[rank].stamp }
    return index.entries[Int(order[rank])].pts
  }

  /// Where the last picture ends, in ticks, where a decode has told.
  var end: Int64? { index.decoded?.end }

  /// Whether a decoded picture is the one at a place in display order; true where that cannot be told.
  func isThere(_ frame: DecodedFrame, rank: Int) -> Bool {
    guard let known = index.decoded?.pictures[rank].hash, known != 0 else { return true }
    return DecodedOrder.hash(of: frame) == known
  }

  /// Place in display order of a packet's picture; nil when it is not shown.
  func rank(ordinal: Int) -> Int? {
    guard ranks.indices.contains(ordinal), ranks[ordinal] >= 0 else { return nil }
    return Int(ranks[ordinal])
  }

  /// The place of the picture that is shown at a time: the last that begins at or before it, else the first.
  func rank(at ticks: Int64) -> Int {
    if let decoded = index.decoded { return max(0, decoded.pictures.partitioningIndex { $0.ticks > ticks } - 1) }
    return max(0, order.partitioningIndex { (index.entries[Int($0)].pts ?? 0) > ticks } - 1)
  }
}
