import Libav

/// The frames of a stream in display order, each with its packet, according to the packets' timestamps or to a decode.
///
/// Exists only if the timestamps are reliable (every packet has one, none repeats, none jumps, and frames come in their
/// order), or if the whole stream has been decoded.
struct PacketTimeline: Sendable {
  /// The packets' ordinals in display order.
  let ordinals: [Int32]
  /// Display indexes by ordinal; −1 for packets that are not shown.
  private let displayIndexes: [Int32]
  let packets: PacketIndex
  /// True if frames can be counted by packets; in broken streams some packets give no frame.
  let isCountable: Bool

  /// - Parameters:
  ///   - tick: seconds per tick.
  ///   - mayJump: true if the format's timestamps may be discontinuous.
  init?(_ packets: PacketIndex, tick: Double, mayJump: Bool) {
    if let decoded = packets.decoded {
      ordinals = decoded.frames.map(\.ordinal)
      displayIndexes = decoded.displayIndexes
      self.packets = packets
      isCountable = true
      return
    }
    guard packets.ptsOrderIsReliable else { return nil }
    var shown: [(pts: Int64, ordinal: Int32)] = []
    shown.reserveCapacity(packets.count)
    for (ordinal, entry) in packets.entries.enumerated() where !entry.isDiscarded {
      guard let pts = entry.pts else { return nil }
      shown.append((pts, Int32(ordinal)))
    }
    guard !shown.isEmpty else { return nil }
    shown.sort { ($0.pts, $0.ordinal) < ($1.pts, $1.ordinal) }
    for i in 1..<max(1, shown.count) {
      let (step, isTooFar) = shown[i].pts.subtractingReportingOverflow(shown[i - 1].pts)
      guard step > 0, !isTooFar, !mayJump || Double(step) * tick < TimestampJumps.seconds else { return nil }
    }
    // Frames decoded before a random access point are shown before it; otherwise timestamps go back in mid-stream.
    var latest = Int64.min
    for entry in packets.entries where !entry.isDiscarded {
      guard let pts = entry.pts else { continue }
      guard entry.randomAccess != .verified || pts > latest else { return nil }
      latest = max(latest, pts)
    }
    var displayIndexes = [Int32](repeating: -1, count: packets.count)
    for (index, frame) in shown.enumerated() { displayIndexes[Int(frame.ordinal)] = Int32(index) }
    ordinals = shown.map(\.ordinal)
    self.displayIndexes = displayIndexes
    self.packets = packets
    isCountable = !packets.hasDiscontinuity
  }

  var count: Int { ordinals.count }

  /// True if it is based on a decode rather than on packet timestamps.
  var isDecoded: Bool { packets.decoded != nil }

  /// Returns the display time of a frame, in ticks that never go back.
  func ticks(at displayIndex: Int) -> Int64 {
    packets.decoded.map { $0.frames[displayIndex].ticks } ?? packets.entries[Int(ordinals[displayIndex])].pts ?? 0
  }

  /// Returns the stream's own timestamp of a frame.
  func stamp(at displayIndex: Int) -> Int64? {
    if let decoded = packets.decoded { return decoded.frames[displayIndex].stamp }
    return packets.entries[Int(ordinals[displayIndex])].pts
  }

  /// The end of the last frame in ticks, if a decode has found it.
  var end: Int64? { packets.decoded?.end }

  /// Returns true if a decoded frame is the one at `displayIndex`, or if that is unknown.
  func matches(_ frame: DecodedFrame, at displayIndex: Int) -> Bool {
    guard let known = packets.decoded?.frames[displayIndex].hash, known != 0 else { return true }
    return DecodedOrder.hash(of: frame) == known
  }

  /// Returns the display index of a packet's frame; nil if it is not shown.
  func displayIndex(ofOrdinal ordinal: Int) -> Int? {
    guard displayIndexes.indices.contains(ordinal), displayIndexes[ordinal] >= 0 else { return nil }
    return Int(displayIndexes[ordinal])
  }

  /// Returns the index of the frame on display at a time: the last that starts at or before it, else the first.
  func displayIndex(at ticks: Int64) -> Int {
    if let decoded = packets.decoded { return max(0, decoded.frames.partitioningIndex { $0.ticks > ticks } - 1) }
    return max(0, ordinals.partitioningIndex { (packets.entries[Int($0)].pts ?? 0) > ticks } - 1)
  }

  /// Returns what the index says about a frame's packet.
  func entry(at displayIndex: Int) -> PacketIndex.Entry { packets.entries[Int(ordinals[displayIndex])] }

  /// Display indexes of the frames where decoding is known to start correctly, in order; the first is 0.
  var randomAccessFrames: [Int32] { frames { $0 == .verified } }

  /// Display indexes of all keyframes, also of those where decoding is not known to start correctly; the first is 0.
  var keyframes: [Int32] { frames { _ in true } }

  private func frames(where isWanted: (RandomAccess) -> Bool) -> [Int32] {
    var result: [Int32] = []
    for ordinal in packets.randomAccessPoints where isWanted(packets.entries[ordinal].randomAccess) {
      if let index = displayIndex(ofOrdinal: ordinal), index > 0 { result.append(Int32(index)) }
    }
    return [0] + result.sorted()
  }

  /// The timestamp in ticks before which all frames are known; nil if all are, or it is unknown.
  var knownUntil: Int64? { packets.isComplete ? nil : packets.entries.last?.dts }

  /// Returns true if nothing can come in between before these ticks any more.
  func isComplete(before ticks: Int64) -> Bool { packets.isComplete || knownUntil.map { ticks < $0 } ?? false }
}
