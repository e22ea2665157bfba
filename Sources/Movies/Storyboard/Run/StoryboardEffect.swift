import Playback

/// What a step of a `StoryboardRun` asks of whoever plays it, in its order.
public enum StoryboardEffect: Hashable, Sendable {
  /// Playing forwards came over an event.
  case event(SceneTimeline.Event)
  /// Show what can be chosen.
  case showControls(StoryboardControls)
  /// Show it no longer.
  case hideControls
  /// The viewer's choice is now that with this number; nil for none.
  case chosen(Int?)
  /// The decision point was come to, and this was decided.
  case decided(StoryboardDecision)
  /// Go on elsewhere.
  case go(StoryboardDeparture)
  /// Tracks that may come next, the likeliest first: to be opened and decoded ahead.
  case likely([Storyboard.TrackID])
  /// A condition or an effect could not be evaluated, so it does not hold or was not done. It may quote the file.
  case trouble(String)
  /// The story has ended.
  case ended
}

/// What can be chosen, and how much time is left for it.
public struct StoryboardControls: Hashable, Sendable {
  /// Something that can be chosen.
  public struct Choice: Hashable, Sendable {
    /// Its key, from 1: its place among all choices of the track, also those that cannot be chosen now.
    public let number: Int
    /// What is shown. Any characters where it comes from a file.
    public let label: String
  }

  /// Those whose condition holds: at least one.
  public let choices: [Choice]
  /// Media time until the decision point.
  public let timeLeft: MediaTime
  /// The number of what is chosen for now; it can be changed until the decision point.
  public let chosen: Int?

  /// The number of a choice that is given by its label, its letter (`a` is the first) or its number; nil where it cannot be
  /// chosen.
  func number(of wish: String) -> Int? {
    if let byLabel = choices.first(where: { $0.label == wish }) { return byLabel.number }
    guard wish.utf8.count == 1, let byte = wish.utf8.first else { return nil }
    let number: Int
    switch byte {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): number = Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "i"): number = Int(byte - UInt8(ascii: "a")) + 1
    default: return nil
    }
    return choices.contains { $0.number == number } ? number : nil
  }
}

/// What was decided at a decision point.
public struct StoryboardDecision: Hashable, Sendable {
  /// The track whose decision point it was.
  public let track: Storyboard.TrackID
  /// The number of what was chosen; nil where nothing was.
  public let choice: Int?
  /// Where it leads.
  public let destination: StoryboardDestination
}

/// The way from one track to another.
public struct StoryboardDeparture: Hashable, Sendable {
  /// How the composition goes on.
  public enum Manner: Hashable, Sendable {
    /// It plays on: the track follows the one before in the same scene, and that has come to its end.
    case seamless
    /// It goes to another place, or another scene's composition. What was told as likely can be there already.
    case jump
  }

  /// The track that was left; nil for the first.
  public let from: Storyboard.TrackID?
  /// Where that was, in its scene's time; nil for the first.
  public let leftAt: MediaTime?
  /// The track that is to be played.
  public let to: Storyboard.TrackID
  /// From where, in the time of that track's scene.
  public let start: MediaTime
  /// How.
  public let manner: Manner
  /// Media time that `advance(by:)` was given and a jump has not used: it plays none of it by itself.
  public let remaining: MediaTime
}
