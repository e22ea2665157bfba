import Pixels
import TestSupport
import Testing

@testable import Playback

/// One landing enters playing backwards once, whichever way the frame came.
@Suite(.timeLimit(.minutes(20))) struct PlayerReversalTests {
  let stage = Stage()

  private func pane(_ script: FrameScript = .constant(count: 1500, keyEvery: 25)) -> StagePane {
    stage.cacheBudget = 200 * 16 * 9 * 3
    let pane = stage.add(script)
    stage.settle()
    pane.seek(20)
    stage.settle()
    return pane
  }

  /// Returns how many times going back began while `body` ran.
  private func reversals(of pane: StagePane, _ body: () -> Void) -> Int {
    let before = pane.player.statistics.reversals
    body()
    return pane.player.statistics.reversals - before
  }

  @Test func aNegativeRate() {
    let pane = pane()
    #expect(pane.player.statistics.reversals == 0)
    #expect(reversals(of: pane) { pane.player.rate = -1 } == 1)
    #expect(reversals(of: pane) { stage.run(seconds: 3) } == 0)
    #expect(pane.player.statistics.dropped == 0 && pane.numbers.last == 425)
  }

  @Test func aTurnWhilePlaying() {
    let pane = pane()
    pane.player.play()
    stage.run(seconds: 1)
    #expect(reversals(of: pane) {
      pane.player.rate = -2
      stage.run(seconds: 1)
    } == 1)
  }

  @Test func aSeekToACachedFrame() {
    let pane = pane()
    pane.player.rate = -1
    stage.run(seconds: 1)
    let count = reversals(of: pane) {
      pane.seek(19.5)
      #expect(pane.player.displayedTiming?.number == 487)
      stage.run(seconds: 0.5)
    }
    #expect(count == 1)
  }

  @Test(arguments: [3.0, 19, 40, 59.9]) func aSeekToAFrameThatIsDecoded(place: Double) {
    let pane = pane()
    pane.player.cacheBudget = 0
    pane.player.rate = -1
    stage.run(seconds: 0.5)
    #expect(reversals(of: pane) {
      pane.seek(place)
      stage.settle()
      stage.run(seconds: 0.5)
    } == 1)
  }

  /// Only the last one lands.
  @Test func seeksThatAreSuperseded() {
    let pane = pane()
    pane.player.rate = -1
    stage.run(seconds: 0.5)
    let former = pane.seeks.all.count
    let count = reversals(of: pane) {
      for place in stride(from: 30.0, to: 50, by: 1) { pane.seek(place) }
      stage.settle()
      stage.run(seconds: 0.5)
    }
    #expect(count == pane.seeks.all.dropFirst(former).count { $0.result == .finished })
  }

  @Test func aJumpOfTheClock() {
    let pane = pane()
    pane.player.play()
    stage.run(seconds: 1)
    #expect(reversals(of: pane) {
      pane.player.setRate(-1, time: seconds(50), atHostTime: pane.player.hostTime)
      stage.run(seconds: 1)
    } == 1)
    pane.expectPresentFrame()
  }

  @Test func anotherSizeOnTheWayBack() {
    let pane = pane()
    pane.player.rate = -1
    stage.run(seconds: 0.5)
    #expect(reversals(of: pane) {
      pane.request = RenderRequest(box: PixelSize(width: 32, height: 18), gravity: .resize)
      stage.run(seconds: 0.5)
    } <= 1, "none where what is cached needs no landing")
    pane.expectPresentFrame()
  }
}
