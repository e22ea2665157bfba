/// What needs a whole storyboard: which tracks lead where, and whether times are exact.
extension StoryboardCheck {
  mutating func checkWays() {
    // What is too much is looked at no further.
    guard storyboard.trackIDs.count <= StoryboardLimits.tracks else { return }
    checkReach()
    checkLoops()
    guard problems.errors.isEmpty else { return }
    for (index, scene) in storyboard.scenes.enumerated() {
      guard let timeline = SceneTimeline(storyboard, scene: index), !timeline.isExact else { continue }
      report(
        scene.line.number, "scene \"\(scene.name)\": times are rounded: the track lengths have no common 31-bit timescale",
        .warning)
    }
  }

  private mutating func checkReach() {
    guard let first = storyboard.first else { return }
    var reached: Set<Storyboard.TrackID> = [first]
    var waiting = [first]
    while let id = waiting.popLast() {
      for way in storyboard.ways(from: id) {
        guard case .track(let next) = way.destination, reached.insert(next).inserted else { continue }
        waiting.append(next)
      }
    }
    for id in storyboard.trackIDs where !reached.contains(id) {
      report(storyboard[id].line.number, "track \"\(storyboard[id].name)\" cannot be reached", .warning)
    }
  }

  /// Tracks that decide nothing have one way each, so a walk from each finds all circles.
  private mutating func checkLoops() {
    var seen: Set<Storyboard.TrackID> = []
    for start in storyboard.trackIDs where !seen.contains(start) {
      var walk: [Storyboard.TrackID] = []
      var id = start
      while !storyboard[id].decides, seen.insert(id).inserted {
        walk.append(id)
        guard case .track(let next) = storyboard.destination(of: storyboard[id].ending, from: id) else { break }
        id = next
        guard let place = walk.firstIndex(of: id) else { continue }
        let names = (walk[place...] + [id]).map { "\"\(storyboard[$0].name)\"" }
        report(
          storyboard[id].line.number,
          "track \"\(storyboard[id].name)\" leads back to itself without a decision: \(names.prefix(10).joined(separator: ", "))\(names.count > 10 ? ", …" : "")",
          .warning)
        break
      }
    }
  }
}

extension Storyboard {
  /// A way from a track to where it may go on.
  struct Way: Hashable {
    enum Reason: Hashable {
      /// The choice of that place in the track's list.
      case choice(Int)
      /// The rule of that place.
      case rule(Int)
      case otherwise
      case ending
    }

    var reason: Reason
    var destination: StoryboardDestination
  }

  /// All ways that may lead on from a track, in the order of choices, rules, otherwise and the end.
  func ways(from id: TrackID) -> [Way] {
    let track = self[id]
    var ways: [Way] = []
    func add(_ reason: Way.Reason, _ destination: StoryboardDestination?) {
      if let destination { ways.append(Way(reason: reason, destination: destination)) }
    }
    for (index, choice) in track.choices.enumerated() { add(.choice(index), destination(of: choice, from: id)) }
    for (index, rule) in track.rules.enumerated() { add(.rule(index), destination(of: rule.target, from: id)) }
    if let otherwise = track.otherwise {
      add(.otherwise, destination(of: otherwise, from: id))
    } else {
      add(.ending, destination(of: track.ending, from: id))
    }
    return ways
  }
}
