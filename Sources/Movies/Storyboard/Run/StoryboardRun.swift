import Playback

/// One course through a storyboard: what was chosen, what is remembered, and where the story is.
///
/// It is a value without a clock: whoever plays the story tells it how much media time has passed, and does what it
/// answers. The same seed, the same choices and the same times always give the same answers.
///
///     var run = try StoryboardRun(storyboard)
///     var effects = run.begin()
///     effects += run.advance(by: MediaTime(value: 1, timescale: 25))
///     effects += run.choose(1)
public struct StoryboardRun: Sendable {
  /// What is played.
  public let storyboard: Storyboard
  /// The scenes' compositions, in the scenes' order.
  public let timelines: [SceneTimeline]
  /// Where chance began.
  public let seed: UInt64
  var phase = Phase.notBegun
  var standing: Standing
  /// What was decided, the newest last: `maxDecisions` at the most.
  public internal(set) var history: [StoryboardDecision] = []

  /// Decisions of one run at the most: it ends with the last.
  public static let maxDecisions = 20_000
  /// Tracks that play into each other within one call at the most.
  static let maxJoints = 1000

  /// Whether the story is before its beginning, in a track, or at its end.
  enum Phase {
    case notBegun
    case playing(Visit)
    case ended
  }

  /// What the viewer's choices have made of the story.
  struct Standing: Hashable {
    var variables: [String: StoryValue]
    var score = StoryNumber(0)
    var right = 0
    var wrong = 0
    var visited: Set<Storyboard.TrackID> = []
    var chances: StoryChances

    /// How it is at the beginning.
    init(_ storyboard: Storyboard, seed: UInt64) {
      variables = Dictionary(storyboard.variables.map { ($0.name, $0.initial) }, uniquingKeysWith: { first, _ in first })
      chances = StoryChances(seed: seed)
    }
  }

  /// A track while it is played.
  struct Visit {
    /// What has become of the track's decision.
    enum Decision: Hashable {
      /// There is none in this track.
      case none
      /// It is ahead, or a seek has passed over it: then it is made at the track's end.
      case open
      /// It is made. The track is left at once, or plays to its end: where the next one follows in the composition,
      /// and where neither choice nor rules told anything else than the end does.
      case made(StoryboardDestination, isAtEnd: Bool)
    }

    let track: Storyboard.TrackID
    /// In the track's own time.
    var position = MediaTime.zero
    /// The first event that playing on from here tells.
    var cursor = 0
    /// Which choices can be chosen, as it was found out when the track began.
    var isAvailable: [Bool] = []
    var chosen: Int?
    /// What the viewer has in mind; changes nothing but what is likely.
    var pointed: Int?
    var decision: Decision
    /// Tracks that were played since the last decision, up to as many as there are: then they have gone round.
    var passed = 0
    /// What was told last.
    var likely: [Storyboard.TrackID] = []

    func canBe(chosen number: Int?) -> Bool {
      number.map { isAvailable.indices.contains($0 - 1) && isAvailable[$0 - 1] } ?? true
    }

    /// Whether the decision is made, and the track still plays.
    var isDecided: Bool { if case .made = decision { true } else { false } }
  }

  /// Makes a run that stands before the beginning.
  ///
  /// - Parameters:
  ///   - storyboard: one whose tracks' lengths are all known.
  ///   - seed: where chance begins; nil for the storyboard's own.
  /// - Throws: `StoryboardFailure` with what is wrong in the storyboard.
  public init(_ storyboard: Storyboard, seed: UInt64? = nil) throws(StoryboardFailure) {
    var problems = storyboard.problems().errors
    for id in storyboard.tracksWithoutLength {
      let message = "track \"\(storyboard[id].name)\": unknown length; add \"length:\" or \"out:\""
      problems.report(storyboard[id].line.number, message, .error)
    }
    try problems.throwErrors(file: storyboard.errorName)
    self.storyboard = storyboard
    timelines = storyboard.scenes.indices.compactMap { SceneTimeline(storyboard, scene: $0) }
    self.seed = seed ?? storyboard.seed
    standing = Standing(storyboard, seed: self.seed)
  }
}

/// What a run tells of itself.
extension StoryboardRun {
  /// The track that is played, with where it is; nil before the beginning and after the end.
  var visit: Visit? {
    get { if case .playing(let visit) = phase { visit } else { nil } }
    set { if let newValue { phase = .playing(newValue) } }
  }

  /// A place in the story.
  public struct Place: Hashable, Sendable {
    /// The track that is played.
    public let track: Storyboard.TrackID
    /// The track's own time.
    public let trackTime: MediaTime
    /// The time of its scene's composition.
    public let sceneTime: MediaTime
  }

  /// Where the story is; nil before its beginning and after its end.
  public var place: Place? {
    guard let visit else { return nil }
    return Place(track: visit.track, trackTime: visit.position, sceneTime: sceneTime(visit.position, visit.track))
  }

  /// Whether it has come to its end.
  public var hasEnded: Bool { if case .ended = phase { true } else { false } }

  /// The sum of the scores of what was chosen.
  public var score: StoryNumber { standing.score }
  /// How many choices were right.
  public var rightChoices: Int { standing.right }
  /// How many choices were wrong.
  public var wrongChoices: Int { standing.wrong }
  /// What a variable holds; nil for a name that there is not.
  public func value(of variable: String) -> StoryValue? { standing.variables[variable] }
  /// Whether a track has been played, or is.
  public func hasVisited(_ track: Storyboard.TrackID) -> Bool { standing.visited.contains(track) }

  /// What can be chosen now; nil while controls are hidden.
  public var controls: StoryboardControls? { visit.flatMap { controls($0) } }

  /// Whether controls show.
  func isShowing(_ visit: Visit) -> Bool {
    visit.decision == .open && visit.isAvailable.contains(true)
      && events(visit.track)[..<visit.cursor].last { (1...3).contains($0.kind.rank) }?.kind == .showControls
  }

  func controls(_ visit: Visit) -> StoryboardControls? {
    guard isShowing(visit), let decision = decisionTime(visit.track) else { return nil }
    let choices = storyboard[visit.track].choices.enumerated().filter { visit.isAvailable[$0.offset] }
    return StoryboardControls(
      choices: choices.map { StoryboardControls.Choice(number: $0.offset + 1, label: $0.element.label) },
      timeLeft: decision - visit.position, chosen: visit.chosen)
  }

  var trackCount: Int { storyboard.scenes.reduce(0) { $0 + $1.tracks.count } }
  func events(_ id: Storyboard.TrackID) -> [SceneTimeline.Event] { timelines[id.scene].eventsByTrack[id.track] }
  func range(_ id: Storyboard.TrackID) -> TimeRange { timelines[id.scene].ranges[id.track] }
  func sceneTime(_ time: MediaTime, _ id: Storyboard.TrackID) -> MediaTime { range(id).start + time }
  func decisionTime(_ id: Storyboard.TrackID) -> MediaTime? {
    events(id).first { $0.kind == .decision }?.trackTime
  }
}
