import Pixels
import Playback
import TestSupport
import Testing

/// Playback after a rest, in which the memory around the display is filled and the source goes elsewhere.
@Suite(.timeLimit(.minutes(20))) struct PlayerRestTests {
  let stage = Stage()
  private static let frameBytes = 16 * 9 * 3

  private func pane(frames: Int = 2000, count: Int = 2000, keyEvery gop: Int = 250) -> StagePane {
    stage.cacheBudget = frames * Self.frameBytes
    let pane = stage.add(.constant(count: count, keyEvery: gop))
    stage.settle()
    return pane
  }

  /// Also where hardly more fits than waits anyway.
  @Test(arguments: [40, 60, 80, 100, 150, 200, 300]) func playingGoesOnAtOnceWithLittleMemory(frames: Int) {
    let pane = pane(frames: frames)
    pane.seek(29.9)
    stage.run(seconds: 5)
    stage.stepNanoseconds = 18_000_000
    pane.shown = []
    pane.player.play()
    stage.run(seconds: 10)
    let numbers = pane.takeShown()
    #expect(numbers.count >= 248 && pane.player.statistics.dropped == 0, "\(numbers.count)")
  }

  @Test func aHiddenPanePlaysOn() {
    let pane = pane(frames: 2000)
    pane.seek(20)
    stage.run(seconds: 0.1)
    pane.player.step(byCount: -2)
    stage.run(seconds: 0.1)
    for _ in 0..<4 {
      pane.player.step(byCount: -1)
      stage.settle()
    }
    stage.run(seconds: 3)
    // Nothing is cached ahead that would bridge the way.
    pane.request = nil
    pane.player.cacheBudget = 0
    stage.settle()
    let start = pane.player.currentTime()
    pane.player.play()
    stage.run(seconds: 2)
    #expect(abs((pane.player.currentTime() - start).seconds - 2) < 0.01, "\(pane.player.timeControlStatus)")
    pane.request = StagePane.request
    stage.run(seconds: 1)
    pane.expectPresentFrame()
  }

  /// A pane that was filling is not behind all others when it is wanted.
  @Test func aSeekAfterARestIsNotBehindPlayingPanes() {
    let playing = pane()
    let resting = pane(keyEvery: 10)
    playing.player.play()
    resting.seek(20)
    stage.run(seconds: 2)
    stage.stepNanoseconds = 30_000_000
    resting.player.step(byCount: 1)
    stage.run(seconds: 0.35)
    stage.stepNanoseconds = 39_000_000
    stage.run(seconds: 0.5)
    let asked = stage.clock.now
    resting.shown = []
    resting.seek(60)
    stage.run(seconds: 3)
    let shown = resting.shown.first { $0.number == 1500 }?.host ?? .max
    #expect(shown - asked < 500_000_000, "\((shown - asked) / 1_000_000) ms")
  }

  /// A new size is not behind what is decoded for the way back.
  @Test func aNewSizeComesSoon() {
    let pane = pane(keyEvery: 1000)
    pane.seek(39.8)
    stage.settle()
    pane.player.step(byCount: -1)
    stage.settle()
    stage.stepNanoseconds = 20_000_000
    stage.run(seconds: 0.1)
    pane.player.step(byCount: -1)
    stage.run(seconds: 0.5)
    let size = PixelSize(width: 8, height: 4)
    pane.shown = []
    _ = pane.source.takeCalls()
    pane.request = RenderRequest(box: size, gravity: .resize)
    stage.run(seconds: 60)
    let first = pane.shown.first { $0.size == size }
    #expect(first?.number == pane.player.displayedTiming?.number)
    var calls = pane.source.takeCalls()[...]
    // From the keyframe to the target, and no other way before.
    let before = calls.firstIndex(of: .render(first?.number ?? 0)).map { calls[..<$0] } ?? calls
    calls = before
    #expect(calls.count { if case .decode = $0 { true } else { false } } < 1010, "\(calls.count)")
  }

  /// A pane that plays from cached frames, while the source goes to where they end.
  private func bridgingPane() -> StagePane {
    let pane = pane(keyEvery: 25)
    pane.seek(20)
    stage.run(seconds: 5)
    pane.player.play()
    stage.run(seconds: 0.2)
    pane.shown = []
    return pane
  }

  /// Nor behind cached frames of the former size.
  @Test func aNewSizeComesSoonAmidCachedFrames() {
    let pane = bridgingPane()
    stage.stepNanoseconds = 10_000_000
    let size = PixelSize(width: 8, height: 4)
    let asked = stage.clock.now
    pane.request = RenderRequest(box: size, gravity: .resize)
    stage.run(seconds: 12)
    let first = pane.shown.first { $0.size == size }?.host ?? .max
    #expect(first - asked < 1_500_000_000, "\((first - asked) / 1_000_000) ms")
    #expect(pane.shown.count >= 299 && pane.player.statistics.dropped == 0, "\(pane.shown.count)")
  }

  /// Frames that wait to be shown are not kept beyond the budget either.
  @Test func lessMemoryHoldsForWhatWaitsToo() {
    let pane = bridgingPane()
    stage.stepNanoseconds = 10_000_000
    pane.player.cacheBudget = 20 * Self.frameBytes
    // What waits goes on from the frame on display to the end of a range.
    let now = pane.player.currentTime()
    let range = pane.player.cachedTimeRanges.first { $0.start <= now && now < $0.end }
    let waiting = ((range?.end ?? now) - now).seconds * 25
    #expect(range != nil && waiting <= 30, "\(waiting) frames")
    stage.run(seconds: 12)
    #expect(pane.shown.count >= 299 && pane.player.statistics.dropped == 0, "\(pane.shown.count)")
  }

  /// A pane that has gone twice through a loop of two seconds and stands so many seconds behind its turn.
  private func loopingPane(keyEvery gop: Int, at: Double) -> StagePane {
    let pane = pane(keyEvery: gop)
    pane.player.loopRange = TimeRange(start: seconds(20), duration: seconds(2))
    pane.seek(20)
    stage.settle()
    pane.player.play()
    stage.run(seconds: 4 + at)
    return pane
  }

  /// A loop goes round as before when less is kept of it.
  @Test(arguments: [0.3, 1.2, 1.9]) func aLoopWithLessMemory(at: Double) {
    let pane = loopingPane(keyEvery: 25, at: at)
    stage.stepNanoseconds = 10_000_000
    pane.shown = []
    pane.player.cacheBudget = 20 * Self.frameBytes
    stage.run(seconds: 8)
    #expect(pane.shown.count >= 199 && pane.player.statistics.dropped == 0, "\(pane.shown.count)")
    pane.expectPresentFrame()
  }

  /// A loop's turn comes as if there had been no rest.
  @Test(arguments: [0.0, 0.5, 1.2, 1.9]) func aLoopGoesOnAfterARest(at: Double) {
    let pane = loopingPane(keyEvery: 250, at: at)
    pane.player.pause()
    stage.run(seconds: 3)
    stage.stepNanoseconds = 15_000_000
    pane.shown = []
    let skipped = pane.player.statistics.dropped
    pane.player.play()
    stage.run(seconds: 8)
    #expect(pane.shown.count >= 198 && pane.player.statistics.dropped == skipped, "\(pane.shown.count)")
  }

  /// Paused right after the loop's turn, before its first frame is there.
  @Test(arguments: [0.0, 2]) func aPauseJustAfterALoopsTurn(rest: Double) {
    let pane = pane(keyEvery: 250)
    pane.player.loopRange = TimeRange(start: seconds(29), duration: seconds(6))
    pane.seek(34)
    stage.settle()
    pane.player.play()
    stage.run(seconds: 0.2)
    stage.stepNanoseconds = 38_000_000
    stage.run(seconds: 0.85)
    pane.player.pause()
    #expect(pane.player.currentTime().seconds < 30)
    stage.stepNanoseconds = 0
    stage.run(seconds: rest)
    if rest > 0 {
      pane.expectPresentFrame()
    }
    pane.player.play()
    stage.run(seconds: 1)
    pane.expectPresentFrame()
  }

  /// Frames that were searched for once and have been dropped since are searched for again on the way back.
  @Test func theWayBackDoesNotEndWhereMemoryEnded() {
    let pane = pane(keyEvery: 250)
    pane.seek(20)
    stage.run(seconds: 3)
    pane.player.play()
    // Frames of more than ten seconds ago are dropped.
    stage.run(seconds: 0.05)
    pane.player.rate = -1
    stage.run(seconds: 15)
    pane.expectPresentFrame()
  }

  /// Where there is no time for all frames on the way back, some are shown.
  @Test(arguments: [-2.0, -8]) func aFastWayBackDoesNotStandStill(rate: Double) {
    let pane = pane(keyEvery: 10)
    pane.seek(60)
    stage.settle()
    stage.stepNanoseconds = 30_000_000
    pane.shown = []
    pane.player.rate = rate
    stage.run(seconds: 6)
    let now = pane.player.currentTime()
    #expect(pane.shown.count >= 15 && now.seconds < 57, "\(pane.shown.count) at \(now)")
    let number = pane.player.displayedTiming?.number ?? 0
    #expect(number - pane.script.number(at: now) < 50, "\(number) at \(now)")
  }

  /// The end of a range that was played over and over is no end once the range has gone.
  @Test func playingGoesOnBehindALoopThatHasGone() {
    let pane = pane(frames: 0, count: 200)
    pane.seek(.positiveInfinity)
    stage.settle()
    pane.player.loopRange = TimeRange(start: seconds(2), duration: seconds(0.4))
    pane.seek(2)
    stage.settle()
    pane.player.play()
    stage.run(seconds: 0.3)
    pane.player.pause()
    stage.run(seconds: 1)
    pane.player.loopRange = nil
    pane.player.play()
    stage.run(seconds: 2)
    pane.expectPresentFrame()
  }

  /// Steps that were asked for while nobody saw the pane are not made up for later.
  @Test func stepsOfAHiddenPaneDoNotWait() {
    let pane = pane(frames: 0)
    pane.seek(20)
    stage.settle()
    pane.request = nil
    pane.player.step(byCount: -3)
    stage.settle()
    pane.request = StagePane.request
    stage.settle()
    let number = pane.player.displayedTiming?.number
    pane.seek(40)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 1000 && number ?? 0 < 500, "\(number ?? -1)")
  }
}
