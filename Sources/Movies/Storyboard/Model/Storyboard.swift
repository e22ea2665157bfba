import Playback

/// A story of scenes whose course depends on what the viewer chooses.
///
/// A scene is one composition made of tracks, which are pieces of clips or movies. A track has events at times of its own:
/// where controls are shown and hidden, and where the next track is decided. `problems()` says what is wrong with one;
/// `StoryboardFile` reads one that people wrote.
public struct Storyboard: Sendable {
  /// What it is called. Any characters where it comes from a file, as all text in here.
  public let title: String
  /// Where chance begins; the same seed and choices lead the same way.
  public let seed: UInt64
  /// What is remembered, in the file's order.
  public let variables: [StoryboardVariable]
  /// Scenes in their order: at least one in a storyboard without problems.
  public internal(set) var scenes: [StoryboardScene]
  /// The scene that comes first; nil for the first of `scenes`.
  public let begin: String?
  /// Where the file tells of all this.
  let line: SourceLine
  let names: StoryboardNames

  /// Makes a storyboard of its parts; nothing is checked.
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

  /// Which track is meant: the scene's and the track's place in their order, from 0.
  public struct TrackID: Hashable, Comparable, Sendable {
    /// The scene's place in `scenes`.
    public let scene: Int
    /// The track's place in the scene's `tracks`.
    public let track: Int

    /// Makes an identifier of two places.
    public init(scene: Int, track: Int) {
      self.scene = scene
      self.track = track
    }

    public static func < (a: TrackID, b: TrackID) -> Bool { (a.scene, a.track) < (b.scene, b.track) }
  }

  /// The track of that place, which has to exist.
  public subscript(id: TrackID) -> StoryboardTrack { scenes[id.scene].tracks[id.track] }

  /// All tracks in their order.
  public var trackIDs: [TrackID] {
    scenes.indices.flatMap { scene in
      scenes[scene].tracks.indices.map { TrackID(scene: scene, track: $0) }
    }
  }

  /// What errors call it where no file is known.
  var errorName: String { title.isEmpty ? "storyboard" : title }

  /// A track's name with its scene's: "Shore/arrival".
  public func fullName(_ id: TrackID) -> String { "\(scenes[id.scene].name)/\(self[id].name)" }
}

/// One composition of a storyboard: tracks, joined in their order.
public struct StoryboardScene: Hashable, Sendable {
  /// Unique among scenes and among the scene's own tracks.
  public let name: String
  /// At least one in a storyboard without problems.
  public internal(set) var tracks: [StoryboardTrack]
  /// The track with which the scene begins; nil for the first.
  public let begin: String?
  /// Its line in the file.
  public let line: SourceLine

  /// Makes a scene; nothing is checked.
  public init(name: String, tracks: [StoryboardTrack], begin: String? = nil, line: SourceLine = SourceLine()) {
    self.name = name
    self.tracks = tracks
    self.begin = begin
    self.line = line
  }
}

/// What a storyboard remembers under a name, and with what it begins.
public struct StoryboardVariable: Hashable, Sendable {
  /// A word of letters, digits and underscores that begins with no digit.
  public let name: String
  /// The value at the start; its kind stays.
  public let initial: StoryValue
  /// Its line in the file.
  public let line: SourceLine

  /// Makes a variable; nothing is checked.
  public init(name: String, initial: StoryValue, line: SourceLine = SourceLine()) {
    self.name = name
    self.initial = initial
    self.line = line
  }
}
