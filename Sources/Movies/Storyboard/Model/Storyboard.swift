import Playback

/// An interactive story of scenes, whose course depends on the viewer's choices.
///
/// A scene is one composition made of tracks, which are pieces of clips or movies. A track has timed events: controls are
/// shown and hidden, and the next track is decided. `problems()` checks a storyboard; `StoryboardFile` reads one from a file.
public struct Storyboard: Sendable {
  /// The title. Like all text here, it may contain any characters if it comes from a file.
  public let title: String
  /// The seed for `chance()`; the same seed and choices give the same course.
  public let seed: UInt64
  /// The variables, in file order.
  public let variables: [StoryboardVariable]
  /// The scenes, in order: at least one in a storyboard without problems.
  public internal(set) var scenes: [StoryboardScene]
  /// The name of the first scene; nil for the first of `scenes`.
  public let begin: String?
  /// The lines of its keys in the file.
  let line: SourceLine
  let names: StoryboardNames

  /// Creates a storyboard from its parts; nothing is checked.
  public init(
    title: String, seed: UInt64 = 1, variables: [StoryboardVariable] = [], scenes: [StoryboardScene],
    begin: String? = nil, line: SourceLine = SourceLine()
  ) {
    self.title = title
    self.seed = seed
    self.variables = variables
    self.scenes = scenes
    self.begin = begin
    self.line = line
    names = StoryboardNames(scenes)
  }

  /// The identity of a track: the indices of its scene and of the track in the scene, from 0.
  public struct TrackID: Hashable, Comparable, Sendable {
    /// The scene's index in `scenes`.
    public let scene: Int
    /// The track's index in the scene's `tracks`.
    public let track: Int

    /// Creates an identifier from two indices.
    public init(scene: Int, track: Int) {
      self.scene = scene
      self.track = track
    }

    public static func < (a: TrackID, b: TrackID) -> Bool { (a.scene, a.track) < (b.scene, b.track) }
  }

  /// The track with an identifier, which has to exist.
  public subscript(id: TrackID) -> StoryboardTrack { scenes[id.scene].tracks[id.track] }

  /// All tracks, in order.
  public var trackIDs: [TrackID] {
    scenes.indices.flatMap { scene in
      scenes[scene].tracks.indices.map { TrackID(scene: scene, track: $0) }
    }
  }

  /// The name for errors if the file is unknown.
  var errorName: String { title.isEmpty ? "storyboard" : title }

  /// A track's name with its scene's: "Shore/arrival".
  public func fullName(_ id: TrackID) -> String { "\(scenes[id.scene].name)/\(self[id].name)" }
}

/// One composition of a storyboard: tracks joined in order.
public struct StoryboardScene: Hashable, Sendable {
  /// The name: unique among scenes and the scene's own tracks.
  public let name: String
  /// The tracks: at least one in a storyboard without problems.
  public internal(set) var tracks: [StoryboardTrack]
  /// The name of the first track; nil for the first of `tracks`.
  public let begin: String?
  /// Its line in the file.
  public let line: SourceLine

  /// Creates a scene; nothing is checked.
  public init(name: String, tracks: [StoryboardTrack], begin: String? = nil, line: SourceLine = SourceLine()) {
    self.name = name
    self.tracks = tracks
    self.begin = begin
    self.line = line
  }
}

/// A variable of a storyboard.
public struct StoryboardVariable: Hashable, Sendable {
  /// The name: a word of letters, digits and underscores that does not start with a digit.
  public let name: String
  /// The initial value; its kind never changes.
  public let initial: StoryValue
  /// Its line in the file.
  public let line: SourceLine

  /// Creates a variable; nothing is checked.
  public init(name: String, initial: StoryValue, line: SourceLine = SourceLine()) {
    self.name = name
    self.initial = initial
    self.line = line
  }
}
