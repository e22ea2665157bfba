/// A place where a candidate does not simply go on as the reference does.
public struct AlignmentEvent: Hashable, Codable, Sendable {
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    /// A few frames of the reference are missing.
    case dropped
    /// More than a few frames of the reference are missing.
    case removed
    /// A frame of the reference is shown for a few frames more.
    case repeated
    /// A frame of the reference is shown for longer.
    case frozen
    /// Candidate frames are not in the reference.
    case inserted
    /// The candidate goes back in the reference.
    case swapped
  }

  public var kind: Kind
  /// The candidate frames concerned; empty at the frame before which something is missing.
  public var candidate: Range<Int>
  /// The reference frames concerned. For inserted frames, empty at the frame after which they come.
  public var reference: Range<Int>
  /// 0…1: that of the frames on both sides. At 0.5 and above, the event is sure.
  public var confidence: Float

  public var isSure: Bool { confidence >= 0.5 }

  public init(kind: Kind, candidate: Range<Int>, reference: Range<Int>, confidence: Float = 1) {
    self.kind = kind
    self.candidate = candidate
    self.reference = reference
    self.confidence = confidence
  }

  /// Up to so many frames are dropped or repeated; more are removed or frozen.
  public static let few = 4

  /// The events of a map whose reference frames are normally `rate` (rounded, at least 1) apart.
  public static func events(of frames: [Int?], rate: Double = 1) -> [AlignmentEvent] {
    let step = max(1, Int(rate.rounded()))
    guard let first = frames.firstIndex(where: { $0 != nil }), let last = frames.lastIndex(where: { $0 != nil }),
      var before = frames[first]
    else { return [] }
    var events: [AlignmentEvent] = []
    func moveOn(to c: Int, _ r: Int) {
      let expected = before + step
      if r > expected {
        let count = r - expected
        events.append(
          AlignmentEvent(kind: count > few ? .removed : .dropped, candidate: c..<c, reference: expected..<r))
      } else if r < before {
        events.append(AlignmentEvent(kind: .swapped, candidate: c..<c, reference: r..<before))
      }
    }
    var c = first + 1
    while c <= last {
      guard let r = frames[c] else {
        let begin = c
        while c < last, frames[c] == nil { c += 1 }
        events.append(AlignmentEvent(kind: .inserted, candidate: begin..<c, reference: before..<before))
        if let r = frames[c] {
          moveOn(to: c, r)
          before = r
        }
        c += 1
        continue
      }
      if r == before {
        let begin = c
        while c <= last, frames[c] == before { c += 1 }
        events.append(
          AlignmentEvent(
            kind: c - begin > few ? .frozen : .repeated, candidate: begin..<c, reference: before..<before + 1))
        continue
      }
      moveOn(to: c, r)
      before = r
      c += 1
    }
    return events
  }
}
