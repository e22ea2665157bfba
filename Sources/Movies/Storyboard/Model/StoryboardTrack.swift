import Playback

/// A track of a scene: its source, its timed events, and where it leads.
public struct StoryboardTrack: Hashable, Sendable {
  /// The role of a track in its scene, which decides where it leads by default.
  public enum Kind: String, CaseIterable, Sendable {
    /// No special role: continues with the next track.
    case plain = "track"
    /// The start, which asks the viewer: continues with the next track.
    case prologue
    /// Follows a right choice: continues with the epilogue, else the next scene.
    case winning
    /// Follows a choice that is neither right nor wrong: goes back to the prologue.
    case intermediate
    /// Follows a wrong choice: goes back to the prologue.
    case losing
    /// The end: continues with the next scene.
    case epilogue
  }

  /// The source of a track. Paths are as written, relative to the file's folder.
  public enum Source: Hashable, Sendable {
    /// A clip.
    case clip(String)
    /// A movie file.
    case movie(String)
    /// Nothing yet: a placeholder with this name is shown.
    case missing(String)

    /// The path; nil for a placeholder.
    public var path: String? {
      switch self {
      case .clip(let path), .movie(let path): path
      case .missing: nil
      }
    }

    /// The key for it in files.
    var key: String {
      switch self {
      case .clip: "clip"
      case .movie: "movie"
      case .missing: "missing"
      }
    }

    /// The keys for sources in files.
    static let keys = ["clip", "movie", "missing"]

    /// Reads a source from its key and value; nil for any other key.
    init?(key: String, value: String) {
      switch key {
      // A movie is one under either key.
      case "clip": self = MovieFile.Form(path: value) == nil ? .clip(value) : .movie(value)
      case "movie": self = .movie(value)
      case "missing": self = .missing(value)
      default: return nil
      }
    }
  }

  /// The name, unique in its scene.
  public let name: String
  /// The role in the scene.
  public let kind: Kind
  /// The clip or movie it plays.
  public let source: Source
  /// The start in the source; nil for the source's start.
  public let inPoint: MediaTime?
  /// The end in the source, exclusive; nil for the source's end.
  public let outPoint: MediaTime?
  /// The length: nil while unknown, until `Storyboard.resolve(lengths:)` sets it.
  public internal(set) var length: MediaTime?
  /// The events given, in file order; `allEvents` includes implied ones.
  public let events: [StoryboardEvent]
  /// The choices, at most nine; the first has the key 1.
  public let choices: [StoryboardChoice]
  /// The rules, evaluated in order at the decision point if the choice has no target.
  public let rules: [StoryboardRule]
  /// The target of the decision point if neither the choice nor the rules decide.
  public let otherwise: StoryboardTarget?
  /// The target of its end; nil for the default of its kind.
  public let then: StoryboardTarget?
  /// Its line in the file.
  public let line: SourceLine

  /// The length of a placeholder without another one.
  package static let placeholderLength = MediaTime(value: 3, timescale: 1)

  /// Creates a track; nothing is checked. Without a length, it is computed from the in and out points if possible; a
  /// placeholder lasts three seconds.
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
    let own: MediaTime? = if case .missing = source { Self.placeholderLength } else { nil }
    self.length = length ?? Self.length(from: inPoint, to: outPoint) ?? own
    self.events = events
    self.choices = choices
    self.rules = rules
    self.otherwise = otherwise
    self.then = then
    self.line = line
  }

  /// True if it has a decision point.
  public var decides: Bool {
    !choices.isEmpty || !rules.isEmpty || events.contains { $0.kind == .decision }
  }

  /// The time between the in and out points; nil without an out point.
  var lengthBetweenPoints: MediaTime? { Self.length(from: inPoint, to: outPoint) }

  private static func length(from start: MediaTime?, to end: MediaTime?) -> MediaTime? { end.map { $0 - (start ?? .zero) } }

  /// The target of its end.
  var ending: StoryboardTarget { then ?? .ofKind }
}

/// A timed event of a track.
public struct StoryboardEvent: Hashable, Sendable {
  /// The kind of an event. Events at the same time are delivered in this order, named ones last and in file order.
  public enum Kind: Hashable, Sendable {
    /// The segment starts: at 0 by default.
    case start
    /// Controls are shown.
    case showControls
    /// Controls are hidden.
    case hideControls
    /// The next track is decided.
    case decision
    /// A named event, with a meaning defined by the author.
    case named(String)

    /// The kinds with keys of their own in files, which are their descriptions.
    static let keyed: [Kind] = [.start, .showControls, .hideControls, .decision]

    /// The rank among events at the same time.
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

  /// The time of an event in its track.
  public enum Moment: Hashable, Sendable {
    /// A time after the track's start.
    case afterStart(MediaTime)
    /// A time before the track's end.
    case beforeEnd(MediaTime)

    /// The time since the track's start; nil if that depends on an unknown length.
    func time(length: MediaTime?) -> MediaTime? {
      switch self {
      case .afterStart(let time): time
      case .beforeEnd(let time): length.map { $0 - time }
      }
    }
  }

  /// The kind.
  public let kind: Kind
  /// The time.
  public let moment: Moment
  /// Its line in the file; nil for an implied event.
  public let line: SourceLine

  /// Creates an event; nothing is checked.
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
  /// The events, including implied ones, in file order.
  ///
  /// By default, the segment starts at 0, choices are shown from the start, and the decision is at the end.
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
