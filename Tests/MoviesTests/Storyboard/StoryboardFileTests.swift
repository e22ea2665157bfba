import Playback
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct StoryboardFileTests {
  private func problems(_ text: String) -> [String] {
    do {
      return try StoryboardFile(text: text, name: "f.yaml").warnings.map { "warning \($0)" }
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func aWholeFileIsRead() throws {
    let file = try StoryboardFile(text: Lighthouse.text, name: "lighthouse.yaml")
    #expect(file.warnings == [])
    let storyboard = file.storyboard
    #expect(storyboard.title == "The Lighthouse" && storyboard.seed == 7)
    #expect(
      storyboard.variables.map { "\($0.name) \($0.initial.kind) \($0.initial)" } == [
        "lamps number 0", "brave flag false",
      ])
    #expect(storyboard.scenes.map(\.name) == ["Shore", "Tower"])
    #expect(storyboard.scenes[0].tracks.map(\.kind) == [.prologue, .winning, .intermediate, .losing, .epilogue])
    let arrival = storyboard.scenes[0].tracks[0]
    #expect(
      arrival.source == .clip("shore.mkv") && arrival.inPoint == at(2) && arrival.length == at(10) && arrival.line.number == 10
    )
    #expect(
      arrival.events.map { "\($0.kind) \($0.line.number ?? 0)" } == ["show 14", "hide 15", "decide 16", "gull 18", "gull 18"])
    #expect(arrival.choices.map(\.label) == ["Climb the stairs", "Swim", "Ask the gull"])
    #expect(arrival.choices[0].effects.map(\.text) == ["lamps += 1", "brave = true"])
    #expect(arrival.choices[1].target == .named("drowned") && arrival.choices[2].condition?.text == "not visited(gull)")
    #expect(storyboard.scenes[0].tracks[4].length == MediaTime(value: 1001, timescale: 30000))
  }

  @Test func defaultsOfKinds() throws {
    let storyboard = try Lighthouse.storyboard()
    func name(_ track: Int) -> String {
      let id = Storyboard.TrackID(scene: 0, track: track)
      switch storyboard.destination(of: .ofKind, from: id) {
      case .track(let id): return storyboard.fullName(id)
      case .end: return "end"
      case nil: return "?"
      }
    }
    #expect((0..<5).map(name) == ["Shore/stairs", "Shore/door", "Shore/arrival", "Shore/arrival", "Tower/lamp"])
  }

  @Test(arguments: [
    ("", "f.yaml:1: expected \"quadrille: storyboard 1\" as the first line"),
    ("scenes: []", "f.yaml:1: expected \"quadrille: storyboard 1\" as the first line"),
    ("quadrille: storyboard 2", "f.yaml:1: quadrille: expected \"storyboard 1\", not \"storyboard 2\""),
    ("quadrille: movie 1", "f.yaml:1: quadrille: expected \"storyboard 1\", not \"movie 1\""),
    ("quadrille: storyboard 1\n", "f.yaml: scenes: none; expected at least one"),
    ("quadrille: storyboard 1\na: &x 1", "f.yaml:2: anchors and aliases are not supported"),
    ("quadrille: storyboard 1\nscenes:\n  - scene: s", "f.yaml:3: scene \"s\" has no tracks; expected at least one"),
    ("quadrille: storyboard 1\nscenes: 3", "f.yaml:2: scenes: expected a list, with \"- \" before each item"),
    (
      "quadrille: storyboard 1\nscenes:\n  - tracks: []",
      "f.yaml:3: scenes: each must start with \"scene: NAME\""
    ),
  ])
  func beginnings(text: String, expected: String) {
    #expect(problems(text) == expected.split(separator: "|").map(String.init))
  }

  @Test(arguments: [
    ("- track: a\n  clip: a\n  lenght: 2", "f.yaml:7: track \"a\": unknown key \"lenght\"; expected one of clip, movie, missing, in,"),
    ("- tracks: a\n  clip: a", "f.yaml:5: tracks: each must start with \"KIND: NAME\""),
    ("- track: a\n  clip: a\n  ? [b]\n  : 1", "f.yaml:7: track \"a\": unknown key (a list or a mapping); expected one of clip"),
    ("- track: a", "f.yaml:5: track \"a\": nothing to play"),
    ("- track: a\n  clip: a\n  missing: b", "f.yaml:7: track \"a\": has both clip and missing"),
    ("- track: a\n  missing: ~", "f.yaml:6: track \"a\": missing: expected text"),
    ("- track: a\n  clip: a\n  movie: b", "f.yaml:7: track \"a\": has both clip and movie"),
    ("- track: a\n  clip: http://x/a.mkv", "f.yaml:6: track \"a\": clip: \"http://x/a.mkv\" is a network address"),
    ("- track: a\n  clip: RTSP:camera", "f.yaml:6: track \"a\": clip: \"RTSP:camera\" is a network address"),
    ("- track: a\n  movie: rtmp:live", "f.yaml:6: track \"a\": movie: \"rtmp:live\" is a network address"),
    ("- track: a\n  clip: a\n  in: soon", "f.yaml:7: track \"a\": in: \"soon\" is not a time such as"),
    ("- track: a\n  clip: a\n  in: -1", "f.yaml:7: track \"a\": in: \"-1\" is not a time such as"),
    (
      "- track: a\n  clip: a\n  in: 5\n  out: 4",
      "f.yaml:8: track \"a\": out: 0:04.000 is not after in, 0:05.000"
    ),
    (
      "- track: a\n  clip: a\n  length: 0", "f.yaml:7: track \"a\": length: must be above 0 and at most 100 hours, not 0:00.000"
    ),
    (
      "- track: a\n  clip: a\n  length: 101:00:00",
      "f.yaml:7: track \"a\": length: must be above 0 and at most 100 hours, not 101:00:00.000"
    ),
    (
      "- track: a\n  clip: a\n  out: 4\n  length: 5",
      "f.yaml:8: track \"a\": length: 0:05.000 differs from out minus in, 0:04.000"
    ),
    (
      "- track: a\n  clip: a\n  length: 4\n  events: {x: 5}",
      "f.yaml:8: track \"a\": x: 0:05.000 is outside the track, which is 0:04.000 long"
    ),
    (
      "- track: a\n  clip: a\n  length: 4\n  events: {x: -5}",
      "f.yaml:8: track \"a\": x: -0:01.000 is outside the track"
    ),
    ("- track: a\n  clip: a\n  decide: 4", "f.yaml:7: track \"a\": decide: nothing to decide"),
    (
      "- track: a\n  clip: a\n  show: 5\n  decide: 4\n  choices: [{x: end}]",
      "f.yaml:8: track \"a\": decide: comes before the controls"
    ),
    (
      "- track: a\n  clip: a\n  decide: 0\n  choices: [{x: end}]",
      "f.yaml:7: track \"a\": decide: 0:00.000 is not after the track's start"
    ),
    ("- track: a\n  clip: a\n  decide: [3, 4]\n  choices: [{x: end}]", "f.yaml:7: track \"a\": decide: is given more than once"),
    ("- track: a\n  clip: a\n  start: [0, 1]", "f.yaml:7: track \"a\": start: is given more than once"),
    ("- track: a\n  clip: a\n  then: b", "f.yaml:7: track \"a\": then: there is no track or scene \"b\""),
    ("- track: a\n  clip: a\n  otherwise: end", "f.yaml:7: track \"a\": otherwise: nothing to decide"),
    (
      "- track: a\n  clip: a\n  choices: [{x: b}]",
      "f.yaml:7: track \"a\": choice \"x\": to: there is no track or scene \"b\""
    ),
    ("- track: a\n  clip: a\n  choices: [{label: x}]", "f.yaml:7: track \"a\": choice \"x\" has no target"),
    ("- track: a\n  clip: a\n  choices: [{label: x, is: right}]", "f.yaml:7: track \"a\": choice \"x\" has no target"),
    (
      "- track: a\n  clip: a\n  choices: [{to: end, if: true}]", "f.yaml:7: track \"a\": choices: a choice has no label"
    ),
    (
      "- track: a\n  clip: a\n  choices: [{label: x, to: end, is: good}]",
      "f.yaml:7: track \"a\": choices: is: expected right or wrong, not \"good\""
    ),
    (
      "- track: a\n  clip: a\n  choices: [{label: x, to: end, score: many}]",
      "f.yaml:7: track \"a\": choices: score: \"many\" is not a number"
    ),
    ("- track: a\n  clip: a\n  choices: [{x: end}, {x: end}]", "f.yaml:7: track \"a\": choice \"x\" is defined twice"),
    ("- track: a\n  clip: a\n  choices: [x]", "f.yaml:7: track \"a\": choices: expected \"LABEL: TARGET\""),
    (
      "- track: a\n  clip: a\n  choices: [{label: x, to: end, if: lamps > 1}]",
      "f.yaml:7: track \"a\": choice \"x\": if: \"lamps > 1\": there is no variable \"lamps\""
    ),
    (
      "- track: a\n  clip: a\n  choices: [{label: x, to: end, if: chosen == 1}]",
      "\"chosen\" is only known at the decision point"
    ),
    (
      "- track: a\n  clip: a\n  choices: [{label: x, to: end, if: 1 + 1}]",
      "\"1 + 1\" is a number; expected a condition"
    ),
    ("- track: a\n  clip: a\n  choices: [{label: x, to: end, do: n = 1}]", "do: \"n = 1\": there is no variable \"n\""),
    (
      "- track: a\n  clip: a\n  rules: [{if: true}]",
      "f.yaml:7: track \"a\": rules: expected \"if: CONDITION\" and \"to: TARGET\""
    ),
    (
      "- track: a\n  clip: a\n  rules: [{if: true or, to: end}]",
      "f.yaml:7: track \"a\": rules: if: \"true or\": expected a value"
    ),
    (
      "- track: a\n  clip: a\n  rules:\n  - if: true\n    to: b",
      "f.yaml:9: track \"a\": rules: to: there is no track or scene \"b\""
    ),
    (
      "- track: a\n  clip: a\n  rules:\n  - to: end\n    if: n > 1",
      "f.yaml:9: track \"a\": rules: if: \"n > 1\": there is no variable \"n\""
    ),
    (
      "- track: a\n  clip: a\n  choices:\n  - label: x\n    to: b",
      "f.yaml:9: track \"a\": choice \"x\": to: there is no track or scene \"b\""
    ),
    (
      "- track: a\n  clip: a\n  choices:\n  - label: x\n    to: end\n    if: 1 + 1",
      "f.yaml:10: track \"a\": choice \"x\": if: \"1 + 1\" is a number; expected a condition"
    ),
    (
      "- track: a\n  clip: a\n  choices:\n  - label: x\n    to: end\n    do:\n    - n = 1",
      "f.yaml:11: track \"a\": choice \"x\": do: \"n = 1\": there is no variable \"n\""
    ),
    (
      "- track: a\n  clip: a\n- track: a\n  clip: a",
      "f.yaml:7: track \"a\" is defined twice in scene \"s\", first on line 5"
    ),
    ("- track: s\n  clip: a", "f.yaml:5: track \"s\" has the same name as a scene"),
    ("- track: next\n  clip: a", "f.yaml:5: track \"next\": this name is reserved"),
    ("- track: a/b\n  clip: a", "f.yaml:5: track \"a/b\": expected a name"),
  ])
  func problemsOfTracks(tracks: String, expected: String) {
    let found = problems(OneScene.text(tracks))
    #expect(found.count == 1 && found[0].contains(expected), "\(found)")
  }

  @Test(arguments: [
    ("variables: {1a: 1}\n", "f.yaml:2: variables: \"1a\" is not a word"),
    ("variables: {score: 1}\n", "f.yaml:2: variables: \"score\" is reserved in expressions"),
    ("variables: {a: [1]}\n", "f.yaml:2: variables: \"a\": expected a number, true or false, or text"),
    ("seed: -1\n", "f.yaml:2: seed: \"-1\" is not a whole number"),
    ("begin: t\n", "f.yaml:2: begin: there is no scene \"t\""),
    ("tittle: t\n", "f.yaml:2: unknown key \"tittle\"; expected one of title, begin, seed, variables, scenes"),
  ])
  func problemsOfTheHead(head: String, expected: String) {
    let found = problems(OneScene.text("- track: a\n  clip: a", head: head))
    #expect(found.count == 1 && found[0].contains(expected), "\(found)")
  }

  @Test func allProblemsAreListedInTheOrderOfTheirLines() {
    let found = problems(
      OneScene.text(
        "- track: a\n  clip: http://x\n  in: soon\n  then: b\n- track: a\n  clip: a\n  colour: red", head: "seed: x\n"
      ))
    #expect(
      found.map { String($0.prefix(9)) } == [
        "f.yaml:2:", "f.yaml:7:", "f.yaml:8:", "f.yaml:9:", "f.yaml:10", "f.yaml:12",
      ])
  }

  @Test func warnings() {
    let unreached = problems(OneScene.text("- track: a\n  clip: a\n  then: end\n- track: b\n  clip: b"))
    #expect(unreached == ["warning f.yaml:8: track \"b\" cannot be reached"])
    let loop = problems(OneScene.text("- track: a\n  clip: a\n- track: b\n  clip: b\n  then: a"))
    #expect(loop == ["warning f.yaml:5: track \"a\" leads back to itself without a decision: \"a\", \"b\", \"a\""])
    let shown = problems(OneScene.text("- track: a\n  clip: a\n  show: 1"))
    #expect(shown == ["warning f.yaml:7: track \"a\": show: there are no choices to show"])
    let rounded = problems(
      OneScene.text("- track: a\n  clip: a\n  length: 1/2147483647\n- track: b\n  clip: b\n  length: 1/2147483629"))
    #expect(rounded.count == 1 && rounded[0].contains("f.yaml:3: scene \"s\": times are rounded"))
    // A loop with a decision in it is what losing branches are for.
    #expect(problems(OneScene.text("- prologue: a\n  clip: a\n  choices: [{x: b}]\n  otherwise: b\n- losing: b\n  clip: b")) == [])
    let missing = problems(OneScene.text("- track: a\n  missing: a shot of the sea"))
    #expect(missing == ["warning f.yaml:6: 1 track has no clip and shows a placeholder: \"a\"; give it a line \"clip: FILE\""])
  }

  @Test(arguments: [
    ("prologue", "", true), ("track", "", true), ("track", "  otherwise: next\n", false), ("track", "  then: b\n", false),
    ("track", "  rules: [{if: chosen == 0, to: b}]\n", false), ("losing", "", false),
  ])
  func silenceThatLeadsToTheNextTrackIsToldOf(kind: String, keys: String, isTold: Bool) {
    let found = problems(
      OneScene.text("- \(kind): a\n  clip: a\n  choices: [{x: b}, {y: c}]\n\(keys)- track: b\n  clip: b\n  then: end\n- track: c\n  clip: c\n  choices: [{z: end}]"))
    let warning =
      "warning f.yaml:7: track \"a\": if nothing is chosen, \"b\" follows, the next track in the file; "
      + "add \"otherwise: next\" if that is meant, else \"otherwise: TARGET\""
    #expect(found == (isTold ? [warning] : []))
  }

  @Test func whatIsTooMuchIsRefused() {
    let many = (0..<2000).map { "- track: t\($0)\n  clip: a" }.joined(separator: "\n")
    #expect(problems(OneScene.text(many)).contains { $0.contains("tracks: more than 1000") })
    let choices = (0..<10).map { "{c\($0): end}" }.joined(separator: ", ")
    #expect(
      problems(OneScene.text("- track: a\n  clip: a\n  choices: [\(choices)]")).contains {
        $0.contains("choices: more than 9")
      })
    let wrong = (0..<500).map { "- track: t\($0)\n  clip: a\n  then: gone" }.joined(separator: "\n")
    let found = problems(OneScene.text(wrong))
    #expect(found.count == 101 && found.last == "f.yaml: too many problems; the rest are not listed")
    #expect(
      problems("quadrille: storyboard 1\n" + String(repeating: "#", count: 1 << 20)) == [
        "f.yaml: larger than 1048576 bytes"
      ])
    let deep = String(repeating: "[", count: 100)
    #expect(problems("quadrille: storyboard 1\na: \(deep)") == ["f.yaml:2: nested too deeply"])
  }

  /// As many pieces as fit into a file, with names as long as fit: nothing that grows faster than the file.
  @Test(.timeLimit(.minutes(20))) func largeFilesTakeBoundedTimeAndMemory() {
    let name = String(repeating: "n", count: 400_000)
    let events = (0..<20_000).map { "\($0): -1x" }.joined(separator: ", ")
    let texts = [
      OneScene.text("- track: \(name)\n  clip: a\n  events: {\(events)}"),
      OneScene.text(
        "- track: a\n  clip: a\n  choices:\n"
          + (0..<12_000).map { "  - {label: c\($0), to: a, do: x = chosen(\"c\($0)\")}\n" }.joined(),
        head: "variables: {x: true}\n"),
      OneScene.text((0..<20_000).map { "- track: t\($0)\n  clip: a" }.joined(separator: "\n")),
      OneScene.text("- track: a\n  clip: a\n  rules:\n" + String(repeating: "  - {if: true, to: a}\n", count: 20_000)),
    ]
    for text in texts {
      #expect(text.utf8.count <= StoryboardLimits.bytes)
      let found = problems(text)
      #expect(!found.isEmpty && found.allSatisfy { $0.utf8.count < 1500 })
    }
    let links = (0..<60_000).map { "[[l\($0)->A]]" }.joined()
    #expect(throws: StoryboardFailure.self) {
      try TweeFile(text: ":: Start\nclip: a\n\(links)", name: "t").storyboardFile()
    }
  }

  @Test func networkNamesAreRefusedAsFilesToo() {
    for name in ["https://example.org/s.yaml", "rtsp:camera"] {
      let error = #expect(throws: StoryboardFailure.self) { try StoryboardFile.read(name) }
      #expect(error?.description.contains("is a network address") == true, "\(name)")
    }
    let error = #expect(throws: StoryboardFailure.self) { try StoryboardFile.read("/nonexistent/s.yaml") }
    #expect(error?.description == "/nonexistent/s.yaml: no such file")
  }

  @Test func hostileTextDoesNotStopTheReader() {
    var generator = SplitMix64(seed: 3)
    let bytes = Array(Lighthouse.text.utf8)
    for _ in 0..<300 {
      var hurt = bytes
      for _ in 0..<(1 + Int.random(in: 0..<8, using: &generator)) {
        hurt[Int.random(in: 0..<hurt.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = problems(String(decoding: hurt, as: UTF8.self))
    }
  }
}
