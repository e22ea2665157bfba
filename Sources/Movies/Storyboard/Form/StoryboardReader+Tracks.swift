import Playback
import YAML

extension StoryboardReader {
  private static let keys = StoryboardTrack.Source.keys + [
    "in", "out", "length", "start", "show", "hide", "decide", "events", "choices", "rules",
    "otherwise",
    "then",
  ]

  /// Reads a track, whose first key is its kind, with its name.
  mutating func track(_ node: YAMLNode) -> StoryboardTrack? {
    guard case .mapping(let entries) = node.content, let first = entries.first,
      let kind = first.key.text.flatMap({ StoryboardTrack.Kind(rawValue: $0) })
    else {
      let kinds = StoryboardTrack.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      report(node.line, "tracks: each must start with \"KIND: NAME\", where KIND is one of \(kinds)")
      return nil
    }
    let name = text(first.value, kind.rawValue) ?? ""
    let what = "track \"\(name.clipped)\""
    var source: StoryboardTrack.Source?
    var times: [String: MediaTime] = [:]
    var events: [StoryboardEvent] = []
    var choices: [StoryboardChoice] = []
    var rules: [StoryboardRule] = []
    var otherwise: StoryboardTarget?
    var then: StoryboardTarget?
    for (key, value) in entries.dropFirst() {
      let keyText = key.text ?? "?"
      let place = "\(what): \(keyText)"
      if let kind = StoryboardEvent.Kind.keyed.first(where: { "\($0)" == keyText }) {
        events += self.events(kind, value, place)
        continue
      }
      switch keyText {
      case "clip", "movie", "missing":
        if let source { report(key.line, "\(what): has both \(source.key) and \(keyText); expected only one") }
        source = text(value, place).flatMap { StoryboardTrack.Source(key: keyText, value: $0) }
      case "in", "out", "length": times[keyText] = time(value, place)
      case "events":
        for (name, times) in mapping(value, place) {
          let name = text(name, place) ?? "?"
          events += self.events(.named(name), times, "\(what): events: \"\(name.clipped)\"")
        }
      case "choices": choices = list(value, place).compactMap { choice($0, what) }
      case "rules": rules = list(value, place).compactMap { rule($0, what) }
      case "otherwise": otherwise = text(value, place).map { StoryboardTarget($0) }
      case "then": then = text(value, place).map { StoryboardTarget($0) }
      default: unknown(key, what, Self.keys)
      }
    }
    if source == nil, !entries.contains(where: { StoryboardTrack.Source.keys.contains($0.key.text ?? "") }) {
      report(node.line, "\(what): nothing to play; expected \"clip: FILE\", \"movie: FILE\" or \"missing: NAME\"")
    }
    // A track without a source is already reported; it is kept so that targets naming it are not errors.
    return StoryboardTrack(
      name: name, kind: kind, source: source ?? .clip("?"), inPoint: times["in"], outPoint: times["out"],
      length: times["length"], events: events, choices: choices, rules: rules, otherwise: otherwise, then: then,
      line: SourceLine(node))
  }

  private mutating func events(
    _ kind: StoryboardEvent.Kind, _ node: YAMLNode, _ what: String
  ) -> [StoryboardEvent] {
    items(node).compactMap { item in moment(item, what).map { StoryboardEvent(kind, at: $0, line: SourceLine(item.line)) } }
  }

  /// Reads a choice: "LABEL: TARGET", or its properties.
  private mutating func choice(_ node: YAMLNode, _ what: String) -> StoryboardChoice? {
    guard case .mapping(let entries) = node.content, !entries.isEmpty else {
      report(node.line, "\(what): choices: expected \"LABEL: TARGET\" or \"label: TEXT\" for each")
      return nil
    }
    if entries.count == 1, let label = entries[0].key.text, label != "label" {
      let target = text(entries[0].value, "\(what): choice \"\(label.clipped)\"").map { StoryboardTarget($0) }
      return StoryboardChoice(label: label, target: target ?? .end, line: SourceLine(node.line))
    }
    var label: String?
    var target: StoryboardTarget?
    var condition: StoryExpression?
    var effects: [StoryAssignment] = []
    var mark: StoryboardChoice.Mark?
    var score = StoryNumber(0)
    for (key, value) in entries {
      let place = "\(what): choices: \(key.text ?? "?")"
      switch key.text {
      case "label": label = text(value, place)
      case "to": target = text(value, place).map { StoryboardTarget($0) }
      case "if": condition = expression(value, place)
      case "do": effects = assignments(value, place)
      case "is":
        mark = value.text.flatMap { StoryboardChoice.Mark(rawValue: $0) }
        if mark == nil { report(value.line, "\(place): expected right or wrong, not \(quoted(value))") }
      case "score":
        if let number = value.text.flatMap({ StoryNumber($0) }) {
          score = number
        } else {
          report(value.line, "\(place): \(quoted(value)) is not a number")
        }
      default: unknown(key, "\(what): choices", ["label", "to", "if", "do", "is", "score"])
      }
    }
    guard let label else {
      report(node.line, "\(what): choices: a choice has no label; expected \"label: TEXT\"")
      return nil
    }
    return StoryboardChoice(
      label: label, target: target, condition: condition, effects: effects, mark: mark, score: score,
      line: SourceLine(node))
  }

  private mutating func rule(_ node: YAMLNode, _ what: String) -> StoryboardRule? {
    var condition: StoryExpression?
    var target: StoryboardTarget?
    var effects: [StoryAssignment] = []
    let known = problems.count
    for (key, value) in mapping(node, "\(what): rules") {
      let place = "\(what): rules: \(key.text ?? "?")"
      switch key.text {
      case "if": condition = expression(value, place)
      case "to": target = text(value, place).map { StoryboardTarget($0) }
      case "do": effects = assignments(value, place)
      default: unknown(key, "\(what): rules", ["if", "to", "do"])
      }
    }
    guard let condition, let target else {
      if problems.count == known {
        report(node.line, "\(what): rules: expected \"if: CONDITION\" and \"to: TARGET\" for each")
      }
      return nil
    }
    return StoryboardRule(condition: condition, target: target, effects: effects, line: SourceLine(node))
  }

  private mutating func expression(_ node: YAMLNode, _ what: String) -> StoryExpression? {
    guard let text = text(node, what) else { return nil }
    do throws(StoryExpression.Failure) {
      return try StoryExpression(text)
    } catch {
      report(node.line, "\(what): \(quoted(node)): \(error.problem)")
      return nil
    }
  }

  private mutating func assignments(_ node: YAMLNode, _ what: String) -> [StoryAssignment] {
    var assignments: [StoryAssignment] = []
    for item in items(node) {
      guard let text = text(item, what) else { continue }
      do throws(StoryExpression.Failure) {
        assignments.append(try StoryAssignment(text, line: SourceLine(item.line)))
      } catch {
        report(item.line, "\(what): \(quoted(item)): \(error.problem)")
      }
    }
    return assignments
  }
}
