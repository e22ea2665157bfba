import Playback

/// Checks within a track.
extension StoryboardCheck {
  mutating func checkTimes(_ id: Storyboard.TrackID) {
    let track = storyboard[id]
    let what = "track \"\(track.name.clipped)\""
    func isTime(_ time: MediaTime) -> Bool { time.isNumeric && time >= .zero && time <= StoryboardLimits.time }
    for (key, point) in [("in", track.inPoint), ("out", track.outPoint)] {
      guard let point, !isTime(point) else { continue }
      report(track.line.number(of: key), "\(what): \(key): must be from 0 to 100 hours, not \(point.storyText)")
    }
    if let start = track.inPoint, let end = track.outPoint, end <= start {
      report(track.line.number(of: "out"), "\(what): out: \(end.storyText) is not after in, \(start.storyText)")
    } else if let length = track.length, !isTime(length) || length == .zero {
      report(track.line.number(of: "length"), "\(what): length: must be above 0 and at most 100 hours, not \(length.storyText)")
    } else if let length = track.length, let between = track.lengthBetweenPoints, length != between {
      report(track.line.number(of: "length"), "\(what): length: \(length.storyText) differs from out minus in, \(between.storyText)")
    }
    for event in track.events {
      let length = track.length ?? .positiveInfinity
      let time = event.moment.time(length: track.length)
      if case .beforeEnd(let distance) = event.moment, time == nil, !isTime(distance) {
        report(
          event.line.number(orOf: track.line),
          "\(what): \(event.kind): must be from 0 to 100 hours before the end, not \(distance.storyText)")
      }
      guard let time, !isTime(time) || time > length else { continue }
      let long = track.length.map { "\($0.storyText) long" } ?? "of unknown length"
      report(
        event.line.number(orOf: track.line),
        "\(what): \(event.kind): \(time.storyText) is outside the track, which is \(long)")
    }
  }

  mutating func checkDecision(_ id: Storyboard.TrackID) {
    let track = storyboard[id]
    let what = "track \"\(track.name.clipped)\""
    for kind in [StoryboardEvent.Kind.start, .decision] {
      for event in track.events.filter({ $0.kind == kind }).dropFirst() {
        report(event.line.number(orOf: track.line), "\(what): \(kind): is given more than once; expected one time")
      }
    }
    if let decision = track.events.first(where: { $0.kind == .decision }) {
      let line = decision.line.number(orOf: track.line)
      if track.choices.isEmpty, track.rules.isEmpty {
        report(line, "\(what): decide: nothing to decide; expected choices or rules")
      }
      let time = decision.moment.time(length: track.length)
      if let time, time <= .zero {
        report(line, "\(what): decide: \(time.storyText) is not after the track's start")
      } else if isBeforeControls(decision, track) {
        report(line, "\(what): decide: comes before the controls are shown")
      }
    }
    if track.otherwise != nil, !track.decides {
      report(track.line.number(of: "otherwise"), "\(what): otherwise: nothing to decide; expected choices or rules")
    }
    if track.choices.isEmpty,
      let event = track.events.first(where: { $0.kind == .showControls || $0.kind == .hideControls })
    {
      report(event.line.number(orOf: track.line), "\(what): \(event.kind): there are no choices to \(event.kind)", .warning)
    }
    var scope = ExpressionScope(
      variables: kinds, isTrack: { [storyboard] in storyboard.track(named: $0, in: id.scene) != nil }, labels: nil)
    checkChoices(id, what, &scope)
    for rule in track.rules {
      checkCondition(rule.condition, "\(what): rules: if", rule.line.number(of: "if"), scope)
      checkEffects(rule.effects, "\(what): rules: do", rule.line.number(of: "do"), scope)
      checkTarget(rule.target, "\(what): rules: to", rule.line.number(of: "to"), id)
    }
  }

  /// Returns true if the decision comes before any controls are shown.
  private func isBeforeControls(_ decision: StoryboardEvent, _ track: StoryboardTrack) -> Bool {
    let shown = track.allEvents.filter { $0.kind == .showControls }
    guard !track.choices.isEmpty, !shown.isEmpty else { return false }
    return shown.allSatisfy { show in
      switch (show.moment, decision.moment) {
      case (.afterStart(let a), .afterStart(let b)): a > b
      case (.beforeEnd(let a), .beforeEnd(let b)): a < b
      case (let a, let b):
        if let a = a.time(length: track.length), let b = b.time(length: track.length) { a > b } else { false }
      }
    }
  }

  private mutating func checkChoices(_ id: Storyboard.TrackID, _ what: String, _ scope: inout ExpressionScope) {
    let track = storyboard[id]
    var labels: Set<String> = []
    for choice in track.choices {
      let name = "\(what): choice \"\(choice.label.clipped)\""
      if choice.label.isEmpty { report(choice.line.number(of: "label"), "\(what): choices: label: expected text") }
      checkText(choice.label, name, choice.line.number(of: "label"), most: StoryboardLimits.text)
      if !labels.insert(choice.label).inserted { report(choice.line.number(of: "label"), "\(name) is defined twice") }
      checkTarget(choice.target, "\(name): to", choice.line.number(of: "to"), id)
      if choice.target == nil, track.rules.isEmpty, storyboard.destination(of: choice, from: id) == nil {
        report(choice.line.number, "\(name) has no target; add \"to:\", or rules to the track")
      }
      // Nothing is chosen yet when conditions are evaluated.
      if let condition = choice.condition { checkCondition(condition, "\(name): if", choice.line.number(of: "if"), scope) }
    }
    scope.labels = track.choices.map(\.label)
    for choice in track.choices {
      checkEffects(choice.effects, "\(what): choice \"\(choice.label.clipped)\": do", choice.line.number(of: "do"), scope)
    }
  }

  private mutating func checkCondition(
    _ condition: StoryExpression, _ what: String, _ line: Int?, _ scope: ExpressionScope
  ) {
    do throws(StoryExpression.Failure) {
      let kind = try condition.kind(in: scope)
      if kind != .flag { report(line, "\(what): \"\(condition.text)\" is \(kind.phrase); expected a condition") }
    } catch {
      report(line, "\(what): \"\(condition.text)\": \(error.problem)")
    }
  }

  private mutating func checkEffects(
    _ effects: [StoryAssignment], _ what: String, _ line: Int?, _ scope: ExpressionScope
  ) {
    if effects.count > StoryboardLimits.effects {
      report(line, "\(what): more than \(StoryboardLimits.effects)")
    }
    for effect in effects {
      do throws(StoryExpression.Failure) {
        try effect.check(in: scope)
      } catch {
        report(effect.line.number ?? line, "\(what): \"\(effect.text)\": \(error.problem)")
      }
    }
  }
}
