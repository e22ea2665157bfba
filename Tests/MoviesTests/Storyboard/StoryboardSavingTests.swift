import Foundation
import Playback
import TestSupport
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct StoryboardSavingTests {
  let storyboard: Storyboard
  init() throws { storyboard = try Lighthouse.storyboard() }

  /// A run with a choice for now, in its third track.
  private func run() throws -> StoryboardRun {
    var run = try StoryboardRun(storyboard, seed: 42)
    _ = run.begin()
    _ = run.advance(by: at(4))
    _ = run.choose(3)
    _ = run.advance(by: at(4))
    _ = run.advance(by: at(3))
    _ = run.advance(by: at(4.5))
    _ = run.choose(2)
    return run
  }

  @Test func whatIsSavedIsReadAgain() throws {
    let saved = try run().saved
    #expect(
      saved.text == """
        quadrille: storyboard run 1
        title: "The Lighthouse"
        mark: "\(storyboard.mark)"
        seed: 42
        choices: [3, 0]
        track: "Shore/arrival"
        at: 4500/1000
        chosen: 2

        """)
    #expect(try StoryboardRun.Saved(text: saved.text, name: "run.yaml") == saved)
  }

  @Test func theStoryboardIsNamedFromTheFolderOfTheFile() throws {
    let folder = try TemporaryFolder()
    var saved = try run().saved
    saved.storyboard = "tales/the \"lighthouse\".yaml"
    let path = folder.path("evening.run")
    try saved.text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(StoryboardRun.Saved.isSaved(path) && FileKind(path: path) == .storyboard)
    let read = try StoryboardRun.Saved.read(path)
    #expect(read.storyboard == folder.path("tales/the \"lighthouse\".yaml"))
    saved.storyboard = read.storyboard
    #expect(read == saved)
    let storyboard = folder.path("story.yaml")
    try "quadrille: storyboard 1\n".write(toFile: storyboard, atomically: true, encoding: .utf8)
    #expect(!StoryboardRun.Saved.isSaved(storyboard) && FileKind(path: storyboard) == .storyboard)
    #expect(!StoryboardRun.Saved.isSaved(folder.path("none")))
  }

  @Test func aRunIsTakenUpWhereItWas() throws {
    var first = try run()
    var second = try StoryboardRun(storyboard, resuming: first.saved)
    #expect(second.standing == first.standing && second.history == first.history && second.place == first.place)
    let effects = second.begin().map { $0.text(storyboard) }
    #expect(effects == ["jump arrival@4.5", "likely drowned,stairs", "controls 1,2 left 3.5"])
    #expect(first.advance(by: at(9)) == second.advance(by: at(9)))
    #expect(second.saved == first.saved)
  }

  @Test func everyStateIsTakenUp() throws {
    var run = try StoryboardRun(storyboard)
    #expect(try StoryboardRun(storyboard, resuming: run.saved).saved == run.saved)
    _ = run.begin()
    for _ in 0..<60 {
      if let controls = run.controls, controls.chosen == nil { _ = run.choose(controls.choices.count > 2 ? 3 : 1) }
      _ = run.advance(by: at(0.7))
      let again = try StoryboardRun(storyboard, resuming: try StoryboardRun.Saved(text: run.saved.text, name: "run"))
      #expect(again.saved == run.saved && again.standing == run.standing && again.hasEnded == run.hasEnded)
    }
    #expect(run.hasEnded)
  }

  @Test func anotherStoryboardIsRefused() throws {
    let saved = try run().saved
    let text = Lighthouse.text.replacing("lamps += 1, ", with: "").replacing("The Lighthouse", with: "The Mill")
    let other = try StoryboardFile(text: text, name: "mill.yaml").storyboard
    let error = #expect(throws: StoryboardFailure.self) { try StoryboardRun(other, resuming: saved) }
    #expect(
      error?.description
        == "The Mill: the saved run belongs to another storyboard, \"The Lighthouse\", or this one has changed since"
    )
    // Clips, times and labels may change.
    let same = try StoryboardFile(
      text: Lighthouse.text.replacing("Swim", with: "Dive").replacing("sea.mkv", with: "lake.mkv"), name: "l")
    #expect(throws: Never.self) { try StoryboardRun(same.storyboard, resuming: saved) }
  }

  @Test(arguments: [
    ("choices: [3, 0]", "choices: [9, 0]"), ("choices: [3, 0]", "choices: [3, 0, 3]"), ("Shore/arrival", "Tower/lamp"),
    ("chosen: 2", "chosen: 3"), ("chosen: 2", "ended: true"), ("track: \"Shore/arrival\"\n", ""),
    ("choices: [3, 0]", "choices: [1, 1, 1, 1, 1]"),
  ])
  func whatDoesNotLeadThroughTheStoryboardIsRefused(old: String, new: String) throws {
    let text = try run().saved.text.replacing(old, with: new)
    let saved = try StoryboardRun.Saved(text: text, name: "run")
    let error = #expect(throws: StoryboardFailure.self) { try StoryboardRun(storyboard, resuming: saved) }
    #expect(error?.description.contains("do not lead to its position in this storyboard") == true)
  }

  @Test(arguments: [
    ("run 1", "run 2", "run:1: quadrille: expected \"storyboard run 1\", not \"storyboard run 2\""),
    ("seed: 42", "seed: x", "run:4: seed: \"x\" is not a whole number (0 or higher)"),
    ("[3, 0]", "[3, 77]", "run:5: choices: \"77\" is not a number from 0 to 9"),
    ("4500/1000", "-4", "run:7: at: \"-4\" is not a time such as 12.5, 0:12.5, 1:02:03 or 1001/30000"),
    (
      "mark", "marc",
      "run:3: unknown key \"marc\"; expected one of title, storyboard, mark, seed, choices, track, at, chosen, decided, passed, ended, begun"
    ),
  ])
  func textThatIsNotOneIsRefused(old: String, new: String, problem: String) throws {
    let text = try run().saved.text.replacing(old, with: new)
    let error = #expect(throws: StoryboardFailure.self) { try StoryboardRun.Saved(text: text, name: "run") }
    #expect(error?.description == problem)
  }

  /// Wherever a file was cut off between its lines: it is refused, not taken from the beginning.
  @Test func whatWasCutOffIsRefused() throws {
    let text = try run().saved.text
    let lines = text.split(separator: "\n")
    let at = try #require(lines.firstIndex { $0.hasPrefix("at: ") })
    for count in 1...at {
      let cut = lines.prefix(count).joined(separator: "\n") + "\n"
      let error = #expect(throws: StoryboardFailure.self) { try StoryboardRun.Saved(text: cut, name: "run") }
      #expect(error?.description.contains("expected \"track\" and \"at\"") == true, "\(count)")
    }
    let whole = lines.filter { !$0.hasPrefix("mark") }.joined(separator: "\n")
    let error = #expect(throws: StoryboardFailure.self) { try StoryboardRun.Saved(text: whole, name: "run") }
    #expect(error?.description == "run: mark: missing; the saved run is incomplete")
    let fresh = try StoryboardRun(storyboard).saved
    #expect(fresh.text.hasSuffix("begun: false\n"))
    #expect(try StoryboardRun.Saved(text: fresh.text, name: "run") == fresh)
  }

  @Test(.timeLimit(.minutes(20))) func aRunHasSoManyDecisions() throws {
    let storyboard = try OneScene.storyboard(
      """
      - track: a
        clip: a
        length: 1
        choices: [{label: x, to: a, do: n += 1, if: n >= 0 or chance(0.5)}]
        otherwise: a
      """, head: "variables: {n: 0}\n")
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    var effects: [StoryboardEffect] = []
    while !run.hasEnded {
      _ = run.choose(1)
      effects = run.advance(by: at(1))
    }
    #expect(run.history.count == StoryboardRun.maxDecisions && effects.last == .ended)
    #expect(effects.contains(.trouble("the story ends after 20000 decisions")))
    let saved = try StoryboardRun.Saved(text: run.saved.text, name: "run")
    let again = try StoryboardRun(storyboard, resuming: saved)
    #expect(again.hasEnded && again.value(of: "n") == .number(StoryNumber(20_000)))
    #expect(!run.stepBack().isEmpty && run.value(of: "n") == .number(StoryNumber(19_999)))
  }

  @Test func namesOfAllCharactersAreKept() throws {
    let name = "a\"b\\c\u{1B}[2J\u{85}\u{202E}\u{2028}é\t: #"
    let track = StoryboardTrack(name: name, source: .clip("c"), length: at(1), then: .end)
    let storyboard = Storyboard(title: name, scenes: [StoryboardScene(name: "s", tracks: [track])])
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    let text = run.saved.text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    let saved = try StoryboardRun.Saved(text: text, name: "run")
    #expect(saved == run.saved)
    #expect(throws: Never.self) { try StoryboardRun(storyboard, resuming: saved) }
  }
}
