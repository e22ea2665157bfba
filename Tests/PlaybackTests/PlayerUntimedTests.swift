import Pixels
import Playback
import TestSupport
import Testing

/// Frames as fast as they come, switched on and off amid other things.
@Suite(.timeLimit(.minutes(20))) struct PlayerUntimedTests {
  let stage = Stage()

  private func pane(_ script: FrameScript = .constant(count: 200), budget: Int = 1 << 20) -> StagePane {
    stage.cacheBudget = budget
    let pane = stage.add(script)
    stage.settle()
    return pane
  }

  /// Frames decoded for a loop's next pass are not shown any more: without a clock there are no passes.
  @Test func aLoopEndsWhereItsPassEnds() {
    let pane = pane(.constant(count: 100))
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    stage.run(seconds: 3.8)
    pane.player.isUntimed = true
    stage.stepNanoseconds = 1_000_000
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(0..<100))
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1 && pane.player.rate == 0)
  }

  /// And back amid that: the clock goes on from what is seen, in its own pass.
  @Test(arguments: [2.5, 3.8, 3.95]) func andBackAmidALoop(start: Double) {
    let pane = pane(.constant(count: 100))
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    stage.run(seconds: start)
    pane.player.isUntimed = true
    stage.stepNanoseconds = 1_000_000
    stage.run(seconds: 0.002)
    pane.player.isUntimed = false
    stage.stepNanoseconds = 0
    stage.run(seconds: 5)
    #expect(zip(pane.numbers, pane.numbers.dropFirst()).allSatisfy { $1 == ($0 + 1) % 100 }, "\(pane.numbers)")
    let late = zip(pane.shown, pane.shown.dropFirst()).suffix(100).map { Double($1.host - $0.host) / 1e6 }
    #expect((late.max() ?? 0) < 41, "\(late)")
  }

  /// Below 0 frames go forwards, too: from the cache the source has to come after them.
  @Test func aSeekIntoTheCache() {
    let pane = pane()
    pane.player.isUntimed = true
    pane.seek(4)
    stage.settle()
    pane.seek(1)
    stage.settle()
    stage.stepNanoseconds = 1_000_000
    pane.player.rate = -1
    stage.run(seconds: 0.005)
    pane.seek(4)
    pane.shown = []
    stage.run(seconds: 2)
    #expect(pane.numbers.last == 199 && pane.numbers.count >= 99)
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
  }

  /// Where nobody looks the clock has gone elsewhere than what is displayed.
  @Test func hiddenItGoesOnWhereTheClockWas() {
    let pane = stage.add(nil)
    pane.request = nil
    pane.load(.constant(count: 200))
    stage.settle()
    pane.seek(2)
    stage.settle()
    pane.player.isUntimed = true
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 50 && pane.player.currentTime() == seconds(2))
    pane.player.isUntimed = false
    pane.request = nil
    pane.player.play()
    stage.run(seconds: 3)
    pane.player.pause()
    pane.player.isUntimed = true
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 125)
  }

  /// A time that the clock was just sent to is not lost.
  @Test func rightAfterAnotherTime() {
    let pane = pane()
    pane.player.setRate(0, time: seconds(3), atHostTime: pane.player.hostTime)
    pane.player.isUntimed = true
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 75 && pane.player.currentTime() == seconds(3))
  }

  /// A seek that nobody saw lands when the clock is back.
  @Test func aSeekWhileHidden() {
    let pane = pane()
    pane.request = nil
    pane.player.isUntimed = true
    pane.seek(2)
    pane.player.isUntimed = false
    pane.player.play()
    stage.run(seconds: 3)
    #expect(pane.seeks.all.count == 1 && pane.player.timeControlStatus == .playing)
    #expect(pane.player.currentTime() == seconds(5))
  }

  /// Decoding ahead for going back is abandoned, and begun anew.
  @Test(arguments: [0.02, 0.1, 0.3, 0.6]) func amidPlayingBackwards(after: Double) {
    let pane = pane(.constant(count: 1000, keyEvery: 50))
    pane.seek(35)
    stage.settle()
    stage.stepNanoseconds = 20_000_000
    pane.player.rate = -1
    stage.run(seconds: 2 + after)
    pane.player.isUntimed = true
    stage.run(seconds: 0.02)
    #expect(pane.player.timeControlStatus == .playing)
    pane.player.isUntimed = false
    stage.stepNanoseconds = 1_000_000
    stage.run(seconds: 5)
    let times = zip(pane.shown, pane.shown.dropFirst()).map { Double($1.host - $0.host) / 1e9 }
    #expect((times.suffix(100).max() ?? 0) < 0.5, "\(times)")
    pane.expectPresentFrame()
  }
}
