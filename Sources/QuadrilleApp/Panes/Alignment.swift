import Playback
import Terminal

/// Which places of several clips belong together: for each member how far its time is from a common one.
///
/// Aligned clips are steered as one that has the moments that all of them have. A value without players or panes.
struct Alignment: Equatable {
  /// Whether the offsets are kept, or are what they were before a member went somewhere alone.
  enum State: Equatable { case kept, lapsed }

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

  private(set) var state = State.kept
  /// By pane, as `PaneIdentifier` has them.
  private(set) var offsets: [PaneIdentifier: MediaTime]

  init(offsets: [PaneIdentifier: MediaTime]) { self.offsets = offsets }

  mutating func lapse() { state = .lapsed }

  mutating func remove(_ pane: PaneIdentifier) { offsets[pane] = nil }

  /// Where all members go when one of them is to go to a time: as near to it as all can come.
  ///
  /// - Parameter reference: the index of the member that leads.
  static func targets(_ members: [Member], reference: Int, time: MediaTime) -> [MediaTime] {
    let wanted = time - members[reference].offset
    let common = range(of: members).map { min(max(wanted, $0.lowerBound), $0.upperBound) } ?? wanted
    let lead = members[reference].frame(common + members[reference].offset)
    let tolerance = lead.map { min(rounding, $0.duration * 0.25) } ?? rounding
    return members.enumerated().map { index, member in
      let target = common + member.offset
      // The one that leads is where it was asked to be, unless another has no such moment.
      guard index != reference || common != wanted, let frame = member.frame(target + tolerance) else { return target }
      // A frame that begins a little late belongs to the moment before.
      return max(target, frame.pts)
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

/// How far a pane is from the first one, as people write it: "2:+3f", "2:-0.5".
public struct PaneOffset: Hashable, Sendable {
  public enum Amount: Hashable, Sendable {
    case frames(Int)
    case time(MediaTime)
  }

  /// Number of the pane, from 1.
  public var pane: Int
  public var amount: Amount

  /// Reads a pane's number, a colon, a sign, and frames ("3f") or a time as a clock shows it.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let pane = Int(text[..<colon]), (2...PlayOptions.mostClips) ~= pane else { return nil }
    var rest = text[text.index(after: colon)...]
    guard let sign = rest.popFirst(), sign == "+" || sign == "-" else { return nil }
    if rest.last == "f" {
      guard rest.dropLast().allSatisfy(\.isASCIIDigit), let count = Int(rest.dropLast()), count <= 1_000_000 else { return nil }
      amount = .frames(sign == "-" ? -count : count)
    } else {
      guard rest.first != "-", let time = MediaTime(clockText: String(rest)), time.isNumeric else { return nil }
      amount = .time(sign == "-" ? -time : time)
    }
    self.pane = pane
  }

  /// The offset as a time of a clip with so many frames a second; nil when it needs the rate and there is none.
  func time(frameRate: Double) -> MediaTime? {
    switch amount {
    case .time(let time): time
    case .frames(let count): frameRate > 0 ? MediaTime(seconds: Double(count) / frameRate, preferredTimescale: 1_000_000) : nil
    }
  }

  /// An offset in words: "+3 frames +0.100 s", or without frames where there is no rate.
  static func words(_ offset: MediaTime, frameRate: Double?) -> TerminalText {
    let milliseconds = Int((offset.seconds * 1000).rounded())
    let fraction = "\(1000 + milliseconds.magnitude % 1000)".dropFirst()
    let seconds: TerminalText = "\(milliseconds < 0 ? "-" : "+")\(milliseconds.magnitude / 1000).\(fraction) s"
    guard let frameRate, frameRate > 0 else { return seconds }
    let frames = Int((offset.seconds * frameRate).rounded())
    return "\(frames < 0 ? "-" : "+")\(frames.magnitude) frame\(frames.magnitude == 1 ? "" : "s") \(seconds)"
  }
}
