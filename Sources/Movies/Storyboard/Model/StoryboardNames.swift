/// Lookup of scenes and tracks by name; of duplicates, the first.
struct StoryboardNames: Sendable {
  private var scenes: [String: Int] = [:]
  private var tracks: [[String: Int]] = []

  init(_ scenes: [StoryboardScene]) {
    for (index, scene) in scenes.enumerated() {
      self.scenes[scene.name] = self.scenes[scene.name] ?? index
      tracks.append(
        Dictionary(scene.tracks.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  func scene(_ name: String) -> Int? { scenes[name] }

  func track(_ name: String, in scene: Int) -> Storyboard.TrackID? {
    tracks[scene][name].map { Storyboard.TrackID(scene: scene, track: $0) }
  }
}

extension Storyboard {
  /// The first track; nil if there is none, or the file names one that does not exist.
  public var first: TrackID? { (begin.map { names.scene($0) } ?? 0).flatMap { beginning(of: $0) } }

  /// The first track of a scene.
  func beginning(of scene: Int) -> TrackID? {
    guard scenes.indices.contains(scene), !scenes[scene].tracks.isEmpty else { return nil }
    guard let begin = scenes[scene].begin else { return TrackID(scene: scene, track: 0) }
    return names.track(begin, in: scene)
  }

  /// The track with a name, as seen from a scene: one of its own, or "Tower/stairs".
  func track(named name: String, in scene: Int) -> TrackID? {
    if let id = names.track(name, in: scene) { return id }
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let other = names.scene(String(parts[0])) else { return nil }
    return names.track(String(parts[1]), in: other)
  }

  /// Resolves a target from a track; nil if it names nothing.
  public func destination(of target: StoryboardTarget, from id: TrackID) -> StoryboardDestination? {
    switch target {
    case .end: return .end
    case .next:
      return track(after: id).map { .track($0) } ?? scene(after: id.scene)
    case .back:
      return (first(.prologue, in: id.scene) ?? beginning(of: id.scene)).map { .track($0) }
    case .named(let name):
      return (track(named: name, in: id.scene) ?? names.scene(name).flatMap { beginning(of: $0) }).map { .track($0) }
    case .ofKind: return destination(ofKindFrom: id)
    }
  }

  private func destination(ofKindFrom id: TrackID) -> StoryboardDestination? {
    switch self[id].kind {
    case .plain, .prologue: return destination(of: .next, from: id)
    case .intermediate, .losing: return destination(of: .back, from: id)
    case .epilogue: return scene(after: id.scene)
    case .winning: return first(.epilogue, in: id.scene).map { .track($0) } ?? scene(after: id.scene)
    }
  }

  /// The first track of a kind in a scene.
  private func first(_ kind: StoryboardTrack.Kind, in scene: Int) -> TrackID? {
    scenes[scene].tracks.firstIndex { $0.kind == kind }.map { TrackID(scene: scene, track: $0) }
  }

  /// The next track of the same scene.
  func track(after id: TrackID) -> TrackID? {
    let next = TrackID(scene: id.scene, track: id.track + 1)
    return scenes[id.scene].tracks.indices.contains(next.track) ? next : nil
  }

  private func scene(after scene: Int) -> StoryboardDestination? {
    scenes.indices.contains(scene + 1) ? beginning(of: scene + 1).map { .track($0) } : .end
  }

  /// The destination of a choice by its target or its mark; nil if neither decides.
  func destination(of choice: StoryboardChoice, from id: TrackID) -> StoryboardDestination? {
    choice.target.flatMap { destination(of: $0, from: id) } ?? choice.mark.flatMap { branch(for: $0, from: id) }
  }

  /// The track of the scene that a mark leads to.
  func branch(for mark: StoryboardChoice.Mark, from id: TrackID) -> StoryboardDestination? {
    let kinds: [StoryboardTrack.Kind] = mark == .right ? [.winning] : [.losing, .intermediate]
    return kinds.lazy.compactMap { first($0, in: id.scene) }.first.map { .track($0) }
  }
}
