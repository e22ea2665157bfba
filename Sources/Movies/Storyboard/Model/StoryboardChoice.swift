/// A choice that a track offers to the viewer.
public struct StoryboardChoice: Hashable, Sendable {
  /// The mark of a choice.
  public enum Mark: String, CaseIterable, Sendable {
    /// Right. Without a target, it leads to the scene's winning track.
    case right
    /// Wrong. Without a target, it leads to the scene's losing track, else to its intermediate one.
    case wrong
  }

  /// The text shown.
  public let label: String
  /// The target; nil if rules or the mark decide.
  public let target: StoryboardTarget?
  /// The condition for offering it, evaluated when its track starts; nil for always.
  public let condition: StoryExpression?
  /// Assignments made at the decision point.
  public let effects: [StoryAssignment]
  /// The mark as right or wrong; nil for neither.
  public let mark: Mark?
  /// The score added at the decision point.
  public let score: StoryNumber
  /// Its line in the file.
  public let line: SourceLine

  /// Creates a choice; nothing is checked.
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

/// A rule that decides where a decision point leads if a condition holds.
public struct StoryboardRule: Hashable, Sendable {
  /// The condition.
  public let condition: StoryExpression
  /// The target.
  public let target: StoryboardTarget
  /// Assignments made when the rule applies.
  public let effects: [StoryAssignment]
  /// Its line in the file.
  public let line: SourceLine

  /// Creates a rule; nothing is checked.
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

/// The target of a choice, rule or track end, relative to its track.
public enum StoryboardTarget: Hashable, Sendable {
  /// The next track of the scene; after the last track, the next scene; after the last scene, the end.
  case next
  /// The scene's first prologue, or its first track if it has none.
  case back
  /// The end of the story.
  case end
  /// A track of the scene, else a scene; "Tower/stairs" is a track of another scene.
  case named(String)
  /// The default for the kind of the track.
  case ofKind

  /// Reserved words, which cannot name scenes or tracks.
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

/// A resolved target.
public enum StoryboardDestination: Hashable, Sendable {
  /// A track.
  case track(Storyboard.TrackID)
  /// The end of the story.
  case end
}
