import Playback

/// Time offsets between clips: for each member, its distance from a common time.
///
/// Aligned clips act as one that covers only the times available in all of them. A value without players or panes.
struct Alignment: Equatable {
  /// The state of the offsets.
  enum State: Equatable {
    /// Members that were stepping have not arrived yet; the offsets follow them.
    case taking
    case kept
    /// A member has moved alone since.
    case lapsed
  }

  /// A snapshot of a member.
  struct Member {
    var offset: MediaTime
    /// Times of its first and last frame.
    var range: ClosedRange<MediaTime>
    /// Returns the frame displayed at a time, if known.
    var frame: (MediaTime) -> FrameTiming?
  }

  /// Lateness of a frame that is attributed to rounded file times; Matroska rounds to milliseconds.
  private static let rounding = MediaTime(value: 2, timescale: 1000)

  private(set) var state: State
  /// Offsets by pane.
  private(set) var offsets: [PaneIdentifier: MediaTime]

  init(offsets: [PaneIdentifier: MediaTime], isFinal: Bool = true) {
    self.offsets = offsets
    state = isFinal ? .kept : .taking
  }

  /// True unless the alignment has lapsed.
  var isKept: Bool { state != .lapsed }

  /// Makes the current offsets final.
  mutating func keep() { if state == .taking { state = .kept } }

  /// Changes the offset of a member.
  mutating func setOffset(_ offset: MediaTime, of pane: PaneIdentifier) {
    offsets[pane] = offset
    state = .kept
  }

  mutating func lapse() { state = .lapsed }

  mutating func remove(_ pane: PaneIdentifier) { offsets[pane] = nil }

  /// Seek targets for all members when one of them goes to a time, or as near to it as all can go.
  ///
  /// - Parameters:
  ///   - reference: Index of the leading member.
  ///   - isLimited: True if all stay at times that all have; otherwise each goes as far as it can.
  static func targets(_ members: [Member], reference: Int, time: MediaTime, isLimited: Bool = true) -> [MediaTime] {
    let leader = members[reference]
    let asked = time - leader.offset
    let common = (isLimited ? range(of: members) : nil).map { min(max(asked, $0.lowerBound), $0.upperBound) } ?? asked
    let lead = leader.frame(common + leader.offset)
    let tolerance = lead.map { min(rounding, $0.duration * 0.25) } ?? rounding
    // Start of the moment: with the leader's frame, or with the frame that limits all members.
    let start = common == asked ? lead.map { $0.pts - leader.offset } ?? common : common
    return members.enumerated().map { index, member in
      let moment = common + member.offset
      let target = isLimited ? moment : min(max(moment, member.range.lowerBound), member.range.upperBound)
      // The leader goes exactly where requested, unless another member has no such moment.
      guard index != reference || common != asked, let frame = member.frame(target + tolerance) else { return target }
      // A frame that starts slightly late belongs to this moment; one that the leader has not reached yet does not.
      return frame.pts - member.offset - start <= tolerance ? max(target, frame.pts) : target
    }
  }

  /// The common times that all members have; nil if there are none.
  static func range(of members: [Member]) -> ClosedRange<MediaTime>? {
    let first = members.map { $0.range.lowerBound - $0.offset }.max() ?? .zero
    let last = members.map { $0.range.upperBound - $0.offset }.min() ?? .zero
    return first <= last ? first...last : nil
  }
}

/// Identifies a pane, wherever it moves.
typealias PaneIdentifier = ObjectIdentifier
