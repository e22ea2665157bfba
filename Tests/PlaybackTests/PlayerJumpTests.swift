import TestSupport
import Testing

@testable import Playback

/// A player that is so late that it jumps to the present counts each frame that it leaves out, once.
@Suite(.timeLimit(.minutes(20))) struct PlayerJumpTests {
  let stage = Stage()

  /// A pane in which frames wait while a frame is decoded, which takes 40 seconds.
  private func stall(_ pane: StagePane) {
    stage.settle()
    stage.stepNanoseconds = 30_000_000
    pane.player.play()
    stage.run(seconds: 0.7)
    let clock = stage.clock
    pane.atNext({ if case .before(.decode) = $0 { true } else { false } }) { _ in clock.advance(bySeconds: 40) }
  }

  private func pane() -> StagePane { stage.add(.constant(count: 5000, keyEvery: 50)) }

  private func lost(_ pane: StagePane) -> Int {
    (pane.numbers.last ?? 0) + 1 - pane.player.statistics.shown - pane.player.statistics.dropped
  }

  /// Goes on to the end of the step in which the jump is decided.
  private func runToJump(_ pane: StagePane) {
    for _ in 0..<100 where pane.player.read({ core, _ in core.item.check.refresh == nil }) { stage.pool.runNextStep() }
    #expect(pane.player.read { core, _ in core.item.check.refresh != nil && core.item.presentation.waiting.count > 3 })
  }

  @Test(arguments: [false, true]) func eachFrameIsCountedOnce(isTakenBefore: Bool) {
    let pane = pane()
    stall(pane)
    runToJump(pane)
    if isTakenBefore { _ = pane.take(at: stage.clock.now) }
    stage.run(seconds: 3)
    #expect((pane.numbers.last ?? 0) > 40 * 25)
    #expect(lost(pane) == 0)
  }

  @Test func aSeekLeavesNothingToCount() {
    let pane = pane()
    stall(pane)
    runToJump(pane)
    pane.player.pause()
    pane.seek(0.1)
    stage.run(seconds: 3)
    #expect(pane.player.statistics.dropped == 0)
  }

  /// Frames that nobody looked at are not missed.
  @Test func hiddenDuringAJump() {
    let pane = pane()
    stall(pane)
    runToJump(pane)
    pane.atNext({ if case .before(.seek) = $0 { true } else { false } }) { $0.request = nil }
    stage.run(seconds: 30)
    #expect(pane.request == nil)
    pane.request = StagePane.request
    stage.run(seconds: 1)
    #expect((pane.numbers.last ?? 0) > 70 * 25)
    #expect(pane.player.statistics.dropped < 50)
  }

  @Test func whereItGoesIsTold() {
    let pane = stage.add(.constant(count: 500, keyEvery: 50), index: .complete)
    stage.settle()
    func jumps() -> [MediaTime] {
      pane.events.take().compactMap { if case .timeJumped(let time) = $0 { time } else { nil } }
    }
    _ = jumps()
    pane.player.setRate(0, time: seconds(5), atHostTime: stage.clock.now)
    stage.settle()
    #expect(jumps() == [seconds(5)])
    // A tolerant seek lands where its frame is.
    pane.seek(10.5, before: seconds(2), after: seconds(2))
    stage.settle()
    #expect(jumps().last == pane.player.currentTime() && pane.player.currentTime() != seconds(10.5))
  }
}
