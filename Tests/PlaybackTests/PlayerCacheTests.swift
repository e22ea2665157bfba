import Pixels
import Playback
import TestSupport
import Testing

/// Going back and forth through frames that are cached.
@Suite(.timeLimit(.minutes(20))) struct PlayerCacheTests {
  let stage = Stage()
  /// 16×9 frames of three bytes a pixel.
  private static let frameBytes = 16 * 9 * 3

  private func pane(_ script: FrameScript, frames: Int, index: IndexScript = .none) -> StagePane {
    stage.cacheBudget = frames * Self.frameBytes
    let pane = stage.add(script, index: index)
    stage.settle()
    return pane
  }

  @Test(arguments: [10, 40, 1000]) func everyStepIsExact(frames: Int) {
    let pane = pane(.constant(count: 300, unit: 1001, scale: 30000), frames: frames)
    pane.seek(9)
    stage.settle()
    guard let start = pane.player.displayedTiming?.number else { return #expect(Bool(false)) }
    for n in (0..<start).reversed() { #expect(stage.stepped(pane, -1) == n) }
    #expect(stage.stepped(pane, -1) == 0)
    for n in 1...start { #expect(stage.stepped(pane, 1) == n) }
    #expect(pane.player.cacheByteCount <= frames * Self.frameBytes)
  }

  @Test func aGroupOfPicturesIsDecodedOnceOnTheWayBack() {
    let pane = pane(.constant(count: 300, keyEvery: 50), frames: 1000)
    pane.seek(9.9)
    stage.settle()
    _ = pane.source.takeCalls()
    guard let start = pane.player.displayedTiming?.number else { return #expect(Bool(false)) }
    for n in (0..<start).reversed() { #expect(stage.stepped(pane, -1) == n) }
    // One way to each group's beginning, and none twice.
    #expect(pane.takeWork().moves <= 300 / 50 + 1)
  }

  /// A pane that was paused after three seconds, and the frame that it shows.
  private func pausedPane() throws -> (StagePane, number: Int) {
    let pane = pane(.constant(count: 200), frames: 1000)
    pane.player.play()
    stage.run(seconds: 3)
    pane.player.pause()
    stage.settle()
    return (pane, try #require(pane.player.displayedTiming?.number))
  }

  /// The source has to come back for it, which is no seek that anybody asked for.
  @Test func callingOffSeeksDoesNotCallOffPlayingOn() throws {
    let (pane, number) = try pausedPane()
    pane.seek(7)
    stage.settle()
    pane.seek(pane.script.frames[number - 3].pts)
    stage.settle()
    pane.player.play()
    pane.player.cancelPendingSeeks()
    stage.run(seconds: 1)
    pane.expectPresentFrame()
    #expect(pane.player.currentTime() > pane.script.frames[number].pts && pane.player.timeControlStatus == .playing)
  }

  @Test func cachedFramesAreShownWithoutTheSource() throws {
    let (pane, number) = try pausedPane()
    _ = pane.source.takeCalls()
    for n in 1...20 { #expect(stage.stepped(pane, -1) == number - n) }
    for n in (0..<20).reversed() { #expect(stage.stepped(pane, 1) == number - n) }
    pane.seek(1.01)
    stage.settle()
    #expect(pane.player.displayedTiming.map { $0.pts <= seconds(1.01) && seconds(1.01) < $0.end } == true)
    #expect(pane.takeWork().moves == 0)
    #expect(pane.seeks.all == [SeekOutcome(number: 1, result: .finished)])
  }

  @Test func playingGoesOnFromWhereTheCacheLed() throws {
    let (pane, number) = try pausedPane()
    #expect(stage.stepped(pane, -10) == number - 10)
    pane.shown = []
    pane.player.play()
    stage.run(seconds: 0.5)
    #expect(pane.player.timeControlStatus == .playing)
    let shown = pane.takeShown()
    #expect(shown.first.map { $0 >= number - 10 && $0 <= number - 9 } == true)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 == $0 + 1 } && shown.count > 8)
  }

  @Test func anotherSizeForgetsWhatWasCached() {
    let pane = pane(.constant(count: 100), frames: 1000)
    pane.seek(2)
    stage.settle()
    guard let number = pane.player.displayedTiming?.number else { return #expect(Bool(false)) }
    #expect(stage.stepped(pane, -3) == number - 3)
    pane.request = RenderRequest(box: PixelSize(width: 32, height: 18))
    stage.settle()
    #expect(pane.shown.last.map { $0.number == number - 3 && $0.size == PixelSize(width: 32, height: 18) } == true)
    for n in 1...10 { #expect(stage.stepped(pane, -1) == number - 3 - n) }
    #expect(pane.shown.suffix(10).allSatisfy { $0.size == PixelSize(width: 32, height: 18) })
  }

  @Test func noBudgetKeepsNothing() {
    let pane = pane(.constant(count: 50), frames: 0)
    #expect(stage.stepped(pane, 10) == 10 && stage.stepped(pane, -4) == 6 && pane.player.cacheByteCount == 0)
  }

  @Test func loadedRangesTellWhatIsCached() {
    let pane = pane(.constant(count: 100), frames: 1000)
    pane.player.play()
    stage.run(seconds: 2)
    pane.player.pause()
    stage.settle()
    let ranges = pane.player.cachedTimeRanges
    #expect(ranges.count == 1)
    #expect(ranges.first?.start == .zero && ranges.first.map { $0.end > pane.player.currentTime() } == true)
  }

  /// One group of 1,000 frames, of which 200 fit.
  @Test func aGroupThatDoesNotFitIsSearchedAgain() {
    let script = FrameScript.constant(count: 1000, keyEvery: 1000)
    let pane = pane(script, frames: 200, index: .complete)
    pane.seek(38)
    stage.settle()
    #expect(pane.player.cacheByteCount <= 200 * Self.frameBytes)
    // The target moves back all over the group; nothing can be decoded that fast.
    stage.stepNanoseconds = 20_000_000
    for n in 1...90 {
      pane.seek(Double(950 - 10 * n) / 25)
      stage.run(seconds: 0.05)
    }
    // Where it stops it is exact, and so are the steps from there.
    stage.stepNanoseconds = 0
    stage.run(seconds: 1)
    #expect(pane.player.displayedTiming?.number == 50)
    for n in (0..<50).reversed() { #expect(stage.stepped(pane, -1) == n) }
    pane.seek(39)
    stage.settle()
    for n in (700..<975).reversed() { #expect(stage.stepped(pane, -1) == n) }
    #expect(pane.player.cacheByteCount <= 200 * Self.frameBytes)
  }
}
