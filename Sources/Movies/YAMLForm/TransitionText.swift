import Playback

/// The text form of a transition: "dissolve 0.5", "fade 1 white", "wipe 1 90 0.2", "push 1 180"; "cut 0.25" may follow.
enum TransitionText {
  static let expected = """
    a transition such as "dissolve 0.5", "fade 1 white", "wipe 1 90 0.2" (angle, softness), "push 1 180" or "cut"
    """

  /// Parses a transition: the inner optional is nil for a cut, the outer one for invalid text.
  static func read(_ text: String, rate: Ratio?) -> MovieTransition?? {
    var words = text.split(separator: " ").map(String.init)
    if words == ["cut"] { return .some(nil) }
    func positive(_ text: String) -> MediaTime? { TimeText.time(text, rate: rate).flatMap { $0 > .zero ? $0 : nil } }
    func number(_ index: Int, _ range: ClosedRange<Double>) -> Double? {
      guard index < words.count else { return 0 }
      return Double(words[index]).flatMap { range.contains($0) ? $0 : nil }
    }
    guard words.count >= 2, let length = positive(words[1]) else { return nil }
    var cut = MediaTime.zero
    if words.count >= 4, words[words.count - 2] == "cut" {
      guard let time = TimeText.time(words[words.count - 1], rate: rate), time >= .zero, time <= length else { return nil }
      cut = time
      words.removeLast(2)
    }
    let kind: MovieTransition.Kind
    switch (words[0], words.count) {
    case ("dissolve", 2): kind = .dissolve
    case ("fade", 2): kind = .fade(through: .black)
    case ("fade", 3):
      guard let color = MovieColor(words[2]) else { return nil }
      kind = .fade(through: color)
    case ("wipe", 2...4):
      guard let angle = number(2, -360...360), let softness = number(3, 0...1) else { return nil }
      kind = .wipe(angle: angle, softness: softness)
    case ("push", 2...3):
      guard let angle = number(2, -360...360) else { return nil }
      kind = .push(angle: angle)
    default: return nil
    }
    return .some(MovieTransition(kind, length: length, cut: cut))
  }

  static func text(_ transition: MovieTransition) -> String {
    var words: [String]
    let length = TimeText.text(transition.length)
    switch transition.kind {
    case .dissolve: words = ["dissolve", length]
    case .fade(.black): words = ["fade", length]
    case .fade(let color): words = ["fade", length, color.text]
    case .wipe(let angle, let softness):
      words = ["wipe", length]
      if angle != 0 || softness != 0 { words.append(YAMLText.number(angle)) }
      if softness != 0 { words.append(YAMLText.number(softness)) }
    case .push(let angle):
      words = ["push", length]
      if angle != 0 { words.append(YAMLText.number(angle)) }
    }
    if transition.cut != .zero { words += ["cut", TimeText.text(transition.cut)] }
    return words.joined(separator: " ")
  }
}
