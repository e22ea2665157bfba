import Playback

/// Finds the problems in a storyboard.
struct StoryboardCheck {
  let storyboard: Storyboard
  let kinds: [String: StoryValue.Kind]
  /// True if everything in the file could be read, so that missing parts are really missing.
  let isWhole: Bool
  private(set) var problems: [StoryboardProblem] = []

  init(_ storyboard: Storyboard, isWhole: Bool = true) {
    self.storyboard = storyboard
    self.isWhole = isWhole
    kinds = Dictionary(
      storyboard.variables.map { ($0.name, $0.initial.kind) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func report(_ line: Int?, _ message: String, _ severity: StoryboardProblem.Severity = .error) {
    problems.report(line, message, severity)
  }

  mutating func run() {
    checkText(storyboard.title, "title", storyboard.line.number(of: "title"), most: StoryboardLimits.text)
    checkVariables()
    checkScenes()
    for id in storyboard.trackIDs {
      // A storyboard or track over its limits is not checked further.
      guard checkTrack(id) else { continue }
      checkTimes(id)
      checkDecision(id)
    }
    if isWhole { checkWays() }
  }

  private mutating func checkVariables() {
    if storyboard.variables.count > StoryboardLimits.variables {
      report(storyboard.line.number(of: "variables"), "variables: more than \(StoryboardLimits.variables)")
    }
    var lines: [String: Int?] = [:]
    for variable in storyboard.variables {
      let name = "variables: \"\(variable.name.clipped)\""
      if !ExpressionToken.isName(variable.name) || variable.name.unicodeScalars.count > StoryboardLimits.name {
        report(variable.line.number, "\(name) is not a word (letters, digits and underscores, not starting with a digit)")
      } else if StoryExpression.reserved.contains(variable.name) {
        report(variable.line.number, "\(name) is reserved in expressions; use another name")
      } else if let first = lines[variable.name] {
        report(variable.line.number, "\(name) is defined twice\(Self.first(first))")
      }
      if case .text(let text) = variable.initial { checkText(text, name, variable.line.number, most: StoryboardLimits.text) }
      lines[variable.name] = lines[variable.name] ?? variable.line.number
    }
  }

  private static func first(_ line: Int?) -> String { line.map { ", first on line \($0)" } ?? "" }

  private mutating func checkScenes() {
    if storyboard.scenes.isEmpty, isWhole { report(storyboard.line.number(of: "scenes"), "scenes: none; expected at least one") }
    if storyboard.scenes.count > StoryboardLimits.scenes {
      report(storyboard.line.number(of: "scenes"), "scenes: more than \(StoryboardLimits.scenes)")
    }
    if storyboard.trackIDs.count > StoryboardLimits.tracks {
      report(storyboard.line.number(of: "scenes"), "tracks: more than \(StoryboardLimits.tracks) in all scenes together")
    }
    if let begin = storyboard.begin, storyboard.names.scene(begin) == nil {
      report(storyboard.line.number(of: "begin"), "begin: there is no scene \"\(begin.clipped)\"")
    }
    var lines: [String: Int?] = [:]
    for (index, scene) in storyboard.scenes.enumerated() {
      checkName(scene.name, "scene", scene.line.number)
      if let first = lines[scene.name] {
        report(scene.line.number, "scene \"\(scene.name.clipped)\" is defined twice\(Self.first(first))")
      }
      lines[scene.name] = lines[scene.name] ?? scene.line.number
      if scene.tracks.isEmpty, isWhole {
        report(scene.line.number, "scene \"\(scene.name.clipped)\" has no tracks; expected at least one")
      }
      if let begin = scene.begin, storyboard.names.track(begin, in: index) == nil {
        report(scene.line.number(of: "begin"), "scene \"\(scene.name.clipped)\": begin: there is no track \"\(begin.clipped)\" in it")
      }
      checkTrackNames(scene)
    }
  }

  private mutating func checkTrackNames(_ scene: StoryboardScene) {
    var lines: [String: Int?] = [:]
    for track in scene.tracks {
      checkName(track.name, "track", track.line.number)
      if let first = lines[track.name] {
        report(
          track.line.number,
          "track \"\(track.name.clipped)\" is defined twice in scene \"\(scene.name.clipped)\"\(Self.first(first))")
      } else if storyboard.names.scene(track.name) != nil {
        report(track.line.number, "track \"\(track.name.clipped)\" has the same name as a scene; use another name")
      }
      lines[track.name] = lines[track.name] ?? track.line.number
    }
  }

  private mutating func checkName(_ name: String, _ what: String, _ line: Int?) {
    if StoryboardTarget.words.contains(name) {
      report(line, "\(what) \"\(name)\": this name is reserved for targets; use another name")
    } else if name.isEmpty || name.contains("/") || name.unicodeScalars.count > StoryboardLimits.name {
      let expected = "a name of 1 to \(StoryboardLimits.name) characters without \"/\""
      report(line, "\(what) \"\(name.clipped)\": expected \(expected)")
    }
  }

  mutating func checkText(_ text: String, _ what: String, _ line: Int?, most: Int) {
    guard text.unicodeScalars.count > most else { return }
    report(line, "\(what) is longer than \(most) characters")
  }

  /// Returns true if the track is within the limits and can be checked further.
  private mutating func checkTrack(_ id: Storyboard.TrackID) -> Bool {
    let track = storyboard[id]
    let what = "track \"\(track.name.clipped)\""
    checkSource(track, what)
    checkTarget(track.then, "\(what): then", track.line.number(of: "then"), id)
    checkTarget(track.otherwise, "\(what): otherwise", track.line.number(of: "otherwise"), id)
    var isBounded = true
    for (count, most, key) in [
      (track.events.count, StoryboardLimits.events, "events"),
      (track.choices.count, StoryboardLimits.choices, "choices"),
      (track.rules.count, StoryboardLimits.rules, "rules"),
    ] where count > most {
      report(track.line.number(of: key), "\(what): \(key): more than \(most)")
      isBounded = false
    }
    for case .named(let name) in track.events.map(\.kind)
    where name.isEmpty || name.unicodeScalars.count > StoryboardLimits.name {
      report(track.line.number(of: "events"), "\(what): events: expected names of 1 to \(StoryboardLimits.name) characters")
      isBounded = false
    }
    return isBounded
  }

  private mutating func checkSource(_ track: StoryboardTrack, _ what: String) {
    let key = track.source.key
    let line = track.line.number(of: key)
    switch track.source {
    case .missing(let name): checkText(name, "\(what): \(key)", line, most: StoryboardLimits.text)
    case .clip(let path), .movie(let path):
      if path.isEmpty || path.utf8.count > StoryboardLimits.path || path.utf8.contains(0) {
        report(line, "\(what): \(key): expected a file name of 1 to \(StoryboardLimits.path) bytes")
      } else if ClipName.networkScheme(path) != nil {
        report(line, "\(what): \(key): \"\(path)\" is a network address; expected a file name")
      }
    }
  }

  mutating func checkTarget(_ target: StoryboardTarget?, _ what: String, _ line: Int?, _ id: Storyboard.TrackID) {
    guard let target, storyboard.destination(of: target, from: id) == nil, case .named(let name) = target else {
      return
    }
    report(line, "\(what): there is no track or scene \"\(name.clipped)\"")
  }
}

extension Storyboard {
  /// The problems in a storyboard, in no particular order: errors, which prevent playing, and warnings.
  ///
  /// Event times are compared with the lengths that are known.
  public func problems() -> [StoryboardProblem] {
    var check = StoryboardCheck(self)
    check.run()
    return check.problems
  }
}
