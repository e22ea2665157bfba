import Playback

/// An item of a storyboard's player: the composition of a scene, starting at one of its tracks.
struct StorySegment: Sendable {
  let item: PlayerItem
  let scene: Int
  /// The index of its first track.
  let firstTrack: Int
  /// The scene's time at its start.
  let offset: MediaTime

  func begins(with id: Storyboard.TrackID) -> Bool { scene == id.scene && firstTrack == id.track }

  /// Returns true if it contains a track.
  func has(_ id: Storyboard.TrackID) -> Bool { scene == id.scene && firstTrack <= id.track }

  /// The item's time for a time of the scene.
  func itemTime(_ sceneTime: MediaTime) -> MediaTime { sceneTime - offset }

  func nanoseconds(_ sceneTime: MediaTime) -> Int64 { itemTime(sceneTime).nanoseconds ?? .max }
}

/// The next jump of the story if no more choices are made: its destination and its time.
struct StoryPlan: Hashable, Sendable {
  /// The time at which the track is left, in the scene's time.
  let leavesAt: MediaTime
  let destination: StoryboardDestination
}

extension StoryPlan {
  /// The maximum number of steps to look ahead.
  private static let maxSteps = 2000

  /// Runs a copy ahead to its next jump; runs are deterministic. Nil if there is none within `maxSteps`.
  init?(_ run: StoryboardRun) {
    var run = run
    for _ in 0..<Self.maxSteps {
      guard let place = run.place, let stop = run.nextStop else { return nil }
      let sceneTime = place.sceneTime - place.trackTime + max(stop, place.trackTime)
      for effect in run.advance(toTrackTime: stop) {
        switch effect {
        case .go(let departure) where departure.manner == .jump:
          leavesAt = departure.leftAt ?? sceneTime
          destination = .track(departure.to)
          return
        case .ended:
          leavesAt = sceneTime
          destination = .end
          return
        default: break
        }
      }
    }
    return nil
  }
}
