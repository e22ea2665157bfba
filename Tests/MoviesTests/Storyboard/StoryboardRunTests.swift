import Playback
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct StoryboardRunTests {
  let storyboard: Storyboard
  init() throws { storyboard = try Lighthouse.storyboard() }

  private func text(_ effects: [StoryboardEffect]) -> [String] { effects.map { $0.text(storyboard) } }

  @Test func aRightChoicePlaysOnIntoTheWinningTrack() throws {
    var run = try StoryboardRun(storyboard)
    #expect(text(run.begin()) == ["jump arrival@0.0", "likely stairs,drowned,gull", "start@0.0"])
    #expect(run.choose(1) == [])
    #expect(text(run.advance(by: at(5))) == ["gull@1.0", "show@4.0", "controls 1,2,3 left 4.0"])
    #expect(run.choose(4) == [])
    #expect(text(run.choose(2)) == ["chosen 2", "likely drowned,stairs,gull"])
    #expect(text(run.choose(1)) == ["chosen 1", "likely stairs,drowned,gull"])
    #expect(run.controls?.chosen == 1 && run.controls?.timeLeft == at(3))
    #expect(text(run.advance(by: at(2.5))) == ["hide@7.0", "no controls"])
    #expect(run.score == StoryNumber(0))
    #expect(text(run.advance(by: at(1))) == ["decide@8.0", "decided 1", "likely stairs", "gull@8.0"])
    #expect(run.score == StoryNumber(10) && run.rightChoices == 1)
    #expect(run.value(of: "lamps") == .number(StoryNumber(1)) && run.value(of: "brave") == .flag(true))
    #expect(text(run.advance(by: at(2))) == ["seamless stairs@10.0", "likely door", "start@0.0"])
    #expect(run.place?.trackTime == at(0.5) && run.place?.sceneTime == at(10.5))
    // The epilogue does not follow the winning track: there is a jump, and then another to the next scene.
    #expect(text(run.advance(by: at(5))) == ["jump door@20.5 left 0.5", "likely lamp", "start@0.0"])
  }

  @Test func aWrongChoiceLeavesAtTheDecisionPointAndComesBack() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(5))
    _ = run.choose(2)
    let effects = text(run.advance(by: at(4)))
    #expect(
      effects == [
        "hide@7.0", "no controls", "decide@8.0", "decided 2", "gull@8.0", "jump drowned@18.0 left 1.0",
        "likely arrival", "start@0.0",
      ])
    #expect(text(run.advance(by: at(3))).first == "jump arrival@0.0 left 0.5")
    #expect(run.history.map(\.choice) == [2])
  }

  @Test func nothingChosenTakesTheDefault() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    let effects = text(run.advance(by: at(100)))
    #expect(effects.contains("decided 0") && effects.contains("jump drowned@18.0 left 92.0"))
  }

  @Test func conditionsHideChoices() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(4))
    _ = run.choose(3)
    _ = run.advance(by: at(4))
    #expect(run.place.map { storyboard[$0.track].name } == "gull")
    // Its rule does not hold, so its end leads back.
    let back = text(run.advance(by: at(3)))
    #expect(back == ["decide@3.0", "decided 0", "jump arrival@0.0", "likely stairs,drowned", "start@0.0"])
    #expect(text(run.advance(by: at(4))).last == "controls 1,2 left 4.0")
    #expect(run.choose(3) == [])
  }

  @Test func backwardsAndSeeksTellNoEvent() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(5))
    #expect(text(run.advance(by: at(-2))) == ["no controls"])
    #expect(run.place?.trackTime == at(3))
    #expect(text(run.advance(by: at(1))) == ["show@4.0", "controls 1,2,3 left 4.0"])
    #expect(text(run.seek(to: at(7.5))) == ["no controls"])
    #expect(text(run.seek(to: at(6))) == ["controls 1,2,3 left 2.0"])
    #expect(text(run.seek(to: at(0))) == ["no controls"])
    #expect(text(run.advance(by: at(-9))) == [])
    #expect(text(run.advance(by: at(2))) == ["start@0.0", "gull@1.0"])
    // A seek to an event is not over it: playing on tells it.
    #expect(text(run.seek(to: at(4))) == [])
    #expect(text(run.advance(by: .zero)) == ["show@4.0", "controls 1,2,3 left 4.0"])
  }

  @Test func aDecisionThatASeekPassesOverIsMadeAtTheEnd() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(5))
    _ = run.choose(1)
    #expect(text(run.seek(to: at(9))) == ["no controls"])
    #expect(text(run.advance(by: at(1.5))) == ["decided 1", "seamless stairs@10.0", "likely door", "start@0.0"])
  }

  @Test func goingBackBeforeADecisionTakesItBack() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(5))
    _ = run.choose(1)
    _ = run.advance(by: at(4))
    #expect(run.score == StoryNumber(10) && run.history.count == 1)
    #expect(text(run.advance(by: at(-3))) == ["controls 1,2,3 left 2.0", "likely stairs,drowned,gull"])
    #expect(run.score == StoryNumber(0) && run.history.isEmpty && run.controls?.chosen == 1)
    _ = run.choose(2)
    #expect(text(run.advance(by: at(2))).contains("jump drowned@18.0"))
    #expect(run.score == StoryNumber(0))
  }

  @Test func historyIsSteppedBack() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    for choice in [3, 2, 1] {
      while run.place?.trackTime != .zero || run.place?.track.track != 0 { _ = run.advance(by: at(0.5)) }
      _ = run.advance(by: at(4))
      if choice == 3 { #expect(run.controls?.choices.count == 3) }
      _ = run.choose(choice)
      _ = run.advance(by: at(4))
    }
    #expect(run.history.map(\.choice) == [3, nil, 2, 1] && run.score == StoryNumber(10))
    #expect(text(run.stepBack()) == ["jump arrival@4.0", "likely stairs,drowned", "controls 1,2 left 4.0"])
    #expect(run.score == StoryNumber(0) && run.value(of: "brave") == .flag(false) && run.controls?.chosen == nil)
    _ = run.stepBack()
    // What the gull decides by itself is no place to go back to.
    #expect(
      text(run.stepBack()) == ["no controls", "jump arrival@4.0", "likely stairs,drowned,gull", "controls 1,2,3 left 4.0"])
    #expect(run.stepBack() == [] && run.history.isEmpty)
    #expect(text(run.choose(1)) == ["chosen 1"])
  }

  @Test func controlsAreHiddenBeforeAStepBack() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(8))
    _ = run.advance(by: at(2.5))
    _ = run.advance(by: at(5))
    #expect(run.controls != nil)
    #expect(
      text(run.stepBack()) == [
        "no controls", "jump arrival@4.0", "likely stairs,drowned,gull", "controls 1,2,3 left 4.0",
      ])
  }

  @Test func theEndCanBeSteppedBackFrom() throws {
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    _ = run.advance(by: at(4))
    _ = run.choose(1)
    while run.place?.track.scene != 1 { _ = run.advance(by: at(1)) }
    _ = run.choose(1)
    #expect(text(run.advance(by: at(10))) == ["decide@4.0", "decided 1", "no controls", "ended"])
    #expect(run.hasEnded && run.place == nil && run.advance(by: at(1)) == [] && run.seek(to: .zero) == [])
    #expect(text(run.begin()) == ["ended"])
    #expect(text(run.stepBack()) == ["jump lamp@0.0", "likely drowned", "controls 1,2 left 4.0"])
    #expect(!run.hasEnded)
  }

  @Test func chanceIsTheSameAgain() throws {
    let storyboard = try OneScene.storyboard(
      """
      - track: dice
        clip: a
        length: 1
        rules: [{if: chance(0.5), to: dice, do: n += 1}]
        otherwise: end
      """, head: "variables: {n: 0}\n")
    func count(_ seed: UInt64) throws -> StoryValue? {
      var run = try StoryboardRun(storyboard, seed: seed)
      _ = run.begin()
      while !run.hasEnded { _ = run.advance(by: at(0.3)) }
      return run.value(of: "n")
    }
    let counts = try (0..<40).map { try count($0) }
    #expect(try counts == (0..<40).map { try count($0) })
    #expect(Set(counts).count > 3)
  }

  @Test func whatCannotBeComputedIsTold() throws {
    let tracks = "- {track: a, clip: a, length: 1, rules: [{if: 1 / n > 1, to: a}], otherwise: end}"
    var run = try StoryboardRun(try OneScene.storyboard(tracks, head: "variables: {n: 0}\n"))
    _ = run.begin()
    let effects = run.advance(by: at(1))
    #expect(
      effects.contains(.trouble("track \"a\": rules: if: \"1 / n > 1\" divides by zero")) && effects.last == .ended)
  }

  @Test(arguments: [0.5, 1, 1.5, 2, 4]) func everyRateTellsTheSame(rate: Double) throws {
    func events(_ step: MediaTime) throws -> [SceneTimeline.Event] {
      var run = try StoryboardRun(storyboard)
      var events = run.begin().compactMap(\.event)
      while !run.hasEnded, events.count < 200 {
        if let controls = run.controls, controls.chosen == nil { _ = run.choose(run.history.count % 2 + 1) }
        events += run.advance(by: step).compactMap(\.event)
      }
      return Array(events.prefix(200))
    }
    #expect(try events(at(1.0 / 25) * rate) == events(at(0.25)))
  }
}
