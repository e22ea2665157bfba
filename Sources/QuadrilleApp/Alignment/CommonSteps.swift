import Playback

/// The distances of panes that step together without being aligned.
///
/// They are kept until a pane moves otherwise. Taken anew before each step, they would add up what the panes go further or
/// less far than asked: to the start of a frame that is slightly late, or to an end of the clip.
struct CommonSteps {
  /// A pane's state before a step.
  struct Member {
    var pane: PaneIdentifier
    var time: MediaTime
    /// Times of its first and last frame.
    var range: ClosedRange<MediaTime>
    /// Returns the frame displayed at a time, if known.
    var frame: (MediaTime) -> FrameTiming?
  }

  private var offsets: [PaneIdentifier: MediaTime] = [:]
  /// The positions of the panes after the last step.
  private var places: [PaneIdentifier: MediaTime] = [:]

  /// Returns the seek targets when the first pane steps to a time.
  mutating func targets(_ members: [Member], time: MediaTime) -> [MediaTime] {
    let times = members.map { ($0.pane, $0.time) }
    let present = Dictionary(times) { first, _ in first }
    if present != places { offsets = present }
    let targets = Alignment.targets(
      members.map { .init(offset: offsets[$0.pane] ?? $0.time, range: $0.range, frame: $0.frame) }, reference: 0, time: time,
      isLimited: false)
    places = Dictionary(zip(members.map(\.pane), targets)) { first, _ in first }
    return targets
  }

  /// Returns the positions that panes go to when another one steps to a time.
  ///
  /// - Parameter includingLead: True to include the pane that leads.
  mutating func places(lead: PanePlace, others: [Pane], includingLead: Bool) -> [PanePlace] {
    let panes = [lead.pane] + others
    let members = panes.map {
      Member(pane: ObjectIdentifier($0), time: $0.player.currentTime(), range: $0.frameTimes, frame: $0.player.timing(at:))
    }
    return Array(zip(panes, targets(members, time: lead.time)).dropFirst(includingLead ? 0 : 1)).map { ($0, $1) }
  }
}
