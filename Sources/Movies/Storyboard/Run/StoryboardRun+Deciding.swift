import Playback

/// Choices and decisions.
extension StoryboardRun {
  /// Makes or changes a choice. Does nothing unless controls show this choice.
  ///
  /// - Parameter number: the choice's key, from 1.
  public mutating func choose(_ number: Int) -> [StoryboardEffect] {
    guard let controls, visit?.chosen != number, controls.choices.contains(where: { $0.number == number })
    else { return [] }
    visit?.chosen = number
    var effects: [StoryboardEffect] = [.chosen(number)]
    tellLikely(&effects)
    return effects
  }

  /// Sets the choice that the viewer points at, which makes its destination likelier than those of other choices.
  ///
  /// - Parameter number: the choice's key, from 1; nil for none. An unavailable choice counts as none.
  public mutating func point(at number: Int?) -> [StoryboardEffect] {
    guard let visit else { return [] }
    self.visit?.pointed = visit.canBe(chosen: number) ? number : nil
    var effects: [StoryboardEffect] = []
    tellLikely(&effects)
    return effects
  }

  /// Makes a track the current one, at its start.
  mutating func arrive(at id: Storyboard.TrackID, _ effects: inout [StoryboardEffect]) {
    let former = visit
    standing.visited.insert(id)
    let track = storyboard[id]
    var visit = Visit(track: id, decision: track.decides ? .open : .none)
    if let former, former.decision == .none { visit.passed = min(former.passed + 1, trackCount) }
    // Only once: chance() could give another result the next time.
    for choice in track.choices {
      visit.isAvailable.append(
        choice.condition.map { holds($0, visit, "track \"\(track.name)\": choice \"\(choice.label)\": if", &effects) } ?? true)
    }
    phase = .playing(visit)
  }

  /// The destination when the current track is left.
  func wayOn(_ visit: Visit) -> StoryboardDestination {
    if case .made(let destination, _) = visit.decision { return destination }
    return ending(of: visit.track)
  }

  private func ending(of id: Storyboard.TrackID) -> StoryboardDestination {
    storyboard.destination(of: storyboard[id].ending, from: id) ?? .end
  }

  /// Makes the decision of the current track, based on the current choice.
  mutating func decide(_ effects: inout [StoryboardEffect]) {
    guard var visit else { return }
    let id = visit.track
    let track = storyboard[id]
    let what = "track \"\(track.name)\""
    var destination: StoryboardDestination?
    if let number = visit.chosen {
      let choice = track.choices[number - 1]
      apply(choice.effects, visit, "\(what): choice \"\(choice.label)\": do", &effects)
      count(choice, what, &effects)
      destination = choice.target.flatMap { storyboard.destination(of: $0, from: id) }
    }
    if destination == nil,
      let rule = track.rules.first(where: { holds($0.condition, visit, "\(what): rules: if", &effects) })
    {
      destination = storyboard.destination(of: rule.target, from: id)
      apply(rule.effects, visit, "\(what): rules: do", &effects)
    }
    if destination == nil, let number = visit.chosen {
      destination = track.choices[number - 1].mark.flatMap { storyboard.branch(for: $0, from: id) }
    }
    destination = destination ?? track.otherwise.flatMap { storyboard.destination(of: $0, from: id) }
    let decided = destination ?? ending(of: id)
    visit.decision = .made(decided, isAtEnd: destination == nil || decided == following(id))
    self.visit = visit
    let decision = StoryboardDecision(track: id, choice: visit.chosen, destination: decided)
    history.append(decision)
    effects.append(.decided(decision))
    if history.count >= Self.maxDecisions {
      phase = .ended
      effects += [.trouble("the story ends after \(Self.maxDecisions) decisions"), .ended]
    }
  }

  private mutating func count(
    _ choice: StoryboardChoice, _ what: @autoclosure () -> String, _ effects: inout [StoryboardEffect]
  ) {
    switch choice.mark {
    case .right: standing.right += 1
    case .wrong: standing.wrong += 1
    case nil: break
    }
    if let score = StoryNumber.sum(standing.score, choice.score) {
      standing.score = score
    } else {
      effects.append(
        .trouble("\(what()): choice \"\(choice.label)\": score: \(StoryExpression.Trouble.tooLarge.problem)"))
    }
  }

  private mutating func holds(
    _ condition: StoryExpression, _ visit: Visit, _ what: @autoclosure () -> String, _ effects: inout [StoryboardEffect]
  ) -> Bool {
    var values = values(visit)
    defer { standing.chances = values.chances ?? standing.chances }
    do throws(StoryExpression.Trouble) {
      return try condition.holds(&values)
    } catch {
      effects.append(.trouble("\(what()): \"\(condition.text)\" \(error.problem)"))
      return false
    }
  }

  private mutating func apply(
    _ assignments: [StoryAssignment], _ visit: Visit, _ what: @autoclosure () -> String, _ effects: inout [StoryboardEffect]
  ) {
    for assignment in assignments {
      var values = values(visit)
      do throws(StoryExpression.Trouble) {
        try assignment.apply(to: &values)
      } catch {
        effects.append(.trouble("\(what()): \"\(assignment.text)\" \(error.problem)"))
      }
      standing.variables = values.variables
      standing.chances = values.chances ?? standing.chances
    }
  }

  private func values(_ visit: Visit) -> ExpressionValues {
    let visited = standing.visited
    let storyboard = storyboard
    let labels = storyboard[visit.track].choices
    return ExpressionValues(
      variables: standing.variables,
      isVisited: { name in
        storyboard.track(named: name, in: visit.track.scene).map { visited.contains($0) } ?? false
      },
      chosen: visit.chosen.map { ($0, labels[$0 - 1].label) }, score: standing.score, chances: standing.chances)
  }
}

/// Likely next tracks.
extension StoryboardRun {
  /// Tracks that may follow, the likeliest first: by the current choice, the choice pointed at, right choices, others, wrong ones,
  /// then no choice.
  func likelyTracks(_ visit: Visit) -> [Storyboard.TrackID] {
    guard visit.decision == .open else { return Self.tracks([wayOn(visit)]) }
    let choices = storyboard[visit.track].choices
    let open = choices.indices.filter { visit.isAvailable[$0] }
    let marks: [StoryboardChoice.Mark?] = [.right, nil, .wrong]
    let numbers = marks.flatMap { mark in open.filter { choices[$0].mark == mark } }.map { $0 + 1 }
    let wishes: [Int?] = [visit.chosen, visit.pointed].compactMap { $0 } + numbers + [nil]
    return Self.tracks(wishes.flatMap { destinations(visit, choosing: $0) })
  }

  private static func tracks(_ destinations: [StoryboardDestination]) -> [Storyboard.TrackID] {
    var tracks: [Storyboard.TrackID] = []
    for case .track(let id) in destinations where !tracks.contains(id) { tracks.append(id) }
    return tracks
  }

  /// The possible destinations of a choice, without drawing chance.
  private func destinations(_ visit: Visit, choosing number: Int?) -> [StoryboardDestination] {
    let id = visit.track
    let track = storyboard[id]
    let choice = number.map { track.choices[$0 - 1] }
    if let target = choice?.target { return storyboard.destination(of: target, from: id).map { [$0] } ?? [] }
    var chosen = visit
    chosen.chosen = number
    var values = values(chosen)
    values.chances = nil
    for effect in choice?.effects ?? [] {
      do throws(StoryExpression.Trouble) { try effect.apply(to: &values) } catch { continue }
    }
    if let choice { values.score = StoryNumber.sum(values.score, choice.score) ?? values.score }
    var destinations: [StoryboardDestination] = []
    for rule in track.rules {
      let holds: Bool?
      do throws(StoryExpression.Trouble) { holds = try rule.condition.holds(&values) } catch {
        holds = error == .notKnown ? nil : false
      }
      guard holds != false, let destination = storyboard.destination(of: rule.target, from: id) else { continue }
      destinations.append(destination)
      if holds == true { return destinations }
    }
    let branch = choice?.mark.flatMap { storyboard.branch(for: $0, from: id) }
    let otherwise = track.otherwise.flatMap { storyboard.destination(of: $0, from: id) }
    return destinations + [branch ?? otherwise ?? ending(of: id)]
  }
}
