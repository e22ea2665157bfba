import Playback

/// Writes a storyboard file.
public struct StoryboardWriter {
  /// The text of the file, which `StoryboardFile` reads back as the same storyboard.
  public private(set) var text = "quadrille: \(StoryboardFile.kind)\n"

  /// Writes a storyboard.
  public init(_ storyboard: Storyboard) {
    if !storyboard.title.isEmpty { line(0, "title", YAMLText.quoted(storyboard.title)) }
    if let begin = storyboard.begin { line(0, "begin", YAMLText.quoted(begin)) }
    if storyboard.seed != 1 { line(0, "seed", "\(storyboard.seed)") }
    if !storyboard.variables.isEmpty {
      text += "variables:\n"
      for variable in storyboard.variables {
        let value = if case .text(let text) = variable.initial { YAMLText.quoted(text) } else { "\(variable.initial)" }
        line(1, YAMLText.value(variable.name), value)
      }
    }
    text += "scenes:\n"
    for scene in storyboard.scenes {
      text += "  - scene: \(YAMLText.quoted(scene.name))\n"
      if let begin = scene.begin { line(2, "begin", YAMLText.quoted(begin)) }
      text += "    tracks:\n"
      for track in scene.tracks { write(track) }
    }
  }

  private mutating func line(_ depth: Int, _ key: String, _ value: String) {
    text += String(repeating: "  ", count: depth) + "\(key): \(value)\n"
  }

  private mutating func write(_ track: StoryboardTrack) {
    text += "      - \(track.kind.rawValue): \(YAMLText.quoted(track.name))\n"
    switch track.source {
    case .clip(let path): line(4, "clip", YAMLText.quoted(path))
    case .movie(let path): line(4, "movie", YAMLText.quoted(path))
    case .missing(let name): line(4, "missing", YAMLText.quoted(name))
    }
    if let time = track.inPoint { line(4, "in", time.storyText) }
    if let time = track.outPoint { line(4, "out", time.storyText) }
    if let length = track.length, length != track.lengthBetweenPoints { line(4, "length", length.storyText) }
    writeEvents(of: track)
    if !track.choices.isEmpty { text += "        choices:\n" }
    for choice in track.choices { write(choice) }
    if !track.rules.isEmpty { text += "        rules:\n" }
    for rule in track.rules {
      text += "          - if: \(YAMLText.quoted(rule.condition.text))\n"
      if let target = Self.word(rule.target) { line(6, "to", target) }
      write(rule.effects)
    }
    if let target = track.otherwise.flatMap(Self.word) { line(4, "otherwise", target) }
    if let target = track.then.flatMap(Self.word) { line(4, "then", target) }
  }

  private mutating func writeEvents(of track: StoryboardTrack) {
    for kind in StoryboardEvent.Kind.keyed {
      let moments = track.events.filter { $0.kind == kind }.map { Self.moment($0.moment) }
      if !moments.isEmpty { line(4, "\(kind)", moments.count == 1 ? moments[0] : "[\(moments.joined(separator: ", "))]") }
    }
    var names: [String] = []
    for case .named(let name) in track.events.map(\.kind) where !names.contains(name) { names.append(name) }
    if !names.isEmpty { text += "        events:\n" }
    for name in names {
      let moments = track.events.filter { $0.kind == .named(name) }.map { Self.moment($0.moment) }
      line(5, YAMLText.quoted(name), "[\(moments.joined(separator: ", "))]")
    }
  }

  private mutating func write(_ choice: StoryboardChoice) {
    text += "          - label: \(YAMLText.quoted(choice.label))\n"
    if let target = choice.target.flatMap(Self.word) { line(6, "to", target) }
    if let mark = choice.mark { line(6, "is", mark.rawValue) }
    if choice.score != StoryNumber(0) { line(6, "score", "\(choice.score)") }
    if let condition = choice.condition { line(6, "if", YAMLText.quoted(condition.text)) }
    write(choice.effects)
  }

  private mutating func write(_ effects: [StoryAssignment]) {
    if !effects.isEmpty { line(6, "do", "[\(effects.map { YAMLText.quoted($0.text) }.joined(separator: ", "))]") }
  }

  private static func moment(_ moment: StoryboardEvent.Moment) -> String {
    switch moment {
    case .afterStart(let time): time.storyText
    case .beforeEnd(.zero): "end"
    case .beforeEnd(let time): "-\(time.storyText)"
    }
  }

  /// Returns nil for the default target, which needs no key.
  private static func word(_ target: StoryboardTarget) -> String? {
    switch target {
    case .next: "next"
    case .back: "back"
    case .end: "end"
    case .named(let name): YAMLText.quoted(name)
    case .ofKind: nil
    }
  }
}
