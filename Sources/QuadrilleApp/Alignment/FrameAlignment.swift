import Measuring
import Playback

/// Clips aligned frame by frame: for each, which frames of a common reference its frames are. A value without players or panes.
struct FrameAlignment {
  /// A place of a clip that goes along with another.
  struct Place: Equatable {
    /// Nanoseconds of the item.
    var time: Int64
    /// False if the clip lacks the frame that the other shows; the place is then that of an earlier frame.
    var hasPartner: Bool
  }

  /// One of the clips.
  struct Member {
    let numbering: FrameNumbering
    /// For each number of the reference the first frame that has it; if there is none, that of the number before.
    private let frames: [Int]
    /// For each frame its number; if it has none, that of the frame before.
    private let numbers: [Int]
    /// Numbers from one frame to the next: frames that a lower frame rate leaves out are not missing.
    private let step: Int

    init(_ numbering: FrameNumbering, numberCount: Int, rate: Double = 1) {
      self.numbering = numbering
      step = max(1, Int(min(max(rate, 1), 16).rounded()))
      var first = [Int?](repeating: nil, count: numberCount)
      for (frame, number) in numbering.numbers.enumerated() {
        if let number, first.indices.contains(number), first[number] == nil { first[number] = frame }
      }
      var latest = first.lazy.compactMap { $0 }.first ?? 0
      frames = first.map { frame in
        latest = frame ?? latest
        return latest
      }
      var number = numbering.numbers.lazy.compactMap { $0 }.first ?? 0
      numbers = numbering.numbers.map { known in
        number = known ?? number
        return number
      }
    }

    /// The number of a frame, or of one before, and whether it is the frame's own.
    func number(of frame: Int) -> (number: Int, isOwn: Bool) { (numbers[frame], numbering.numbers[frame] != nil) }

    /// The frame with a number, or with one before, and whether it may be shown for that number.
    func frame(of number: Int) -> (frame: Int, isPartner: Bool)? {
      guard frames.indices.contains(number), numbering.times.indices.contains(frames[number]) else { return nil }
      let own = numbering.numbers[frames[number]]
      return (frames[number], own.map { (0..<step).contains(number - $0) } ?? false)
    }

    /// The duration of a frame in nanoseconds, or of one near it.
    func duration(of frame: Int) -> Int64 {
      let times = numbering.times
      guard times.count > 1 else { return 0 }
      let index = min(frame, times.count - 2)
      return times[index + 1].saturatingSubtract(times[index])
    }
  }

  /// The pane of the reference.
  let reference: PaneIdentifier
  private(set) var members: [PaneIdentifier: Member]

  /// - Parameter clips: at least one; all with the same reference.
  init?(reference: PaneIdentifier, clips: [PaneIdentifier: AlignedClip]) {
    guard let first = clips.values.first else { return nil }
    self.reference = reference
    let count = first.reference.times.count
    members = clips.mapValues { Member($0.candidate, numberCount: count, rate: $0.map.rate) }
    members[reference] = Member(first.reference, numberCount: count)
  }

  /// Returns nil if nothing is left that could be aligned.
  func removing(_ pane: PaneIdentifier) -> FrameAlignment? {
    var rest = self
    rest.members[pane] = nil
    return pane == reference || rest.members.count < 2 ? nil : rest
  }

  /// The number of leading frames looked at to find out for how long a frame has been shown.
  private static let lookBack = 8

  /// The place of a clip when another one is at a time, in nanoseconds; nil if one of them is not aligned.
  func place(of follower: PaneIdentifier, leader: PaneIdentifier, at time: Int64) -> Place? {
    guard let lead = members[leader], let other = members[follower], let frame = lead.numbering.frame(at: time) else { return nil }
    func target(of frame: Int) -> (frame: Int, isPartner: Bool)? {
      let (number, isOwn) = lead.number(of: frame)
      return other.frame(of: number).map { ($0.frame, $0.isPartner && isOwn) }
    }
    guard let found = target(of: frame) else { return nil }
    // Several leading frames may have one partner.
    var first = frame
    while first > 0, frame - first < Self.lookBack, let before = target(of: first - 1), before == found { first -= 1 }
    let duration = Double(other.duration(of: found.frame))
    let limit = Int64(duration * (found.isPartner ? 0.9 : 0.5))
    let passed = min(max(0, time.saturatingSubtract(lead.numbering.times[first])), limit)
    return Place(time: other.numbering.times[found.frame].saturatingAdd(passed), hasPartner: found.isPartner)
  }

  /// The numberings of two clips, to pair their frames; nil if one of them is not aligned.
  func numberings(_ one: PaneIdentifier, _ other: PaneIdentifier) -> (first: FrameNumbering, second: FrameNumbering)? {
    guard let first = members[one], let second = members[other] else { return nil }
    return (first.numbering, second.numbering)
  }
}
