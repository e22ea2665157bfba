import Pixels
import Playback
import TestSupport
import Testing

/// Playing backwards on a machine that is too slow for it, where the clock waits for frames.
@Suite(.timeLimit(.minutes(20))) struct PlayerBufferingTests {
  let stage = Stage()
  private static let frameBytes = 16 * 9 * 3

  private func pane(keyEvery gop: Int = 50) -> StagePane {
    stage.cacheBudget = 2000 * Self.frameBytes
    let pane = stage.add(.constant(count: 200, keyEvery: gop))
    stage.settle()
    pane.seek(7.5)
    stage.settle()
    return pane
  }

  /// A pane that plays backwards, and whose clock waits for a group that is being decoded.
  private func bufferingPane() -> StagePane {
    let pane = pane()
    stage.stepNanoseconds = 60_000_000
    pane.player.rate = -1
    for _ in 0..<100 where pane.player.timeControlStatus != .waiting(.buffering) { stage.run(seconds: 0.05) }
    #expect(pane.player.timeControlStatus == .waiting(.buffering))
    return pane
  }

  @Test func anotherSizeWhileTheClockWaits() {
    let pane = bufferingPane()
    pane.request = RenderRequest(box: .init(width: 32, height: 18))
    stage.run(seconds: 40)
    #expect(pane.player.rate == 0 && pane.player.currentTime() == .zero && pane.numbers.last == 0)
  }

  /// The frames that the clock waited for are not at the seek's target.
  @Test(arguments: [0, 0.4, 0.8, 2, 3.5]) func aSeekWhileTheClockWaits(target: Double) {
    let pane = bufferingPane()
    stage.stepNanoseconds = 0
    pane.seek(target)
    let start = stage.clock.now
    for _ in 0..<400 where pane.player.rate != 0 { stage.run(seconds: 0.02) }
    #expect(pane.player.rate == 0 && pane.player.currentTime() == .zero && pane.numbers.last == 0)
    #expect(Double(stage.clock.now - start) / 1e9 < target + 0.1)
    #expect(pane.events.all.filter { $0 == .playedToStart }.count == 1)
  }

  @Test func hiddenWhileTheClockWaits() {
    let pane = bufferingPane()
    let start = pane.player.currentTime()
    pane.request = nil
    stage.run(seconds: 1)
    #expect(pane.player.timeControlStatus == .playing && abs((start - pane.player.currentTime()).seconds - 1) < 1e-6)
    pane.request = StagePane.request
    stage.run(seconds: 40)
    #expect(pane.player.rate == 0 && pane.player.currentTime() == .zero && pane.numbers.last == 0)
  }

  /// As one that nobody has seen yet.
  @Test func hiddenWhileTheFirstFrameIsDecoded() {
    let pane = stage.add(nil)
    var faults = ScriptedSource.Faults()
    faults.progressPerFrame = .max
    stage.stepNanoseconds = 10_000_000
    pane.load(.constant(count: 100), faults: faults)
    pane.player.play()
    stage.run(seconds: 0.5)
    #expect(pane.player.timeControlStatus == .waiting(.opening))
    pane.request = nil
    stage.run(seconds: 1)
    #expect(pane.player.timeControlStatus == .playing && pane.player.currentTime() == seconds(1))
  }

  /// Frames decoded at rest are for looking at: none is left out, however fast the way was.
  @Test func afterAFastWayBackNothingIsLeftOutAtRest() {
    let pane = pane(keyEvery: 25)
    stage.stepNanoseconds = 30_000_000
    pane.player.rate = -16
    for _ in 0..<1000 where pane.player.rate != 0 { stage.run(seconds: 0.02) }
    #expect(pane.player.rate == 0 && pane.player.currentTime() == .zero)
    func levels() -> [DiscardLevel] {
      pane.source.takeCalls().compactMap { if case .decode(let level) = $0 { level } else { nil } }
    }
    #expect(levels().contains { $0 != .nothing }, "the case to be tested: the way was too fast")
    stage.run(seconds: 20)
    let atRest = levels()
    #expect(!atRest.isEmpty && atRest.allSatisfy { $0 == .nothing }, "\(atRest)")
    #expect(pane.player.cachedTimeRanges.first.map { $0.start == .zero && $0.end > seconds(5) } == true)
  }
}
