import Libav

/// Looks for breaks in a stream, where packets were lost or two streams were joined.
///
/// Frames after a break build on others than they were made for. What a decoder makes of them depends on more than
/// the nearest random access point lets it see, unless that resets everything; so such points around a break prove nothing.
struct DiscontinuityDetector {
  private let mayJump: Bool
  private var last: (time: Int64, step: Int64)?
  /// The latest random access points since one that reset everything, two at the most.
  private var before: [Int] = []
  /// True if there was a break.
  private(set) var hasFound = false
  /// Start points to come that prove nothing.
  private var left = 0

  /// Start points after a break until which all that came of it is gone.
  private static let maxAfter = 3
  /// A step of the time stamps, in steps before it, from which on frames are missing.
  private static let jump = 1.75

  /// - Parameter mayJump: whether the format's time stamps may be discontinuous.
  init(mayJump: Bool) { self.mayJump = mayJump }

  /// Takes note of the next packet.
  ///
  /// - Returns: ordinals of random access points that are not to be verified, as is known from now on.
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

  /// Compares a packet with the one before; true where the stamps break off between the two.
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
