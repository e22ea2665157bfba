import Libav

/// Finds breaks in a stream, where packets were lost or two streams were joined.
///
/// Frames after a break refer to other frames than they were made for. The decoder's output then depends on more than the
/// nearest random access point, unless that resets everything, so such points around a break prove nothing.
struct DiscontinuityDetector {
  private let mayJump: Bool
  private var last: (time: Int64, step: Int64)?
  /// The latest random access points since one that reset everything, at most two.
  private var before: [Int] = []
  /// True if a break was found.
  private(set) var hasFound = false
  /// The number of further start points that prove nothing.
  private var left = 0

  /// The number of start points after a break by which all its effects are gone.
  private static let maxAfter = 3
  /// The step of timestamps, relative to the step before, from which frames are missing.
  private static let jump = 1.75

  /// - Parameter mayJump: true if the format's timestamps may be discontinuous.
  init(mayJump: Bool) { self.mayJump = mayJump }

  /// Notes the next packet.
  ///
  /// - Returns: the ordinals of random access points that are now known not to be verifiable.
  mutating func note(_ packet: Packet, ordinal: Int, _ start: RandomAccess, isInstant: Bool) -> [Int] {
    let isBreak = compare(packet) && ordinal > 0
    if isBreak { hasFound = true }
    if isInstant {
      (before, left) = ([], 0)
      return []
    }
    var result: [Int] = []
    if isBreak {
      (result, before, left) = (before, [], Self.maxAfter)
    }
    guard start == .verified, ordinal > 0 else { return result }
    if left > 0 {
      left -= 1
      result.append(ordinal)
    }
    before = before.suffix(1) + [ordinal]
    return result
  }

  /// Compares a packet with the previous one; returns true if timestamps break off between them.
  private mutating func compare(_ packet: Packet) -> Bool {
    guard mayJump else { return packet.isCorrupt }
    guard let time = packet.dts else { return packet.isCorrupt }
    defer { last = (time, last.map { max(1, time &- $0.time) } ?? 0) }
    guard let last else { return packet.isCorrupt }
    let step = time &- last.time
    let usual = max(last.step, packet.duration)
    return packet.isCorrupt || step <= 0 || (usual > 0 && Double(step) > Self.jump * Double(usual))
  }
}
