import Playback
import TestSupport
import Testing

/// Parts of an item that are played over and over.
@Suite(.timeLimit(.minutes(20))) struct PlayerLoopTests {
  let stage = Stage()

  /// A player of an item of 40 s with a keyframe in 10 s, playing, at 12 s, with a loop from there to before that, which takes less
  /// time than the way to its beginning.
  ///
  /// - Parameter duration: seconds that pass then.
  private func shortLoop(cacheBudget: Int, length: Double = 0.8, duration: Double = 6) -> StagePane {
    stage.cacheBudget = cacheBudget
    let pane = stage.add(.constant(count: 1000, keyEvery: 250), index: .complete)
    pane.seek(12)
    stage.runUntilLanded([pane])
    pane.player.play()
    stage.stepNanoseconds = 8_000_000
    stage.run(seconds: 1)
    pane.player.loopRange = TimeRange(start: seconds(9), end: seconds(9 + length))
    stage.run(seconds: duration)
    return pane
  }

  @Test func aLoopThatIsShorterThanTheWayToItIsPlayedFromMemory() {
    let pane = shortLoop(cacheBudget: 8 << 20)
    _ = (pane.takeShown(), pane.takeWork())
    stage.run(seconds: 8)
    let shown = pane.takeShown()
    #expect(Set(shown) == Set(225..<245) && shown.count >= 195)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 == ($0 == 244 ? 225 : $0 + 1) })
    #expect(pane.takeWork().moves == 0)
    // It goes on from there, wherever that is.
    pane.player.loopRange = nil
    stage.run(seconds: 2)
    pane.expectPresentFrame()
    #expect(pane.player.currentTime() > seconds(10.5))
  }

  @Test(arguments: [0, 40 * 16 * 9]) func whereAShortLoopDoesNotFitItsFramesAreShownAsTheyCome(cacheBudget: Int) {
    let pane = shortLoop(cacheBudget: cacheBudget, length: 1.6)
    for _ in 1...4 {
      _ = pane.takeShown()
      stage.run(seconds: 5)
      #expect(Set(pane.takeShown()).isSubset(of: Set(225..<265)) && pane.shown.isEmpty)
    }
    #expect(pane.player.statistics.shown > 20)
  }

  /// While all of its pass is being decoded.
  @Test(arguments: ["range", "none", "size", "back", "pause", "seek", "hide", "untimed", "speed", "limit"], [0.0, 0.3, 1.2, 1.9, 2.2, 2.6])
  func anythingMayComeAmidTheFirstPass(call: String, after: Double) {
    let pane = shortLoop(cacheBudget: 8 << 20, duration: after)
    var bounds = seconds(9)..<seconds(9.8)
    switch call {
    case "range":
      pane.player.loopRange = TimeRange(start: seconds(3), end: seconds(4))
      bounds = seconds(3)..<seconds(4)
    case "none":
      pane.player.loopRange = nil
      bounds = seconds(9)..<seconds(40)
    case "size": pane.request = RenderRequest(box: PixelSize(width: 32, height: 18))
    case "back": pane.player.rate = -1
    case "pause": pane.player.pause()
    case "seek": pane.seek(9.4)
    case "hide":
      pane.request = nil
      stage.run(seconds: 1)
      pane.request = StagePane.request
    case "untimed":
      pane.player.isUntimed = true
      bounds = seconds(9)..<seconds(41)
    case "speed": pane.player.rate = 2
    default: pane.player.loopLimit = 3
    }
    stage.run(seconds: 8)
    let isUntimed = call == "untimed"
    _ = pane.takeShown()
    stage.run(seconds: 3)
    let time = pane.player.currentTime()
    #expect(bounds.contains(time) || (call == "limit" && time == bounds.upperBound), "at \(time)")
    if pane.player.rate != 0, !isUntimed { #expect(pane.takeShown().count > 40) }
    if !isUntimed { stage.stepNanoseconds = 0 }
    stage.run(seconds: 1)
    if call != "limit", !isUntimed { pane.expectPresentFrame() }
  }

  @Test func aRangeThatBeginsBeforeTheItemBeginsWithIt() {
    let pane = stage.add(.constant(count: 100))
    pane.player.loopRange = TimeRange(start: seconds(-5), end: seconds(1))
    pane.player.play()
    stage.run(seconds: 3.5)
    #expect(pane.numbers == Array(0..<25) + Array(0..<25) + Array(0..<25) + Array(0...12))
  }

  /// Where the first frame behind the end was decoded with the one before.
  @Test(arguments: [0, 8 << 20]) func aRangeThatIsLiftedLeavesOutNoFrame(cacheBudget: Int) {
    stage.cacheBudget = cacheBudget
    let pane = stage.add(.constant(count: 400), index: .complete)
    pane.player.loopRange = TimeRange(start: .zero, end: seconds(5))
    stage.settle()
    pane.seek(6)
    stage.settle()
    _ = pane.takeShown()
    pane.player.loopRange = nil
    pane.player.play()
    stage.run(seconds: 1)
    #expect(pane.takeShown() == Array(151...175))
  }
}
