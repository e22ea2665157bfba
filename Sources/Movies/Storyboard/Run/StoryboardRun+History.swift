import Playback

/// Going back and resuming. Both replay the decisions, which leads to the same position and values.
extension StoryboardRun {
  /// Goes back to the last decision with controls: to the time when they were shown, with the state of that time. Later
  /// decisions made by rules alone are undone, too.
  ///
  /// Returns no effects if there was no such decision.
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

  /// True if there is a decision to go back to.
  package var canStepBack: Bool { history.contains { hasControls($0.track) } }

  /// Returns true if a track shows controls.
  func hasControls(_ track: Storyboard.TrackID) -> Bool { events(track).contains { $0.kind == .showControls } }

  /// Undoes the last decision: the story is at the start of its track, with the decision open and the same choice made.
  mutating func undecide() {
    guard let last = history.popLast() else { return }
    // The replay cannot fail: it led here before.
    guard replay(history.map(\.choice)), walkToDecision() else { return }
    visit?.chosen = last.choice
  }

  /// Replays decisions from the beginning; false if a choice is not available.
  mutating func replay(_ choices: [Int?]) -> Bool {
    guard let first = storyboard.first else { return false }
    // Problems were reported the first time.
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

  /// Goes on to the next track with an open decision; false if there is none.
  private mutating func walkToDecision() -> Bool {
    walk { $0.decision == .open }
  }

  /// Goes on from track to track, without decisions, until a condition holds; false if it never does.
  mutating func walk(until isMeant: (Visit) -> Bool) -> Bool {
    // Tracks without a decision have one way on, so after as many steps as there are tracks it loops; allow one more round.
    for _ in 0...2 * trackCount {
      guard let visit else { return false }
      if isMeant(visit) { return true }
      guard visit.decision != .open, !leave(visit) else { return false }
    }
    return false
  }

  /// Leaves a track; returns true if the story ends.
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
