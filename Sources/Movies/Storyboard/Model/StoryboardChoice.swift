/// One of the things that a viewer can choose in a track.
public struct StoryboardChoice: Hashable, Sendable {
  /// How a choice counts.
  public enum Mark: String, CaseIterable, Sendable {
    /// As right. Without a target it leads to the scene's winning track.
    case right
    /// As wrong. Without a target it leads to the scene's losing track, else to its intermediate one.
    case wrong
  }

  /// What is shown.
  public let label: String
  /// Where it leads; nil where rules or its mark say.
  public let target: StoryboardTarget?
  /// Whether it can be chosen, found out when its track begins; nil for always.
  public let condition: StoryExpression?
  /// What it changes at the decision point.
  public let effects: [StoryAssignment]
  /// Whether it counts as right or wrong; nil for neither.
  public let mark: Mark?
  /// What it adds to the score at the decision point.
  public let score: StoryNumber
  /// Its line in the file.
  public let line: SourceLine

  /// Makes a choice; nothing is checked.
  public init(
    label: String, target: StoryboardTarget? = nil, condition: StoryExpression? = nil, effects: [StoryAssignment] = [],
    mark: Mark? = nil, score: StoryNumber = StoryNumber(0), line: SourceLine = SourceLine()
  ) {
    self.label = label
    self.target = target
    self.condition = condition
    self.effects = effects
    self.mark = mark
    self.score = score
    self.line = line
  }
}

/// Where a decision point leads under a condition.
public struct StoryboardRule: Hashable, Sendable {
  /// When it is followed.
  public let condition: StoryExpression
  /// Where it leads.
  public let target: StoryboardTarget
  /// What it changes when it is followed.
  public let effects: [StoryAssignment]
  /// Its line in the file.
  public let line: SourceLine

  /// Makes a rule; nothing is checked.
  public init(
    condition: StoryExpression, target: StoryboardTarget, effects: [StoryAssignment] = [],
    line: SourceLine = SourceLine()
  ) {
    self.condition = condition
    self.target = target
    self.effects = effects
    self.line = line
  }
}

/// Where a story goes on, seen from a track.
public enum StoryboardTarget: Hashable, Sendable {
  /// The next track of the scene; after the last one the next scene, after the last scene the end.
  case next
  /// The scene's first prologue; where it has none, the track with which it begins.
  case back
  /// The end of the story.
  case end
  /// A track of the scene, else a scene; "Tower/stairs" is a track of another scene.
  case named(String)
  /// What the kind of the track says.
  case ofKind

  /// Words that name neither scenes nor tracks.
  static let words = ["next", "back", "end"]

  /// Reads a word or a name.
  public init(_ text: String) {
    self =
      switch text {
      case "next": .next
      case "back": .back
      case "end": .end
      default: .named(text)
      }
  }
}

/// Where a target leads.
public enum StoryboardDestination: Hashable, Sendable {
  /// To a track.
  case track(Storyboard.TrackID)
  /// Nowhere: the story ends.
  case end
}
