import PlainText
import Playback
import YAML

extension StoryboardRun {
  /// A saved run: its position and the choices that led there.
  public struct Saved: Hashable, Sendable {
    /// The position in the story.
    enum Place: Hashable {
      case notBegun
      case track(Track)
      case ended
    }

    /// A position in a track.
    struct Track: Hashable {
      /// The full name.
      var name: String
      /// The time in the track.
      var time = MediaTime.zero
      var chosen: Int?
      /// True if its decision is made.
      var isDecided = false
      /// The number of tracks played since the last decision.
      var passed = 0
    }

    /// The title of the storyboard.
    public let title: String
    /// The storyboard file: relative to the run's folder in a saved file, else to the current folder. Nil if unknown.
    public var storyboard: String?
    let mark: String
    let seed: UInt64
    /// The choice made at each decision.
    let choices: [Int?]
    let place: Place
  }

  /// The data needed to resume the run.
  public var saved: Saved {
    let place: Saved.Place =
      switch phase {
      case .notBegun: .notBegun
      case .playing(let visit):
        .track(
          Saved.Track(
            name: storyboard.fullName(visit.track), time: visit.position, chosen: visit.chosen,
            isDecided: visit.isDecided, passed: visit.passed))
      case .ended: .ended
      }
    return Saved(
      title: storyboard.title, mark: storyboard.mark, seed: seed, choices: history.map(\.choice), place: place)
  }

  /// Resumes a run; `begin()` then reports its position.
  ///
  /// - Throws: `StoryboardFailure` if the storyboard has errors or is not the one that was saved, or if the choices do not lead
  ///   to the saved position.
  public init(_ storyboard: Storyboard, resuming saved: Saved) throws(StoryboardFailure) {
    try self.init(storyboard, seed: saved.seed)
    func failure(_ message: String) -> StoryboardFailure {
      StoryboardFailure(message, file: storyboard.errorName)
    }
    guard saved.mark == storyboard.mark else {
      throw failure(
        "the saved run belongs to another storyboard, \"\(saved.title)\", or this one has changed since")
    }
    let isLost = failure("the choices of the saved run do not lead to its position in this storyboard")
    if case .notBegun = saved.place, saved.choices.isEmpty { return }
    guard saved.choices.count <= Self.maxDecisions, replay(saved.choices) else { throw isLost }
    switch saved.place {
    case .notBegun: throw isLost
    case .ended:
      _ = walk { _ in false }
      guard case .ended = phase else { throw isLost }
    case .track(let track):
      let passed = min(track.passed, trackCount)
      let isMeant = { (visit: Visit) in
        storyboard.fullName(visit.track) == track.name && visit.isDecided == track.isDecided && visit.passed >= passed
      }
      guard walk(until: isMeant), var visit, visit.canBe(chosen: track.chosen) else { throw isLost }
      place(&visit, at: track.time)
      visit.chosen = track.chosen
      self.visit = visit
    }
  }
}

extension StoryboardRun.Saved {
  static let kind = "storyboard run 1"

  /// The text of the saved file: YAML whose first line is `quadrille: storyboard run 1`.
  public var text: String {
    let file = storyboard.map { ["storyboard: \(YAMLText.quoted($0))"] } ?? []
    var lines = ["quadrille: \(Self.kind)"] + file + [
      "title: \(YAMLText.quoted(title))", "mark: \"\(mark)\"", "seed: \(seed)",
      "choices: [\(choices.map { "\($0 ?? 0)" }.joined(separator: ", "))]",
    ]
    switch place {
    case .notBegun: lines.append("begun: false")
    case .ended: lines.append("ended: true")
    case .track(let track):
      lines += ["track: \(YAMLText.quoted(track.name))", "at: \(track.time.value)/\(track.time.timescale)"]
      if let chosen = track.chosen { lines.append("chosen: \(chosen)") }
      if track.isDecided { lines.append("decided: true") }
      if track.passed > 0 { lines.append("passed: \(track.passed)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text of a saved file.
  ///
  /// - Parameters:
  ///   - text: the whole text, at most a megabyte.
  ///   - name: the file name for errors.
  /// - Throws: `StoryboardFailure` with all problems.
  public init(text: String, name: String) throws(StoryboardFailure) {
    var reader = StoryboardReader()
    let saved = Self(text, &reader)
    guard let saved, reader.problems.isEmpty else { throw StoryboardFailure(reader.problems, file: name) }
    self = saved
  }

  /// Returns true if a file is a saved run, by its first key. False for unreadable files, pipes and devices.
  public static func isSaved(_ path: String) -> Bool { FileHeader.value(of: path)?.hasPrefix("storyboard run") == true }

  /// Reads a file of at most a megabyte. Blocks until it is read. The `storyboard` path is then relative to the current folder.
  ///
  /// - Parameter path: as `Asset.path(ofBytes:)` makes it.
  /// - Throws: `StoryboardFailure` with all problems.
  public static func read(_ path: String) throws(StoryboardFailure) -> Self {
    var saved = try Self(text: StoryboardFile.text(of: path), name: path)
    saved.storyboard = saved.storyboard.map { MovieClip(path: $0).path(fromMovieAt: path) }
    return saved
  }

  private init?(_ text: String, _ reader: inout StoryboardReader) {
    guard let entries = reader.entries(ofKind: Self.kind, text) else { return nil }
    var title = ""
    var file: String?
    var mark = ""
    var seed: UInt64 = 0
    var choices: [Int?] = []
    var track = Track(name: "")
    var hasEnded = false
    var hasBegun = true
    for (key, value) in entries {
      func number(_ node: YAMLNode, _ most: Int) -> Int? {
        if let number = node.text.flatMap({ Int($0) }), (0...most).contains(number) { return number }
        reader.report(node.line, "\(key.text ?? "?"): \(reader.quoted(node)) is not a number from 0 to \(most)")
        return nil
      }
      switch key.text {
      case "title": title = value.text ?? ""
      case "storyboard": file = reader.text(value, "storyboard")
      case "mark": mark = reader.text(value, "mark") ?? ""
      case "seed": seed = reader.seed(value) ?? seed
      case "choices":
        choices = reader.list(value, "choices").map {
          number($0, StoryboardLimits.choices).flatMap { $0 == 0 ? nil : $0 }
        }
      case "track": track.name = reader.text(value, "track") ?? ""
      case "at": track.time = reader.time(value, "at") ?? .zero
      case "chosen": track.chosen = number(value, StoryboardLimits.choices).flatMap { $0 == 0 ? nil : $0 }
      case "passed": track.passed = number(value, StoryboardLimits.tracks) ?? 0
      case "decided": track.isDecided = value.text == "true"
      case "ended": hasEnded = value.text == "true"
      case "begun": hasBegun = value.text != "false"
      default:
        let known = [
          "title", "storyboard", "mark", "seed", "choices", "track", "at", "chosen", "decided", "passed", "ended", "begun",
        ]
        reader.unknown(key, "", known)
      }
    }
    self.title = title
    storyboard = file
    self.mark = mark
    self.seed = seed
    self.choices = choices
    place = hasEnded ? .ended : hasBegun ? .track(track) : .notBegun
    guard reader.problems.isEmpty else { return }
    // A truncated file is an error.
    let keys = Set(entries.compactMap(\.key.text))
    for key in ["mark", "choices"] where !keys.contains(key) {
      reader.report(nil, "\(key): missing; the saved run is incomplete")
    }
    if !hasEnded, hasBegun, !keys.contains("at") {
      reader.report(nil, "no position; expected \"track\" and \"at\", \"ended: true\" or \"begun: false\"")
    }
  }
}

extension Storyboard {
  /// A hash of everything that decides where choices lead; clips, times and texts may change.
  var mark: String {
    var hash = FNV1a()
    func add(_ text: String) {
      for byte in text.utf8 { hash.combine(byte) }
      hash.combine(0xFF)
    }
    func add(_ target: StoryboardTarget?) {
      switch target {
      case nil: add("-")
      case .next: add("next")
      case .back: add("back")
      case .end: add("end")
      case .ofKind: add("kind")
      case .named(let name): add("to \(name)")
      }
    }
    add(begin ?? "-")
    for variable in variables { add("\(variable.name) \(variable.initial.kind) \(variable.initial)") }
    for scene in scenes {
      add("scene \(scene.name) \(scene.begin ?? "-")")
      for track in scene.tracks {
        add("track \(track.name) \(track.kind)")
        add(track.otherwise)
        add(track.then)
        for choice in track.choices {
          add("choice \(choice.condition?.text ?? "-") \(choice.mark?.rawValue ?? "-") \(choice.score)")
          add(choice.target)
          for effect in choice.effects { add(effect.text) }
        }
        for rule in track.rules {
          add("rule \(rule.condition.text)")
          add(rule.target)
          for effect in rule.effects { add(effect.text) }
        }
      }
    }
    return hash.hexadecimal
  }
}
