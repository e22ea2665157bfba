import Playback

extension Storyboard {
  /// The tracks whose length is unknown until their source is opened.
  public var tracksWithoutLength: [TrackID] { trackIDs.filter { self[$0].length == nil } }

  /// Sets lengths of tracks that have been found: from the in point to the end of the source.
  ///
  /// A length that is given, or follows from the in and out points, is kept. Afterwards, `problems()` reports events outside
  /// their tracks.
  public mutating func resolve(lengths: [TrackID: MediaTime]) {
    for (id, length) in lengths where scenes.indices.contains(id.scene) {
      guard scenes[id.scene].tracks.indices.contains(id.track), self[id].length == nil else { continue }
      scenes[id.scene].tracks[id.track].length = length
    }
  }
}
