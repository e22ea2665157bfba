import Playback

/// How a run goes back, and is taken up again. Both play its decisions anew, which leads to the same place and values.
extension StoryboardRun {
  /// Goes back to the last decision with controls: to where they were shown, with everything as it was then. Decisions that
  /// were made by rules alone, behind it, are taken back, too.
  ///
  /// Empty where there was none.
  public mutating func stepBack() -> [StoryboardEffect] {
    guard let last = history.lastIndex(where: { hasControls($0.track) }) else { return [] }
    let from = place
    var effects: [StoryboardEffect] = controls == nil ? [] : [.hideControls]
    history.removeSubrange((last + 1)...)
    undecide()
    guard var visit, let decision = decisionTime(visit.track) else { return [] }
    let events = events(visit.track)
    visit.chosen = nil
    if let shown = events.lastIndex(where: { $0.kind == .showControls && $0.trackTime <= decision }) {
      visit.position = events[shown].trackTime
      visit.cursor = shown + 1
    }
    self.visit = visit
    announce(from: from?.track, at: from?.sceneTime, .jump, remaining: .zero, &effects)
    if let controls { effects.append(.showControls(controls)) }
    return effects
  }

  /// Whether there is something to go back to.
  package var canStepBack: Bool { history.contains { hasControls($0.track) } }

  /// Whether a track shows controls before it decides.
  func hasControls(_ track: Storyboard.TrackID) -> Bool { events(track).contains { $0.kind == .showControls } }

  /// Takes the last decision back: the story is at the start of its track, where it is still open and the same is chosen.
  mutating func undecide() {
    guard let last = history.popLast() else { return }
    // It led here before.
    guard replay(history.map(\.choice)), walkToDecision() else { return }
    visit?.chosen = last.choice
  }

  /// Decides all anew, from the beginning; false where a choice cannot be chosen.
  mutating func replay(_ choices: [Int?]) -> Bool {
    guard let first = storyboard.first else { return false }
    // What goes wrong was told the first time.
    var unreported: [StoryboardEffect] = []
    history = []
    phase = .notBegun
    standing = Standing(storyboard, seed: seed)
    arrive(at: first, &unreported)
    for choice in choices {
      guard walkToDecision(), let visit, visit.canBe(chosen: choice) else { return false }
      self.visit?.chosen = choice
      decide(&unreported)
      unreported = []
    }
    return true
  }

  /// Goes on to the next track that decides; false where none comes.
  private mutating func walkToDecision() -> Bool {
    walk { $0.decision == .open }
  }

  /// Goes on from track to track until one is meant; makes no decision. False where none comes.
  mutating func walk(until isMeant: (Visit) -> Bool) -> Bool {
    // Tracks without a decision have one way on: after as many steps as there are tracks it goes round, once more then.
    for _ in 0...2 * trackCount {
      guard let visit else { return false }
      if isMeant(visit) { return true }
      guard visit.decision != .open, !leave(visit) else { return false }
    }
    return false
  }

  /// Leaves a track; true where the story ends.
  private mutating func leave(_ visit: Visit) -> Bool {
    var unreported: [StoryboardEffect] = []
    switch wayOn(visit) {
    case .end:
      phase = .ended
      return true
    case .track(let next):
      arrive(at: next, &unreported)
      return false
    }
  }
}
