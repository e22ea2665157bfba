import Playback

/// Playing and seeking.
extension StoryboardRun {
  /// Begins the story, or continues a resumed one. The effects give the destination, and the events at the very start.
  public mutating func begin() -> [StoryboardEffect] {
    var effects: [StoryboardEffect] = []
    switch phase {
    case .notBegun:
      // A storyboard without problems has a first track.
      guard let first = storyboard.first else { return [] }
      arrive(at: first, &effects)
      announce(from: nil, at: nil, .jump, remaining: .zero, &effects)
      _ = tell(upTo: .zero, &effects)
    case .playing(let visit):
      announce(from: nil, at: nil, .jump, remaining: .zero, &effects)
      if let controls = controls(visit) { effects.append(.showControls(controls)) }
    case .ended: effects.append(.ended)
    }
    return effects
  }

  /// Advances the story by media time: forwards, or backwards if negative.
  ///
  /// Forwards, each event passed is reported once, in order, however large the step. A jump to another track ends the step; its
  /// departure has the time that is left. The step also ends after playing on through a thousand tracks.
  ///
  /// Backwards, no events are reported, and the step ends at the track's start. Controls are shown or hidden as they are at
  /// that position, and a decision made after it is undone.
  ///
  /// - Parameter time: media time, which is clock time multiplied by the rate.
  public mutating func advance(by time: MediaTime) -> [StoryboardEffect] {
    guard let position = visit?.position, time.isNumeric else { return [] }
    var effects: [StoryboardEffect] = []
    if time < .zero {
      move(to: position + time, &effects)
      return effects
    }
    var left = time
    for _ in 0..<Self.maxJoints {
      guard let start = visit else { break }
      let length = range(start.track).duration
      let target = min(start.position + left, length)
      if let place = tell(upTo: target, &effects) {
        depart(remaining: left - (place - start.position), &effects)
        break
      }
      left = left - (target - start.position)
      guard target == length else { break }
      if visit?.decision == .open { decide(&effects) }
      guard depart(remaining: left, &effects) == .seamless else { break }
    }
    return effects
  }

  /// The time in the track of the next event when playing forwards, or of the track's end.
  var nextStop: MediaTime? {
    guard let visit else { return nil }
    let events = events(visit.track)
    return visit.cursor < events.count ? events[visit.cursor].trackTime : range(visit.track).duration
  }

  /// Plays to an exact time of the current track, and leaves the track if that is its end.
  ///
  /// Unlike `advance(by:)`, it needs no time difference, which might have to be rounded.
  ///
  /// - Parameter time: the time in the track; an earlier one means the current position.
  mutating func advance(toTrackTime time: MediaTime) -> [StoryboardEffect] {
    guard let start = visit else { return [] }
    var effects: [StoryboardEffect] = []
    let length = range(start.track).duration
    let target = min(max(time, start.position), length)
    let leavesAt = tell(upTo: target, &effects)
    guard visit != nil, leavesAt != nil || target == length else { return effects }
    if leavesAt == nil, visit?.decision == .open { decide(&effects) }
    depart(remaining: .zero, &effects)
    return effects
  }

  /// The run with its position set to a time of the track, without any effects.
  func standing(atTrackTime time: MediaTime) -> StoryboardRun {
    var run = self
    guard let visit else { return run }
    run.visit?.position = min(max(time, .zero), range(visit.track).duration)
    return run
  }

  /// Seeks within the current track; no events are reported.
  ///
  /// If that skips the decision point, the decision is made at the track's end.
  ///
  /// - Parameter time: the scene's time, clamped to the track.
  public mutating func seek(to time: MediaTime) -> [StoryboardEffect] {
    guard let visit, time.isNumeric else { return [] }
    var effects: [StoryboardEffect] = []
    move(to: time - range(visit.track).start, &effects)
    return effects
  }

  /// Sets a visit's position to a time of its track, clamped to the track.
  func place(_ visit: inout Visit, at time: MediaTime) {
    let events = events(visit.track)
    visit.position = min(max(time, .zero), range(visit.track).duration)
    visit.cursor = events.firstIndex { $0.trackTime >= visit.position } ?? events.count
  }

  private mutating func move(to time: MediaTime, _ effects: inout [StoryboardEffect]) {
    guard var visit else { return }
    let before = isShowing(visit)
    let position = min(max(time, .zero), range(visit.track).duration)
    if case .made = visit.decision, let decision = decisionTime(visit.track), position <= decision {
      undecide()
      guard let undecided = self.visit else { return }
      visit = undecided
    }
    place(&visit, at: position)
    if visit.chosen != nil, !events(visit.track)[..<visit.cursor].contains(where: { $0.kind == .showControls }) {
      visit.chosen = nil
      effects.append(.chosen(nil))
    }
    self.visit = visit
    tellControls(before, &effects)
    tellLikely(&effects)
  }

  /// Reports events up to a time of the track, and makes the decision at its decision point.
  ///
  /// - Returns: the time at which to leave the track; nil if it plays on, with its position at `time`.
  mutating func tell(upTo time: MediaTime, _ effects: inout [StoryboardEffect]) -> MediaTime? {
    guard let track = visit?.track else { return nil }
    let events = events(track)
    var leavesAt: MediaTime?
    while let cursor = visit?.cursor, cursor < events.count, events[cursor].trackTime <= leavesAt ?? time {
      let event = events[cursor]
      let before = visit.map(isShowing) ?? false
      visit?.position = event.trackTime
      visit?.cursor += 1
      effects.append(.event(event))
      if event.kind == .decision, visit?.decision == .open {
        decide(&effects)
        if hasEnded { return nil }
        if case .made(_, isAtEnd: false) = visit?.decision { leavesAt = event.trackTime }
      }
      tellControls(before, &effects)
      if leavesAt == nil { tellLikely(&effects) }
    }
    visit?.position = leavesAt ?? time
    return leavesAt
  }

  private func tellControls(_ before: Bool, _ effects: inout [StoryboardEffect]) {
    let after = visit.map(isShowing) ?? false
    if before, !after { effects.append(.hideControls) }
    if !before, after, let controls { effects.append(.showControls(controls)) }
  }

  /// The next track of the same composition.
  func following(_ id: Storyboard.TrackID) -> StoryboardDestination? {
    storyboard.track(after: id).map { .track($0) }
  }

  /// Leaves the track for the destination of its decision or its end.
  @discardableResult
  private mutating func depart(
    remaining: MediaTime, _ effects: inout [StoryboardEffect]
  ) -> StoryboardDeparture.Manner? {
    guard let visit else { return nil }
    let leftAt = sceneTime(visit.position, visit.track)
    switch wayOn(visit) {
    case .end:
      phase = .ended
      effects.append(.ended)
      return nil
    case .track(let next):
      let isSeamless = visit.position == range(visit.track).duration && following(visit.track) == .track(next)
      arrive(at: next, &effects)
      let manner: StoryboardDeparture.Manner = isSeamless ? .seamless : .jump
      announce(from: visit.track, at: leftAt, manner, remaining: isSeamless ? .zero : remaining, &effects)
      _ = tell(upTo: .zero, &effects)
      return manner
    }
  }

  /// Reports the current position and the likely next tracks.
  mutating func announce(
    from: Storyboard.TrackID?, at leftAt: MediaTime?, _ manner: StoryboardDeparture.Manner, remaining: MediaTime,
    _ effects: inout [StoryboardEffect]
  ) {
    guard let visit else { return }
    effects.append(
      .go(
        StoryboardDeparture(
          from: from, leftAt: leftAt, to: visit.track, start: sceneTime(visit.position, visit.track), manner: manner,
          remaining: remaining)))
    self.visit?.likely = []
    tellLikely(&effects)
  }

  mutating func tellLikely(_ effects: inout [StoryboardEffect]) {
    guard let visit else { return }
    let likely = likelyTracks(visit)
    guard likely != visit.likely else { return }
    self.visit?.likely = likely
    effects.append(.likely(likely))
  }
}
