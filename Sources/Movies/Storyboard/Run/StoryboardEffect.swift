import Playback

/// An effect of a step of a `StoryboardRun`, to be carried out in order by the code that plays it.
public enum StoryboardEffect: Hashable, Sendable {
  /// The story played forwards past an event.
  case event(SceneTimeline.Event)
  /// Show the choices.
  case showControls(StoryboardControls)
  /// Hide the choices.
  case hideControls
  /// The viewer's choice changed to the one with this number; nil for none.
  case chosen(Int?)
  /// A decision was made.
  case decided(StoryboardDecision)
  /// Continue on another track.
  case go(StoryboardDeparture)
  /// Tracks that may come next, the likeliest first, to be opened and decoded ahead.
  case likely([Storyboard.TrackID])
  /// A condition or assignment could not be evaluated: it counts as false, or was skipped. May quote the file.
  case trouble(String)
  /// The story has ended.
  case ended
}

/// The available choices, and the time left for them.
public struct StoryboardControls: Hashable, Sendable {
  /// An available choice.
  public struct Choice: Hashable, Sendable {
    /// The key, from 1: the position among all choices of the track, including unavailable ones.
    public let number: Int
    /// The text shown. May contain any characters if it comes from a file.
    public let label: String
  }

  /// The choices whose condition holds: at least one.
  public let choices: [Choice]
  /// The media time until the decision point.
  public let timeLeft: MediaTime
  /// The number of the current choice, which can be changed until the decision point; nil for none.
  public let chosen: Int?

  /// The number of a choice given by label, letter (`a` is the first) or number; nil if it is not available.
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

/// A decision made at a decision point.
public struct StoryboardDecision: Hashable, Sendable {
  /// The track with the decision point.
  public let track: Storyboard.TrackID
  /// The number of the choice; nil for none.
  public let choice: Int?
  /// The destination.
  public let destination: StoryboardDestination
}

/// A move from one track to another.
public struct StoryboardDeparture: Hashable, Sendable {
  /// The way the composition continues.
  public enum Manner: Hashable, Sendable {
    /// Plays on: the previous track of the same scene has ended, and this one follows it.
    case seamless
    /// Jumps to another position or another scene's composition. Likely tracks may already be prepared.
    case jump
  }

  /// The track left; nil for the first track.
  public let from: Storyboard.TrackID?
  /// The time at which it was left, in its scene's time; nil for the first track.
  public let leftAt: MediaTime?
  /// The track to play.
  public let to: Storyboard.TrackID
  /// The start, in the time of that track's scene.
  public let start: MediaTime
  /// The way the composition continues.
  public let manner: Manner
  /// The media time given to `advance(by:)` that a jump left unused; the run does not play it by itself.
  public let remaining: MediaTime
}
