import Playback

extension Storyboard {
  /// Tracks whose length has to be found out by whoever opens what they play.
  public var tracksWithoutLength: [TrackID] { trackIDs.filter { self[$0].length == nil } }

  /// Takes lengths of tracks that were found out: of what is played of the source, from the in point to the end.
  ///
  /// A length that was told or that follows from both points stays. `problems()` afterwards knows of events that lie
  /// outside of their tracks.
  public mutating func resolve(lengths: [TrackID: MediaTime]) {
    for (id, length) in lengths where scenes.indices.contains(id.scene) {
      guard scenes[id.scene].tracks.indices.contains(id.track), self[id].length == nil else { continue }
      scenes[id.scene].tracks[id.track].length = length
    }
  }
}
