import Playback

/// A piece of a scene: what is played, its timed events, and where it leads.
public struct StoryboardTrack: Hashable, Sendable {
  /// What part of the scene a track is; it says where a track leads that does not tell.
  public enum Kind: String, CaseIterable, Sendable {
    /// No part of its own: goes on to the next track.
    case plain = "track"
    /// The beginning, which asks the viewer: goes on to the next track.
    case prologue
    /// Follows a right choice: goes on to the epilogue, else to the next scene.
    case winning
    /// Follows a choice that is neither right nor lost: goes back to the prologue.
    case intermediate
    /// Follows a wrong choice: goes back to the prologue.
    case losing
    /// The end: goes on to the next scene.
    case epilogue
  }

  /// What a track plays. Paths are as they were written: whoever opens them resolves them against the file's folder.
  public enum Source: Hashable, Sendable {
    /// A clip.
    case clip(String)
    /// A movie made of pieces, in a file of its own.
    case movie(String)

    /// The path.
    public var path: String {
      switch self {
      case .clip(let path), .movie(let path): path
      }
    }

    /// The key that says so in files.
    var key: String {
      switch self {
      case .clip: "clip"
      case .movie: "movie"
      }
    }
  }

  /// Unique in its scene.
  public let name: String
  /// Its part in the scene.
  public let kind: Kind
  /// What it plays.
  public let source: Source
  /// Where in the source it begins; nil for the source's start.
  public let inPoint: MediaTime?
  /// Where in the source it ends, which is no longer played; nil for the source's end.
  public let outPoint: MediaTime?
  /// How long it takes: nil while nobody knows, which `Storyboard.resolve(lengths:)` changes.
  public internal(set) var length: MediaTime?
  /// Events that were told, in the file's order; `allEvents` has those that are implied, too.
  public let events: [StoryboardEvent]
  /// Up to nine; the first has the key 1.
  public let choices: [StoryboardChoice]
  /// Asked in their order at the decision point where the choice names no target.
  public let rules: [StoryboardRule]
  /// Where the decision point leads when neither choice nor rules say.
  public let otherwise: StoryboardTarget?
  /// Where its end leads; nil for what its kind says.
  public let then: StoryboardTarget?
  /// Its line in the file.
  public let line: SourceLine

  /// Makes a track; nothing is checked. A length that is not told follows from both points, where they are.
  public init(
    name: String, kind: Kind = .plain, source: Source, inPoint: MediaTime? = nil, outPoint: MediaTime? = nil,
    length: MediaTime? = nil, events: [StoryboardEvent] = [], choices: [StoryboardChoice] = [],
    rules: [StoryboardRule] = [], otherwise: StoryboardTarget? = nil, then: StoryboardTarget? = nil,
    line: SourceLine = SourceLine()
  ) {
    self.name = name
    self.kind = kind
    self.source = source
    self.inPoint = inPoint
    self.outPoint = outPoint
    self.length = length ?? Self.length(from: inPoint, to: outPoint)
    self.events = events
    self.choices = choices
    self.rules = rules
    self.otherwise = otherwise
    self.then = then
    self.line = line
  }

  /// Whether the next track is decided in it.
  public var decides: Bool {
    !choices.isEmpty || !rules.isEmpty || events.contains { $0.kind == .decision }
  }

  /// What lies between its points; nil where it has no out point.
  var lengthBetweenPoints: MediaTime? { Self.length(from: inPoint, to: outPoint) }

  private static func length(from start: MediaTime?, to end: MediaTime?) -> MediaTime? { end.map { $0 - (start ?? .zero) } }

  /// Where its end leads.
  var ending: StoryboardTarget { then ?? .ofKind }
}

/// Something that happens at a time of a track.
public struct StoryboardEvent: Hashable, Sendable {
  /// What happens. At equal times events are told in this order, those with names last, in the file's order.
  public enum Kind: Hashable, Sendable {
    /// The segment starts: at 0 unless it is told.
    case start
    /// Controls are shown.
    case showControls
    /// Controls are hidden.
    case hideControls
    /// The next track is decided.
    case decision
    /// What its user means by it.
    case named(String)

    /// Those that have keys of their own in files, which are their descriptions.
    static let keyed: [Kind] = [.start, .showControls, .hideControls, .decision]

    /// The place in the order of events at one time.
    var rank: Int {
      switch self {
      case .start: 0
      case .showControls: 1
      case .hideControls: 2
      case .decision: 3
      case .named: 4
      }
    }
  }

  /// When it happens, in the track's own time.
  public enum Moment: Hashable, Sendable {
    /// So long after the track's start.
    case afterStart(MediaTime)
    /// So long before the track's end.
    case beforeEnd(MediaTime)

    /// The track's own time; nil when that needs a length that is not known.
    func time(length: MediaTime?) -> MediaTime? {
      switch self {
      case .afterStart(let time): time
      case .beforeEnd(let time): length.map { $0 - time }
      }
    }
  }

  /// What happens.
  public let kind: Kind
  /// When.
  public let moment: Moment
  /// Where the file tells of it; no line where it is implied.
  public let line: SourceLine

  /// Makes an event; nothing is checked.
  public init(_ kind: Kind, at moment: Moment, line: SourceLine = SourceLine()) {
    self.kind = kind
    self.moment = moment
    self.line = line
  }
}

extension StoryboardEvent.Kind: CustomStringConvertible {
  /// "start", "show", "hide", "decide", or the name.
  public var description: String {
    switch self {
    case .start: "start"
    case .showControls: "show"
    case .hideControls: "hide"
    case .decision: "decide"
    case .named(let name): name
    }
  }
}

extension StoryboardTrack {
  /// Its events with those that are implied, in the file's order.
  ///
  /// The segment starts at 0. Choices are shown from the start, and a choice or rules are decided at the end.
  var allEvents: [StoryboardEvent] {
    var all = events
    func implied(_ kind: StoryboardEvent.Kind, at moment: StoryboardEvent.Moment) {
      if !events.contains(where: { $0.kind == kind }) { all.append(StoryboardEvent(kind, at: moment)) }
    }
    implied(.start, at: .afterStart(.zero))
    if !choices.isEmpty { implied(.showControls, at: .afterStart(.zero)) }
    if decides { implied(.decision, at: .beforeEnd(.zero)) }
    return all
  }
}
