import Playback

/// The tracks of a scene joined into one composition, with their ranges and the times of their events.
///
/// All times are exact if one 31-bit timescale can hold them; see `isExact`.
public struct SceneTimeline: Sendable {
  /// An event and its time in the composition.
  public struct Event: Hashable, Sendable {
    /// The kind.
    public let kind: StoryboardEvent.Kind
    /// The time in the composition.
    public let time: MediaTime
    /// The time in the track.
    public let trackTime: MediaTime
    /// The track it belongs to.
    public let track: Storyboard.TrackID
  }

  /// The range of each track in the composition, in the scene's order.
  public let ranges: [TimeRange]
  /// The events of each track in the order of delivery: by time, then start, show, hide, decision, named events in file
  /// order.
  public let eventsByTrack: [[Event]]

  /// Joins a scene's tracks; nil if the length of one is unknown.
  ///
  /// - Parameter scene: the scene's index in the storyboard.
  public init?(_ storyboard: Storyboard, scene: Int) {
    var start = MediaTime.zero
    var ranges: [TimeRange] = []
    var events: [[Event]] = []
    for (index, track) in storyboard.scenes[scene].tracks.enumerated() {
      guard let length = track.length, length.isNumeric else { return nil }
      let id = Storyboard.TrackID(scene: scene, track: index)
      let retimed = track.allEvents.compactMap { event in
        event.moment.time(length: length).map { Event(kind: event.kind, time: start + $0, trackTime: $0, track: id) }
      }
      // Stable, so that named events stay in file order.
      events.append(
        retimed.enumerated().sorted {
          ($0.element.trackTime, $0.element.kind.rank, $0.offset) < (
            $1.element.trackTime, $1.element.kind.rank, $1.offset
          )
        }
        .map(\.element))
      ranges.append(TimeRange(start: start, duration: length))
      start = start + length
    }
    self.ranges = ranges
    eventsByTrack = events
  }

  /// The duration of the scene's composition.
  public var length: MediaTime { ranges.last?.end ?? .zero }

  /// All events, in order; those at the end of a track come before those at the start of the next.
  public var events: [Event] { eventsByTrack.flatMap { $0 } }

  /// True if no time had to be rounded.
  public var isExact: Bool { !length.hasBeenRounded && !events.contains { $0.time.hasBeenRounded } }
}
