import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

/// Graphs, traces and what the commands print.
@Suite(.timeLimit(.minutes(20))) struct StoryboardTextTests {
  @Test func aGraphHasAllTracksAndWays() throws {
    let text = StoryboardGraph(try Lighthouse.storyboard()).text
    #expect(
      text == """
        digraph storyboard {
          label="The Lighthouse";
          rankdir=LR;
          node [shape=box];
          subgraph cluster_0 {
            label="Shore";
            t0_0 [label="arrival\\nprologue"];
            t0_1 [label="stairs\\nwinning", color=green];
            t0_2 [label="gull\\nintermediate", color=orange];
            t0_3 [label="drowned\\nlosing", color=red];
            t0_4 [label="door\\nepilogue"];
          }
          subgraph cluster_1 {
            label="Tower";
            t1_0 [label="lamp"];
          }
          begin [shape=point];
          begin -> t0_0;
          t0_0 -> t0_1 [label="1 Climb the stairs"];
          t0_0 -> t0_3 [label="2 Swim"];
          t0_0 -> t0_2 [label="3 Ask the gull\\nif not visited(gull)"];
          t0_0 -> t0_3 [label="otherwise", style=dashed];
          t0_1 -> t0_4;
          t0_2 -> end [label="if lamps > 5", style=dashed];
          t0_2 -> t0_0;
          t0_3 -> t0_0;
          t0_4 -> t1_0;
          t1_0 -> end [label="1 Light it"];
          t1_0 -> t0_3 [label="2 Look down"];
          t1_0 -> end;
          end [shape=doublecircle, label="end"];
        }

        """)
  }

  @Test func namesInGraphsAreEscaped() {
    #expect(StoryboardGraph.quoted("a\"; x -> y; \\N\n\u{1B}\u{202E}") == "\"a\\\"; x -> y; \\\\N\\n\u{FFFD}\u{FFFD}\"")
  }

  private func trace(_ choices: String...) throws -> [String] {
    try StoryboardTrace(try Lighthouse.storyboard(), choices: choices).lines
  }

  @Test func aTraceTellsTracksAndEventsWithTheirTimes() throws {
    #expect(
      try trace("c", "Climb the stairs", "1") == [
        "0:00.000  0:00.000  track Shore/arrival", "0:00.000  0:00.000  start", "0:01.000  0:01.000  event gull",
        "0:04.000  0:04.000  show", "0:04.000  0:04.000    1 Climb the stairs", "0:04.000  0:04.000    2 Swim",
        "0:04.000  0:04.000    3 Ask the gull", "0:04.000  0:04.000  chosen 3", "0:07.000  0:07.000  hide",
        "0:08.000  0:08.000  decide", "0:08.000  0:08.000  decided by 3 Ask the gull", "0:08.000  0:08.000  event gull",
        "0:08.000  0:15.000  track Shore/gull (jump)", "0:08.000  0:15.000  start", "0:11.000  0:18.000  decide",
        "0:11.000  0:18.000  decided by nothing", "0:11.000  0:00.000  track Shore/arrival (jump)",
        "0:11.000  0:00.000  start", "0:12.000  0:01.000  event gull", "0:15.000  0:04.000  show",
        "0:15.000  0:04.000    1 Climb the stairs", "0:15.000  0:04.000    2 Swim", "0:15.000  0:04.000  chosen 1",
        "0:18.000  0:07.000  hide", "0:19.000  0:08.000  decide", "0:19.000  0:08.000  decided by 1 Climb the stairs",
        "0:19.000  0:08.000  event gull", "0:21.000  0:10.000  track Shore/stairs (plays on)",
        "0:21.000  0:10.000  start",
        "0:26.000  0:20.500  track Shore/door (jump)", "0:26.000  0:20.500  start",
        "781001/30000  0:00.000  track Tower/lamp (jump)", "781001/30000  0:00.000  start",
        "781001/30000  0:00.000  show",
        "781001/30000  0:00.000    1 Light it", "781001/30000  0:00.000    2 Look down",
        "781001/30000  0:00.000  chosen 1",
        "901001/30000  0:04.000  decide", "901001/30000  0:04.000  decided by 1 Light it",
        "901001/30000  0:04.000  end",
      ])
  }

  @Test func aTraceStopsWhereItGoesRound() throws {
    let lines = try trace()
    #expect(lines.last?.hasSuffix("loops from here") == true)
    #expect(lines.count { $0.contains("track Shore/drowned") } < 3)
  }

  @Test func choicesThatCannotBeMadeAreRefused() throws {
    func problem(_ choices: String...) throws -> String? {
      let storyboard = try Lighthouse.storyboard()
      return #expect(throws: StoryboardFailure.self) { try StoryboardTrace(storyboard, choices: choices) }?.description
    }
    #expect(
      try problem("d")
        == "The Lighthouse: cannot choose \"d\" in track \"arrival\"; expected one of 1 \"Climb the stairs\", 2 \"Swim\", 3 \"Ask the gull\""
    )
    #expect(
      try problem("c", "3")
        == "The Lighthouse: cannot choose \"3\" in track \"arrival\"; expected one of 1 \"Climb the stairs\", 2 \"Swim\"")
    #expect(try problem("a", "a", "a") == "The Lighthouse: choice \"a\" is not used: the story asks for 2 choices")
    #expect(try trace("-", "2", "a", "a").count { $0.contains("decided by nothing") } == 1)
  }

  @Test func oneChoiceIsOne() throws {
    func tracks(_ way: String) -> String { "- {track: a, clip: a, length: 1, \(way)}\n- {track: b, clip: b, length: 1, then: end}" }
    func problem(_ storyboard: Storyboard, _ choices: [String]) -> String? {
      #expect(throws: StoryboardFailure.self) { try StoryboardTrace(storyboard, choices: choices) }?.description
    }
    let one = try OneScene.storyboard(tracks("choices: [{x: end}]"))
    #expect(problem(one, ["a", "a"])?.hasSuffix("choice \"a\" is not used: the story asks for one choice") == true)
    let none = try OneScene.storyboard(tracks("then: end"))
    #expect(problem(none, ["a"])?.hasSuffix("choice \"a\" is not used: the story asks for no choices") == true)
  }

  /// Emoji of several scalars are not taken apart.
  @Test(arguments: ["👩🏽‍🚒", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️‍🔥", "می‌خواهم"]) func labelsOfSeveralScalars(text: String) {
    #expect(StoryboardGraph.quoted(text) == "\"\(text)\"")
  }

  /// Errors hide no warnings: a track without a way to it is told of besides.
  @Test func warningsAreListedBesideErrors() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.yaml")
    let text = OneScene.text(
      """
      - track: a
        clip: a
        length: 1
        then: gone
        show: 0
      - track: b
        clip: b
        length: 1
        then: b
      """)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let check = StoryboardCommands.check(path)
    #expect(!check.isPlayable)
    #expect(check.lines == [
      "\(path):8: track \"a\": then: there is no track or scene \"gone\"",
      "\(path):9: warning: track \"a\": show: there are no choices to show",
      "\(path):10: warning: track \"b\" cannot be reached",
      "\(path):10: warning: track \"b\" leads back to itself without a decision: \"b\", \"b\"",
    ])
    let failure = #expect(throws: StoryboardFailure.self) { try StoryboardFile.read(path) }
    #expect(failure?.problems.count == 1)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let twee = """
      :: Start [prologue]
      clip: gate "x".mkv
      in: 0:01
      out: 0:09
      show: 0:03
      hide: -1
      You stand. [[Go in->Garden]] or [[Leave]].

      :: Garden {"clip":"garden.mkv","length":4}

      :: Leave
      clip: 1001/road.mkv
      length: 1001/30000
      """
    let all = [
      try Lighthouse.storyboard(), try TweeFile(text: twee, name: "t").storyboardFile().storyboard,
      try StoryboardFile.read(PackageFolder.root.path + "/docs/examples/storyboard/lantern.yaml").storyboard,
    ]
    for storyboard in all {
      let text = StoryboardWriter(storyboard).text
      let again = try StoryboardFile(text: text, name: "again").storyboard
      #expect(StoryboardWriter(again).text == text)
      #expect(StoryboardGraph(again).text == StoryboardGraph(storyboard).text && again.mark == storyboard.mark)
      #expect(again.trackIDs.map { again[$0].length } == storyboard.trackIDs.map { storyboard[$0].length })
      for id in again.trackIDs {
        #expect(again[id].events.map(\.kind) == storyboard[id].events.map(\.kind) && again[id].source == storyboard[id].source)
      }
    }
  }

  /// Text that YAML has other uses for, or no place.
  @Test func anyTextIsWrittenAndReadAgain() throws {
    let texts = ["\u{FFFE}\u{FFFF}", "\u{FEFF}a", "\u{1B}[2J\r\n\t\"\\", "\u{85}\u{2028}\u{E000}\u{10FFFF}", " null: #"]
    for text in texts {
      let tracks = [StoryboardTrack(name: "t", source: .clip(text), length: at(1), choices: [StoryboardChoice(label: text, target: .end)])]
      let variables = [
        StoryboardVariable(name: "null", initial: .text(text)), StoryboardVariable(name: "no", initial: .flag(true)),
      ]
      let storyboard = Storyboard(title: text, variables: variables, scenes: [StoryboardScene(name: text, tracks: tracks)])
      let again = try StoryboardFile(text: StoryboardWriter(storyboard).text, name: "again").storyboard
      #expect(again.title == text && again.scenes[0].name == text && again.scenes[0].tracks[0].source == .clip(text))
      #expect(again.variables.map(\.name) == ["null", "no"] && again.variables.map(\.initial) == [.text(text), .flag(true)])
      #expect(again.scenes[0].tracks[0].choices.map(\.label) == [text])
      var run = try StoryboardRun(storyboard)
      _ = run.begin()
      #expect(try StoryboardRun.Saved(text: run.saved.text, name: "again") == run.saved)
    }
  }

  @Test func theCommands() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.yaml")
    try Data(Lighthouse.text.utf8).write(to: URL(fileURLWithPath: path))
    let check = StoryboardCommands.check(path)
    #expect(check.isPlayable && check.lines == ["\(path): 2 scenes, 6 tracks, 5 choices"])
    #expect(try StoryboardCommands.graph(path) == StoryboardGraph(try Lighthouse.storyboard()).text)
    #expect(try StoryboardCommands.trace(path, choices: "c, Climb the stairs,1") == trace("c", "Climb the stairs", "1"))
    let error = #expect(throws: StoryboardFailure.self) { try StoryboardCommands.trace(path, choices: "i") }
    #expect(error?.description.hasPrefix("\(path): cannot choose \"i\"") == true)

    try Data(Lighthouse.text.replacing("length: 5", with: "events: {late: 5}").utf8).write(
      to: URL(fileURLWithPath: path))
    #expect(StoryboardCommands.check(path).lines == ["\(path): 2 scenes, 6 tracks, 5 choices, 1 unknown length"])
    #expect(throws: StoryboardFailure.self) { try StoryboardCommands.trace(path, choices: "a") }
    #expect(throws: Never.self) { try StoryboardCommands.trace(path, choices: "a", lengths: { _, _ in at(6) }) }
    let outside = StoryboardCommands.check(path) { storyboard, id in
      storyboard[id].source == .clip("stairs.mkv") ? at(4) : nil
    }
    #expect(
      !outside.isPlayable
        && outside.lines == [
          "\(path):31: track \"stairs\": late: 0:05.000 is outside the track, which is 0:04.000 long"
        ])

    let twee = folder.path("s.twee")
    try Data(":: Start\nclip: a\nlength: 2\n[[Start]]".utf8).write(to: URL(fileURLWithPath: twee))
    #expect(StoryboardCommands.check(twee).lines == ["\(twee): 1 scene, 1 track, 1 choice"])
    #expect(StoryboardCommands.check(folder.path("none")).lines == ["\(folder.path("none")): no such file"])
  }
}
