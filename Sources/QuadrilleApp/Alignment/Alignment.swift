import Playback

/// Which places of several clips belong together: for each member how far its time is from a common one.
///
/// Aligned clips are steered as one that has the moments that all of them have. A value without players or panes.
struct Alignment: Equatable {
  /// What the offsets are.
  enum State: Equatable {
    /// Members that were stepping come to their places yet; the offsets follow them.
    case taking
    case kept
    /// A member has gone somewhere alone since.
    case lapsed
  }

  /// A member as it is at one moment.
  struct Member {
    var offset: MediaTime
    /// When its first and its last frame are shown.
    var range: ClosedRange<MediaTime>
    /// The frame that is on display at a time, where that is known.
    var frame: (MediaTime) -> FrameTiming?
  }

  /// By how much a frame may begin late because its file rounds times, as Matroska does to milliseconds.
  private static let rounding = MediaTime(value: 2, timescale: 1000)

  private(set) var state: State
  /// By pane, as `PaneIdentifier` has them.
  private(set) var offsets: [PaneIdentifier: MediaTime]

  init(offsets: [PaneIdentifier: MediaTime], isFinal: Bool = true) {
    self.offsets = offsets
    state = isFinal ? .kept : .taking
  }

  /// Whether members are kept together.
  var isKept: Bool { state != .lapsed }

  /// Keeps the offsets as they are now.
  mutating func keep() { if state == .taking { state = .kept } }

  mutating func lapse() { state = .lapsed }

  mutating func remove(_ pane: PaneIdentifier) { offsets[pane] = nil }

  /// Where all members go when one of them is to go to a time: as near to it as all can come.
  ///
  /// - Parameter reference: the index of the member that leads.
  static func targets(_ members: [Member], reference: Int, time: MediaTime) -> [MediaTime] {
    let leader = members[reference]
    let asked = time - leader.offset
    let common = range(of: members).map { min(max(asked, $0.lowerBound), $0.upperBound) } ?? asked
    let lead = leader.frame(common + leader.offset)
    let tolerance = lead.map { min(rounding, $0.duration * 0.25) } ?? rounding
    // Where the moment begins: with the frame that leads, or with the one that bounds all of them.
    let start = common == asked ? lead.map { $0.pts - leader.offset } ?? common : common
    return members.enumerated().map { index, member in
      let target = common + member.offset
      // The one that leads is where it was asked to be, unless another has no such moment.
      guard index != reference || common != asked, let frame = member.frame(target + tolerance) else { return target }
      // A frame that begins a little late belongs to the moment before; one that the leader has yet to come to does not.
      return frame.pts - member.offset - start <= tolerance ? max(target, frame.pts) : target
    }
  }

  /// The common times that all members have; nil when there are none.
  static func range(of members: [Member]) -> ClosedRange<MediaTime>? {
    let first = members.map { $0.range.lowerBound - $0.offset }.max() ?? .zero
    let last = members.map { $0.range.upperBound - $0.offset }.min() ?? .zero
    return first <= last ? first...last : nil
  }
}

/// Tells panes apart, whatever becomes of their places.
typealias PaneIdentifier = ObjectIdentifier
