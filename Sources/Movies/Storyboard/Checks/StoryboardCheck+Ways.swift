/// Checks of the whole storyboard: which tracks can be reached, loops, and exact times.
extension StoryboardCheck {
  mutating func checkWays() {
    // A storyboard or track over its limits is not checked further.
    guard storyboard.trackIDs.count <= StoryboardLimits.tracks else { return }
    checkReach()
    checkLoops()
    checkSilence()
    checkPlaceholders()
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

  /// Finds tracks with choices that do not state what follows without an answer. It is the next track, which is often the
  /// target of an answer.
  private mutating func checkSilence() {
    for id in storyboard.trackIDs {
      let track = storyboard[id]
      guard !track.choices.isEmpty, track.rules.isEmpty, track.otherwise == nil, track.then == nil,
        [.plain, .prologue].contains(track.kind), case .track(let next)? = storyboard.destination(of: .next, from: id)
      else { continue }
      report(
        track.line.number(of: "choices"),
        "track \"\(track.name)\": if nothing is chosen, \"\(storyboard[next].name)\" follows, the next track in the file; add \"otherwise: next\" if that is meant, else \"otherwise: TARGET\"",
        .warning)
    }
  }

  private mutating func checkPlaceholders() {
    let tracks = storyboard.trackIDs.map { storyboard[$0] }.filter { $0.source.path == nil }
    guard let first = tracks.first else { return }
    let names = tracks.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ") + (tracks.count > 5 ? ", …" : "")
    report(
      first.line.number(of: "missing"),
      tracks.count == 1
        ? "1 track has no clip and shows a placeholder: \(names); give it a line \"clip: FILE\""
        : "\(tracks.count) tracks have no clip and show placeholders: \(names); give each a line \"clip: FILE\"",
      .warning)
  }

  /// Finds loops without a decision. Tracks without a decision have one way on, so a walk from each finds all loops.
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
  /// A path from a track to a possible destination.
  struct Way: Hashable {
    enum Reason: Hashable {
      /// The choice with this index in the track's list.
      case choice(Int)
      /// The rule with this index.
      case rule(Int)
      case otherwise
      case ending
    }

    var reason: Reason
    var destination: StoryboardDestination
  }

  /// All paths from a track, in the order of choices, rules, otherwise and the end.
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
