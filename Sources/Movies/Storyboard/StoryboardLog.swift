import Playback

/// A log of what happens in a story, with times; the lines of a trace.
struct StoryboardLog: Sendable {
  let storyboard: Storyboard
  /// The lines: time since the beginning, time in the scene's composition, and what happened. Any characters.
  private(set) var lines: [String] = []
  var position = Position()

  /// A position in the story.
  struct Position {
    /// The media time played since the beginning.
    fileprivate var elapsed = MediaTime.zero
    fileprivate var sceneTime = MediaTime.zero
  }

  /// The maximum number of lines kept, so that a story may run for days.
  private static let capacity = 100_000

  init(_ storyboard: Storyboard) { self.storyboard = storyboard }

  /// Advances the log's position as the story plays to a time of the track.
  mutating func pass(to trackTime: MediaTime, from place: StoryboardRun.Place) {
    let step = trackTime - place.trackTime
    position.elapsed = position.elapsed + step
    position.sceneTime = place.sceneTime + step
  }

  mutating func write(_ text: String) {
    if lines.count < Self.capacity { lines.append("\(position.elapsed.storyText)  \(position.sceneTime.storyText)  \(text)") }
  }

  mutating func write(_ effect: StoryboardEffect) {
    switch effect {
    case .event(let event):
      position.sceneTime = event.time
      if case .named(let name) = event.kind { write("event \(name)") } else { write("\(event.kind)") }
    case .showControls(let controls):
      for choice in controls.choices { write("  \(choice.number) \(choice.label)") }
    case .hideControls, .likely: break
    case .chosen(let number): write("chosen \(number.map { "\($0)" } ?? "none")")
    case .decided(let decision):
      write(
        "decided by \(decision.choice.map { "\($0) \(storyboard[decision.track].choices[$0 - 1].label)" } ?? "nothing")"
      )
    case .go(let departure):
      position.sceneTime = departure.start
      let manner = departure.from == nil ? "" : departure.manner == .seamless ? " (plays on)" : " (jump)"
      write("track \(storyboard.fullName(departure.to))\(manner)")
    case .trouble(let text): write("trouble: \(text)")
    case .ended: write("end")
    }
  }
}
