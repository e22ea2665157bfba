import Pixels
import Playback
import TestSupport
import Testing

/// Players whose clock goes on while nobody looks: what they displayed last is no more the present.
@Suite(.timeLimit(.minutes(20))) struct PlayerUnseenTests {
  let stage = Stage()

  private func hiddenAt10(index: IndexScript = .none, rate: Double = 1) -> StagePane {
    stage.cacheBudget = 1_000_000
    let pane = stage.add(.constant(count: 1000), index: index)
    if rate < 0 {
      pane.seek(20)
      stage.settle()
    }
    pane.player.rate = rate
    stage.run(seconds: 1)
    pane.request = nil
    stage.run(seconds: 9)
    return pane
  }

  // MARK: - Steps

  @Test(arguments: [1, 3, -1, -4]) func stepsCountFromTheClockWhereTheIndexTells(count: Int) {
    let pane = hiddenAt10(index: .complete)
    pane.player.step(byCount: count)
    #expect(pane.player.currentTime() == pane.script.frames[250 + count].pts)
    pane.player.step(byCount: count)
    #expect(pane.player.currentTime() == pane.script.frames[250 + 2 * count].pts)
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers.last == 250 + 2 * count)
  }

  @Test func stepsToTheEndAreAsFarAsThereIsOne() {
    let pane = hiddenAt10(index: .complete)
    pane.player.step(byCount: 5000)
    #expect(pane.player.currentTime() == pane.script.frames[999].pts)
    pane.player.step(byCount: -5000)
    #expect(pane.player.currentTime() == .zero)
  }

  @Test(arguments: [1, 3, -1, -4]) func withoutAnIndexStepsWaitForSomebodyWhoLooks(count: Int) {
    let pane = hiddenAt10()
    pane.player.step(byCount: count)
    stage.settle()
    #expect(pane.player.currentTime() == seconds(10))
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers.last == 250 + count && pane.player.currentTime() == pane.script.frames[250 + count].pts)
  }

  @Test func stepsFollowASeekThatNobodySees() {
    let pane = stage.add(nil)
    pane.request = nil
    pane.seek(4)
    pane.player.step(byCount: 2)
    pane.load(.constant(count: 200), index: .complete)
    stage.settle()
    pane.seek(4)
    pane.player.step(byCount: 2)
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers.last == 102)
  }

  /// Also where somebody looks, who has not seen yet where the clock was sent.
  @Test(arguments: [1, -1]) func aStepAfterTheClockWasSentElsewhere(count: Int) {
    let pane = stage.add(.constant(count: 1000))
    stage.settle()
    pane.player.setRate(0, time: seconds(10), atHostTime: stage.clock.now)
    pane.player.step(byCount: count)
    stage.settle()
    #expect(pane.numbers.last == 250 + count && pane.player.currentTime() == pane.script.frames[250 + count].pts)
  }

  /// Before there was any frame.
  @Test func aClockThatWasSentElsewhereAtOnceShowsThatFrame() {
    let pane = stage.add(.constant(count: 1000))
    pane.player.setRate(0, time: seconds(30), atHostTime: stage.clock.now)
    stage.run(seconds: 1)
    #expect(pane.numbers.count <= 2 && pane.numbers.last == 750 && pane.player.currentTime() == seconds(30))
    #expect(stage.stepped(pane, 1) == 751 && pane.player.currentTime() == pane.script.frames[751].pts)
  }

  // MARK: - Backwards

  @Test(arguments: [0.0, -2, 1]) func anotherRateDoesNotLeadBackToWhereItWasHidden(rate: Double) {
    let pane = hiddenAt10(rate: -1)
    #expect(pane.player.currentTime() == seconds(10))
    pane.player.rate = rate
    #expect(pane.player.currentTime() == seconds(10))
    stage.run(seconds: 1)
    #expect(pane.player.currentTime() == seconds(10 + rate))
    pane.request = StagePane.request
    stage.run(seconds: 1)
    pane.expectPresentFrame()
  }

  @Test func shownAgainItGoesOnFromWhereTheClockIs() throws {
    let pane = hiddenAt10(rate: -1)
    pane.shown = []
    pane.request = StagePane.request
    _ = pane.take(at: stage.clock.now)
    #expect(pane.shown.isEmpty && pane.player.currentTime() == seconds(10))
    stage.run(seconds: 2)
    #expect(try #require(pane.numbers.first) == 250)
    #expect(pane.numbers == Array((200...250).reversed()))
    #expect(pane.player.currentTime() == seconds(8) && pane.player.statistics.dropped == 0)
  }

  @Test func aClockThatIsSentElsewhereShowsNothingOfWhereItWas() {
    stage.cacheBudget = 1_000_000
    let pane = stage.add(.constant(count: 1000))
    pane.seek(20)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 1)
    for time in [5.0, 30] {
      pane.shown = []
      pane.player.setRate(-1, time: seconds(time), atHostTime: stage.clock.now)
      _ = pane.take(at: stage.clock.now)
      #expect(pane.shown.isEmpty && pane.player.currentTime() == seconds(time))
      stage.run(seconds: 1)
      #expect(pane.numbers == Array((Int(time - 1) * 25...Int(time) * 25).reversed()))
    }
  }

  @Test(arguments: [1.0, -1]) func forwardsNothingOfWhereItWasIsShownEither(from: Double) {
    stage.cacheBudget = 1_000_000
    let pane = stage.add(.constant(count: 1000))
    pane.seek(10)
    stage.settle()
    pane.player.rate = from
    stage.run(seconds: 1)
    pane.shown = []
    pane.player.setRate(1, time: seconds(20), atHostTime: stage.clock.now)
    stage.run(seconds: 1)
    #expect(pane.numbers.first == 500 && pane.numbers.last == 525 && pane.player.statistics.dropped == 0)
  }

  @Test func backwardsNobodyIsWaitedFor() {
    let pane = stage.add(.constant(count: 1000))
    pane.seek(10)
    stage.settle()
    pane.request = nil
    pane.player.rate = -1
    #expect(pane.player.timeControlStatus == .playing)
    stage.run(seconds: 2)
    #expect(pane.player.currentTime() == seconds(8))
    pane.request = StagePane.request
    stage.run(seconds: 1)
    pane.expectPresentFrame()
  }

  /// Forwards again before the frame of the present has come.
  @Test func forwardsAgainAtOnce() {
    let pane = hiddenAt10(rate: -1)
    pane.shown = []
    pane.request = StagePane.request
    pane.player.rate = 1
    stage.run(seconds: 1)
    #expect(pane.numbers == Array(250...275))
  }
}
