import Playback

/// A scene's tracks joined to one composition: where each lies in it, and when their events happen there.
///
/// All times are exact as long as one timescale of 31 bits can hold them, which `isExact` says.
public struct SceneTimeline: Sendable {
  /// An event at its time in the composition.
  public struct Event: Hashable, Sendable {
    /// What happens.
    public let kind: StoryboardEvent.Kind
    /// When, in the composition's time.
    public let time: MediaTime
    /// When, in the track's own time.
    public let trackTime: MediaTime
    /// The track that it belongs to.
    public let track: Storyboard.TrackID
  }

  /// Where each track lies, in the scene's order.
  public let ranges: [TimeRange]
  /// The events of each track in the order in which they are told: by time, then start, show, hide, decision, those with
  /// names in the file's order.
  public let eventsByTrack: [[Event]]

  /// Joins a scene's tracks; nil where the length of one is not known.
  ///
  /// - Parameter scene: the scene's place in the storyboard.
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
      // Stable, so that names stay in the file's order.
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

  /// How long the scene's composition is.
  public var length: MediaTime { ranges.last?.end ?? .zero }

  /// All events in their order; those at the end of a track come before those at the start of the next.
  public var events: [Event] { eventsByTrack.flatMap { $0 } }

  /// Whether no time had to be rounded.
  public var isExact: Bool { !length.hasBeenRounded && !events.contains { $0.time.hasBeenRounded } }
}
