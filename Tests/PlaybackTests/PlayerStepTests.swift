import Pixels
import Playback
import TestSupport
import Testing

/// Steps by frames, and the pane: hidden, resized, untimed.
@Suite(.timeLimit(.minutes(20))) struct PlayerStepTests {
  let stage = Stage()

  @Test func stepsGoFrameByFrame() {
    let pane = stage.add(.constant(count: 100, unit: 1001, scale: 30000))
    stage.settle()
    for n in 1...60 { #expect(stage.stepped(pane, 1) == n) }
    for n in (20..<60).reversed() { #expect(stage.stepped(pane, -1) == n) }
    #expect(stage.stepped(pane, 5) == 25 && stage.stepped(pane, -7) == 18 && stage.stepped(pane, 70) == 88)
    #expect(pane.player.currentTime() == pane.script.frames[88].pts)
    #expect(pane.player.timeControlStatus == .paused && pane.numbers.last == 88)
  }

  @Test func atTheEndsNothingHappensAndNothingIsRemembered() {
    let pane = stage.add(.constant(count: 40))
    stage.settle()
    #expect(stage.stepped(pane, -1) == 0 && stage.stepped(pane, -5) == 0 && stage.stepped(pane, 1) == 1)
    #expect(stage.stepped(pane, 100) == 39 && stage.stepped(pane, 1) == 39 && stage.stepped(pane, -1) == 38)
    #expect(
      stage.stepped(pane, 3) == 39 && stage.stepped(pane, -39) == 0 && stage.stepped(pane, -1) == 0 && stage.stepped(pane, 2) == 2)
    #expect(pane.events.all.allSatisfy { $0 != .playedToEnd })
  }

  /// Behind an A-B loop nothing is decoded ahead; a step leads out of it all the same, and at once.
  @Test(arguments: [false, true]) func outOfALoop(plays: Bool) {
    stage.cacheBudget = 0
    let pane = stage.add(.constant(count: 100))
    stage.settle()
    pane.player.loopRange = TimeRange(start: seconds(1), end: seconds(2))
    if plays {
      pane.player.play()
      stage.run(seconds: 1.97)
      pane.player.pause()
    } else {
      pane.seek(1.96)
    }
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 49)
    #expect(stage.stepped(pane, 1) == 50)
    pane.player.loopRange = nil
    pane.player.play()
    stage.run(seconds: 1)
    #expect(pane.player.currentTime() == seconds(3))
  }

  /// Where nobody has looked yet there is no frame to count from; the step is done once there is.
  @Test(arguments: [-1, 1]) func beforeAnybodyLooks(count: Int) {
    let pane = stage.add(.constant(count: 100))
    pane.request = nil
    stage.settle()
    pane.seek(2)
    pane.player.step(byCount: count)
    stage.settle()
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 50 + count)
    // Nothing waits that would keep the frame from being made in another size.
    pane.request = RenderRequest(box: PixelSize(width: 6, height: 6), gravity: .resize)
    stage.settle()
    #expect(pane.shown.last?.number == 50 + count && pane.shown.last?.size == PixelSize(width: 6, height: 6))
  }

  @Test func afterPlayingToTheEnd() {
    let pane = stage.add(.constant(count: 20))
    pane.player.play()
    stage.run(seconds: 2)
    #expect(stage.stepped(pane, 1) == 19 && stage.stepped(pane, -1) == 18 && stage.stepped(pane, 1) == 19)
  }

  @Test func inALoopTheLastFrameHoldsBack() {
    let pane = stage.add(.constant(count: 20))
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    // The next round has been decoded ahead.
    stage.run(seconds: 0.78)
    pane.player.pause()
    #expect(stage.stepped(pane, 1) == 19)
    #expect(stage.stepped(pane, -1) == 18)
    pane.player.play()
    stage.run(seconds: 0.2)
    #expect(pane.numbers.suffix(5) == [19, 0, 1, 2, 3][...])
  }

  @Test func stepsPauseAndSumUp() {
    let pane = stage.add()
    pane.player.play()
    stage.run(seconds: 1)
    for _ in 0..<5 { pane.player.step(byCount: 1) }
    pane.player.step(byCount: -2)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 28 && pane.player.rate == 0)
    pane.player.step(byCount: -3)
    pane.player.step(byCount: 5)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 30)
  }

  @Test func stepsWaitForASeekAndASeekForgetsThem() {
    let pane = stage.add()
    stage.settle()
    pane.seek(2)
    pane.player.step(byCount: 2)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 52)
    pane.player.step(byCount: -8)
    pane.seek(1)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 25 && pane.player.currentTime() == seconds(1))
  }

  @Test(arguments: [0, 1 << 20], [1.0, -1]) func steppingThroughFramesThatWereLeftOut(cache: Int, direction: Double) {
    stage.cacheBudget = cache
    let pane = stage.add(.constant(count: 400))
    pane.player.play()
    stage.run(seconds: 0.5)
    // Too slow for every frame.
    stage.stepNanoseconds = 70_000_000
    stage.run(seconds: 4)
    pane.player.pause()
    stage.stepNanoseconds = 0
    stage.settle()
    let here = pane.player.displayedTiming?.number ?? -1
    #expect(pane.player.statistics.dropped > 0 && here > 50)
    // What is cached of the time of too much work has gaps.
    let way = direction > 0 ? Array(1...30) + (0..<30).reversed() : (-60 ..< 0).reversed() + Array(-59...0)
    var last = 0
    for n in way {
      #expect(stage.stepped(pane, n - last) == here + n)
      last = n
    }
    for n in 0..<here where n % 7 == 0 {
      pane.seek(pane.script.frames[n].pts)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == n)
    }
  }

  @Test func inVariableRates() {
    let pane = stage.add(.variable([0, 1, 40, 2040, 2100, 2133, 5000, 5001], end: 5002, keyEvery: 3))
    stage.settle()
    for n in 1...7 { #expect(stage.stepped(pane, 1) == n) }
    for n in (0...6).reversed() { #expect(stage.stepped(pane, -1) == n) }
  }

  @Test func anyNumberOfStepsIsTaken() {
    let pane = stage.add(.constant(count: 10))
    stage.settle()
    for count in [Int.max, .max, .min, .min, .max] { pane.player.step(byCount: count) }
    stage.settle()
    #expect(stage.stepped(pane, .max) == 9 && stage.stepped(pane, .min) == 0 && stage.stepped(pane, 1) == 1)
  }

  /// Without memory for frames, too, several steps are decoded once.
  @Test(arguments: [-7, -2, -100, 7, 60, 400]) func severalStepsAreOneMove(count: Int) {
    stage.cacheBudget = 0
    let script = FrameScript.constant(count: 600, keyEvery: 150)
    let pane = stage.add(script, index: .complete)
    stage.settle()
    pane.seek(script.frames[280].pts)
    stage.settle()
    _ = (pane.source.takeCalls(), pane.takeShown())
    #expect(stage.stepped(pane, count) == min(280 + count, 599))
    #expect(pane.takeShown().count == 1)
    let calls = pane.source.takeCalls()
    #expect(calls.count { if case .seek = $0 { true } else { false } } <= 1)
    #expect(calls.count { if case .decode = $0 { true } else { false } } < 200)
    #expect(stage.stepped(pane, 5) == min(285 + count, 599) && stage.stepped(pane, -1000) == 0)
  }

  @Test func aNewPlayerHasMemoryForGoingBack() {
    let player = Player(context: PlaybackContext(pool: stage.pool, bus: stage.bus))
    #expect(player.cacheBudget == Player.defaultCacheBudget)
    #expect((64 << 20...256 << 20).contains(Player.defaultCacheBudget))
  }

  @Test func withoutAnItem() {
    let pane = stage.add(nil)
    pane.player.step(byCount: 3)
    stage.settle()
    #expect(pane.numbers.isEmpty)
  }

  /// A step that has to be decoded is a seek; without it those that follow have nothing to begin from.
  @Test func cancellingAStepCancelsThoseThatFollow() {
    let pane = stage.add(.constant(count: 100))
    pane.seek(2)
    stage.settle()
    pane.player.step(byCount: -3)
    pane.player.cancelPendingSeeks()
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 50 && pane.player.currentTime() == seconds(2))
    pane.request = RenderRequest(box: PixelSize(width: 8, height: 4), gravity: .resize)
    stage.settle()
    #expect(pane.shown.last?.size == PixelSize(width: 8, height: 4) && pane.numbers.last == 50)
    #expect(stage.stepped(pane, 1) == 51)
  }
}
