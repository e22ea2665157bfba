import Playback
import Testing

@testable import Movies

/// Choices that are given beforehand, where the story goes back.
@Suite(.timeLimit(.minutes(20))) struct StoryWishesTests {
  /// Choices show from 4 s to 7 s of the first track, and are decided at 8 s.
  private func stage(_ choices: String...) throws -> StoryStage {
    let stage = try StoryStage(try Lighthouse.storyboard(), choices: choices)
    stage.begin()
    return stage
  }

  private func decided(_ stage: StoryStage) -> [Int?] { stage.story.run.history.map(\.choice) }

  /// Without another word it goes as it would have gone.
  @Test func aStepBackChoosesTheSameAgain() throws {
    let stage = try stage("b", "c", "a", "a")
    stage.run(seconds: 9)
    #expect(decided(stage) == [2])
    stage.story.stepBack()
    stage.settle()
    #expect(stage.story.controls?.chosen == 2 && decided(stage) == [])
    stage.run(seconds: 60)
    let trace = try StoryboardTrace(stage.story.storyboard, choices: ["b", "c", "a", "a"])
    #expect(stage.story.run.hasEnded && decided(stage) == trace.run.history.map(\.choice))
  }

  /// Choices made after the place to which it goes back, decided or not, are made there again.
  @Test func allThatWereMadeBehindItAreMadeAnew() throws {
    let stage = try stage("b", "c", "a")
    // Decided at 8 s, back at the beginning at 10.5 s, where choices show at 14.5 s.
    stage.run(seconds: 15)
    #expect(decided(stage) == [2] && stage.story.controls?.chosen == 3)
    stage.story.stepBack()
    stage.settle()
    #expect(decided(stage) == [] && stage.story.controls?.chosen == 2)
    stage.run(seconds: 4 + 2.5 + 4.5)
    #expect(decided(stage) == [2] && stage.story.controls?.chosen == 3)
    stage.run(seconds: 30)
    // What the gull's rules decide needs none.
    #expect(decided(stage).prefix(4) == [2, 3, nil, 1])
    // Two at once.
    let other = try self.stage("b", "c", "a")
    other.run(seconds: 19)
    #expect(decided(other) == [2, 3])
    other.story.stepBack()
    other.story.stepBack()
    other.run(seconds: 4 + 2.5 + 8.5)
    #expect(decided(other) == [2, 3])
  }

  /// The viewer may choose otherwise; what was given for later decisions stays theirs.
  @Test func whatIsChosenInsteadHolds() throws {
    let stage = try stage("b", "c", "a")
    stage.run(seconds: 9)
    stage.story.stepBack()
    stage.settle()
    stage.story.choose(1)
    stage.run(seconds: 4.5)
    #expect(decided(stage) == [1])
    // The stairs, the door and then the lamp, whose choices are two.
    stage.run(seconds: 8)
    #expect(stage.told.contains { $0.hasPrefix("trouble cannot choose \"c\"") }, "\(stage.told)")
  }

  @Test func nothingIsChosenAgainWhereNothingWas() throws {
    let stage = try stage("-", "a")
    stage.run(seconds: 9)
    stage.story.stepBack()
    stage.run(seconds: 1)
    #expect(stage.story.controls?.chosen == .some(nil) && decided(stage) == [])
    stage.run(seconds: 3.5 + 2.5 + 4.5)
    #expect(decided(stage) == [nil] && stage.story.controls?.chosen == 1)
  }

  /// To before there was something to choose, and to where there is.
  @Test(arguments: [1.0, 5]) func seeksBackDoAsMuch(target: Double) throws {
    let stage = try stage("b", "a")
    stage.run(seconds: 6)
    stage.story.seek(toItemTime: at(target))
    stage.run(seconds: 6 - target)
    #expect(stage.story.controls?.chosen == 2)
    stage.run(seconds: 2 + 2.5 + 5)
    #expect(decided(stage) == [2] && stage.story.controls?.chosen == 1)
  }
}
