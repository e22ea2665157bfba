import Playback

/// One run through a storyboard: the choices made, the variables, and the position in the story.
///
/// It is a value without a clock: the code that plays the story reports how much media time has passed, and carries out the
/// effects returned. The same seed, choices and times always give the same effects.
///
///     var run = try StoryboardRun(storyboard)
///     var effects = run.begin()
///     effects += run.advance(by: MediaTime(value: 1, timescale: 25))
///     effects += run.choose(1)
public struct StoryboardRun: Sendable {
  /// The storyboard.
  public let storyboard: Storyboard
  /// The compositions of the scenes, in order.
  public let timelines: [SceneTimeline]
  /// The seed for `chance()`.
  public let seed: UInt64
  var phase = Phase.notBegun
  var standing: Standing
  /// The decisions made, the newest last: at most `maxDecisions`.
  public internal(set) var history: [StoryboardDecision] = []

  /// The maximum number of decisions in one run, which ends with the last.
  public static let maxDecisions = 20_000
  /// The maximum number of tracks that play into each other within one call.
  static let maxJoints = 1000

  /// The phase of the story: before its beginning, in a track, or ended.
  enum Phase {
    case notBegun
    case playing(Visit)
    case ended
  }

  /// The state that results from the choices made.
  struct Standing: Hashable {
    var variables: [String: StoryValue]
    var score = StoryNumber(0)
    var right = 0
    var wrong = 0
    var visited: Set<Storyboard.TrackID> = []
    var chances: StoryChances

    /// Creates the initial state.
    init(_ storyboard: Storyboard, seed: UInt64) {
      variables = Dictionary(storyboard.variables.map { ($0.name, $0.initial) }, uniquingKeysWith: { first, _ in first })
      chances = StoryChances(seed: seed)
    }
  }

  /// A track while it is played.
  struct Visit {
    /// The state of the track's decision.
    enum Decision: Hashable {
      /// The track has no decision.
      case none
      /// Not made yet. If a seek has skipped the decision point, it is made at the track's end.
      case open
      /// Made. The track is left at once, or plays to its end if the destination is the next track of the composition, or if
      /// only the track's end decides.
      case made(StoryboardDestination, isAtEnd: Bool)
    }

    let track: Storyboard.TrackID
    /// The time in the track.
    var position = MediaTime.zero
    /// The index of the next event to report.
    var cursor = 0
    /// The availability of each choice, evaluated when the track started.
    var isAvailable: [Bool] = []
    var chosen: Int?
    /// The choice that the viewer points at; only affects likely tracks.
    var pointed: Int?
    var decision: Decision
    /// The number of tracks played since the last decision, at most the number of tracks, which means a loop.
    var passed = 0
    /// The likely tracks reported last.
    var likely: [Storyboard.TrackID] = []

    func canBe(chosen number: Int?) -> Bool {
      number.map { isAvailable.indices.contains($0 - 1) && isAvailable[$0 - 1] } ?? true
    }

    /// True if the decision is made and the track still plays.
    var isDecided: Bool { if case .made = decision { true } else { false } }
  }

  /// Creates a run that has not begun.
  ///
  /// - Parameters:
  ///   - storyboard: a storyboard whose track lengths are all known.
  ///   - seed: the seed for `chance()`; nil for the storyboard's own.
  /// - Throws: `StoryboardFailure` with the errors in the storyboard.
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

/// The state of a run.
extension StoryboardRun {
  /// The current track and the position in it; nil before the beginning and after the end.
  var visit: Visit? {
    get { if case .playing(let visit) = phase { visit } else { nil } }
    set { if let newValue { phase = .playing(newValue) } }
  }

  /// A position in the story.
  public struct Place: Hashable, Sendable {
    /// The current track.
    public let track: Storyboard.TrackID
    /// The time in the track.
    public let trackTime: MediaTime
    /// The time in its scene's composition.
    public let sceneTime: MediaTime
  }

  /// The position in the story; nil before its beginning and after its end.
  public var place: Place? {
    guard let visit else { return nil }
    return Place(track: visit.track, trackTime: visit.position, sceneTime: sceneTime(visit.position, visit.track))
  }

  /// True if the story has ended.
  public var hasEnded: Bool { if case .ended = phase { true } else { false } }

  /// The sum of the scores of the choices made.
  public var score: StoryNumber { standing.score }
  /// The number of right choices.
  public var rightChoices: Int { standing.right }
  /// The number of wrong choices.
  public var wrongChoices: Int { standing.wrong }
  /// The value of a variable; nil if there is no such variable.
  public func value(of variable: String) -> StoryValue? { standing.variables[variable] }
  /// Returns true if a track has been played or is playing.
  public func hasVisited(_ track: Storyboard.TrackID) -> Bool { standing.visited.contains(track) }

  /// The choices available now; nil while controls are hidden.
  public var controls: StoryboardControls? { visit.flatMap { controls($0) } }

  /// Returns true if controls show.
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
