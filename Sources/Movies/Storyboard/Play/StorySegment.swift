import Playback

/// An item of a storyboard's player: the composition of a scene from one of its tracks on.
struct StorySegment: Sendable {
  let item: PlayerItem
  let scene: Int
  /// The track with which it begins.
  let firstTrack: Int
  /// The scene's time at which it begins.
  let offset: MediaTime

  func begins(with id: Storyboard.TrackID) -> Bool { scene == id.scene && firstTrack == id.track }

  /// Whether a track is in it.
  func has(_ id: Storyboard.TrackID) -> Bool { scene == id.scene && firstTrack <= id.track }

  /// The item's time of a time of the scene.
  func itemTime(_ sceneTime: MediaTime) -> MediaTime { sceneTime - offset }

  func nanoseconds(_ sceneTime: MediaTime) -> Int64 { itemTime(sceneTime).nanoseconds ?? .max }
}

/// Where the story, as it stands, goes by itself: to which track the next jump leads, and when.
struct StoryPlan: Hashable, Sendable {
  /// When its track is left, in the scene's time.
  let leavesAt: MediaTime
  let destination: StoryboardDestination
}

extension StoryPlan {
  /// Events that are looked through at the most.
  private static let maxSteps = 2000

  /// Lets the run decide beforehand: it always decides the same. Nil where it goes on for very long without a jump.
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
