import Playback
import TestSupport
import Testing

/// Playing backwards, and playing on from what is cached.
@Suite(.timeLimit(.minutes(20))) struct PlayerReverseTests {
  let stage = Stage()
  private static let frameBytes = 16 * 9 * 3

  private func pane(_ script: FrameScript = .constant(count: 200), frames: Int = 1000) -> StagePane {
    stage.cacheBudget = frames * Self.frameBytes
    let pane = stage.add(script)
    stage.settle()
    return pane
  }

  /// Plays backwards to the beginning.
  private func expectEveryFrame(
    below number: Int, of pane: StagePane, within seconds: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    _ = pane.takeShown()
    pane.player.rate = -1
    stage.run(seconds: seconds)
    #expect(pane.takeShown() == (0..<number).reversed().map { $0 }, sourceLocation: sourceLocation)
    #expect(pane.player.rate == 0 && pane.player.currentTime() == .zero, sourceLocation: sourceLocation)
  }

  @Test(arguments: [1.0, 0.5, 2, 3.7, 16]) func everyFrameIsShownOnTheWayBack(speed: Double) {
    let pane = pane(.constant(count: 150, unit: 1001, scale: 30000))
    pane.seek(4.5)
    stage.settle()
    let start = pane.player.displayedTiming?.number ?? 0
    #expect(start > 130)
    _ = pane.takeShown()
    pane.player.rate = -speed
    stage.run(seconds: 5 / speed)
    #expect(pane.takeShown() == (0..<start).reversed().map { $0 })
    #expect(pane.player.statistics.dropped == 0)
    #expect(pane.player.rate == 0)
    #expect(pane.player.currentTime() == .zero)
    #expect(pane.events.all.count { $0 == .playedToStart } == 1)
  }

  /// Single frames that are kept where a stretch could not be are no part of a stretch: it has to be made whole.
  @Test(arguments: [20, 60, 100]) func itGoesOverPlacesOfWhichSingleFramesAreCached(frames: Int) {
    let pane = pane(.constant(count: 300, keyEvery: 1), frames: frames)
    pane.player.play()
    stage.run(seconds: 13)
    pane.seek(10)
    stage.settle()
    expectEveryFrame(below: 250, of: pane, within: 11)
  }

  /// Frames are kept beyond the budget for playing backwards alone.
  @Test func whereNothingIsToBeCachedNothingIsAfterwards() {
    let pane = pane(.constant(count: 200), frames: 0)
    pane.seek(4)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 1)
    #expect(pane.player.cacheByteCount > 0)
    pane.player.pause()
    stage.run(seconds: 1)
    #expect(pane.player.cacheByteCount == 0)
    _ = pane.takeShown()
    pane.player.rate = -1
    stage.run(seconds: 1)
    #expect(pane.takeShown().last == 50)
  }

  /// Sources that come out behind the place to which they were sent, as without an index some do.
  @Test(arguments: [3, 19, 40], [5, 20, 150]) func whereTheSourceComesOutTooLate(frames: Int, keyEvery: Int) {
    stage.cacheBudget = 1000 * Self.frameBytes
    var faults = ScriptedSource.Faults()
    faults.landsBehindBy = frames
    let pane = stage.add(.constant(count: 300, keyEvery: keyEvery), faults: faults)
    pane.seek(10)
    stage.settle()
    expectEveryFrame(below: 250, of: pane, within: 12)
  }

  /// A machine that has stood still for a while.
  @Test func fromWhereTheDisplayIsFarBehind() {
    let pane = pane(.constant(count: 400))
    pane.player.play()
    stage.run(seconds: 1)
    stage.clock.advance(by: 9_000_000_000)
    pane.shown = []
    pane.player.rate = -1
    stage.run(seconds: 1)
    #expect(pane.numbers == Array((225...250).reversed()))
  }

  /// A loop that lies past the end, as far as that is known, leads nowhere: it must not be gone to for ever.
  @Test func aLoopPastTheEndIsNone() {
    var script = FrameScript.constant(count: 200)
    script.announcedDuration = seconds(1)
    let pane = pane(script)
    pane.seek(1)
    stage.settle()
    pane.player.loopRange = TimeRange(start: seconds(5), end: seconds(7))
    expectEveryFrame(below: 25, of: pane, within: 3)
  }

  /// A screen that is late now and then gets what it has missed; one that is too slow gets the newest.
  @Test(arguments: [110, 450, 600]) func aLateScreenMissesNothing(milliseconds: Int) {
    let pane = pane(.constant(count: 400, keyEvery: 50))
    pane.seek(15)
    stage.settle()
    let start = pane.player.displayedTiming?.number ?? 0
    pane.shown = []
    pane.player.rate = -1
    for _ in 0..<12 {
      stage.run(seconds: 1)
      // The loop is elsewhere meanwhile.
      stage.clock.advance(by: HostTime(milliseconds) * 1_000_000)
    }
    stage.run(seconds: 16)
    let numbers = pane.takeShown()
    #expect(numbers.last == 0 && numbers == numbers.sorted(by: >))
    if milliseconds < 500 {
      #expect(numbers == (0..<start).reversed().map { $0 } && pane.player.statistics.dropped == 0)
    } else {
      #expect(numbers.count < start && pane.player.statistics.dropped == start - numbers.count)
    }
  }

  @Test func framesComeWhenTheyAreDue() {
    let pane = pane(.constant(count: 100, keyEvery: 10))
    pane.seek(2.0)
    stage.settle()
    pane.shown = []
    let begin = stage.clock.now
    pane.player.rate = -1
    stage.run(seconds: 1)
    // At 2 s frame 50 has just begun: the one before it is due at once, the next 40 ms later.
    for (i, shown) in pane.shown.enumerated() {
      #expect(shown.number == 49 - i)
      #expect(abs(shown.host - begin - HostTime(i) * 40_000_000) <= 2)
      #expect(shown.due <= shown.host)
    }
    #expect(pane.shown.count == 25 || pane.shown.count == 26)
    #expect(abs(pane.player.currentTime().seconds - 1) < 1e-6)
  }

  @Test func variableDurations() {
    let pane = pane(.variable([0, 40, 50, 300, 1000, 1001, 1900], end: 2500, keyEvery: 3))
    pane.seek(2.2)
    stage.settle()
    pane.shown = []
    pane.player.rate = -1
    stage.run(seconds: 3)
    #expect(pane.takeShown() == [5, 4, 3, 2, 1, 0])
  }

  @Test func turningRoundGoesOnFromWhereItIs() {
    let pane = pane(.constant(count: 300, keyEvery: 25))
    pane.seek(8)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 2)
    let low = pane.player.displayedTiming?.number ?? 0
    #expect((149...151).contains(low))
    _ = pane.takeShown()
    _ = pane.source.takeCalls()
    pane.player.rate = 1
    stage.run(seconds: 3)
    let numbers = pane.takeShown()
    #expect(numbers == Array(low + 1..<low + 1 + numbers.count))
    #expect(numbers.count >= 74)
    #expect(pane.player.statistics.dropped == 0)
    // The source went once to where the cached frames ended.
    #expect(pane.takeWork().moves <= 1)
    pane.player.rate = -2
    stage.run(seconds: 10)
    #expect(pane.takeShown() == (0..<low + numbers.count).reversed().map { $0 })
  }

  @Test func fromTheEndOfTheClip() {
    let pane = pane(.constant(count: 60))
    pane.player.play()
    stage.run(seconds: 4)
    #expect(pane.player.rate == 0)
    _ = pane.takeShown()
    pane.player.rate = -1
    stage.run(seconds: 4)
    #expect(pane.takeShown() == (0..<59).reversed().map { $0 })
  }

  @Test func withoutACacheItGoesBackAllTheSame() {
    let pane = pane(.constant(count: 120), frames: 0)
    pane.seek(4)
    stage.settle()
    let start = pane.player.displayedTiming?.number ?? 0
    _ = pane.takeShown()
    pane.player.rate = -1
    stage.run(seconds: 5)
    #expect(pane.takeShown() == (0..<start).reversed().map { $0 })
  }

  @Test func pausingAndSteppingOnTheWay() {
    let pane = pane()
    pane.seek(6)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 1.01)
    pane.player.pause()
    stage.settle()
    let number = pane.player.displayedTiming?.number ?? 0
    _ = pane.takeShown()
    pane.player.step(byCount: 1)
    stage.settle()
    pane.player.step(byCount: -2)
    stage.settle()
    #expect(pane.takeShown() == [number + 1, number, number - 1] || pane.player.displayedTiming?.number == number - 1)
    #expect(pane.player.timeControlStatus == .paused)
  }

  @Test func seekingOnTheWayBack() {
    let pane = pane()
    pane.seek(6)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 1)
    pane.seek(3)
    stage.settle()
    pane.shown = []
    stage.run(seconds: 1)
    #expect(pane.takeShown().prefix(10) == [74, 73, 72, 71, 70, 69, 68, 67, 66, 65])
    #expect(pane.seeks.all.last == SeekOutcome(number: 2, result: .finished))
  }

  @Test func aLoopGoesRoundBackwards() {
    let pane = pane(.constant(count: 50))
    pane.player.actionAtItemEnd = .loop
    pane.seek(0.2)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 4.5)
    #expect(pane.player.rate == -1)
    let numbers = pane.takeShown()
    #expect(numbers.count { $0 == 49 } == 3)
    #expect(numbers.count { $0 == 0 } >= 2)
  }

  @Test func boundariesAreCrossedBackwards() {
    let pane = pane()
    pane.seek(4)
    stage.settle()
    let crossed = Recorder<MediaTime>()
    let times = Recorder<MediaTime>()
    let boundary = pane.player.addBoundaryTimeObserver(
      forTimes: [seconds(1), seconds(2), seconds(3)], on: InlineExecutor()) { crossed.append($0) }
    let periodic = pane.player.addPeriodicTimeObserver(forInterval: seconds(0.5), on: InlineExecutor()) {
      times.append($0)
    }
    pane.player.rate = -1
    stage.run(seconds: 2.6)
    #expect(crossed.all.map(\.seconds) == [3, 2])
    #expect(times.all.count >= 5)
    #expect(zip(times.all, times.all.dropFirst()).allSatisfy { $0 >= $1 })
    boundary.remove()
    periodic.remove()
  }

  /// A machine on which a group takes longer to decode than to play: the clock waits, nothing is shown wrongly.
  @Test(arguments: [1.0, 4]) func aSlowMachine(speed: Double) {
    let pane = pane(.constant(count: 200, keyEvery: 50))
    pane.seek(7.5)
    stage.settle()
    stage.stepNanoseconds = 60_000_000
    pane.shown = []
    pane.player.rate = -speed
    stage.run(seconds: 40)
    let numbers = pane.takeShown()
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 })
    #expect(numbers.last == 0)
    #expect(pane.player.rate == 0)
  }

  @Test func anotherSizeOnTheWay() {
    let pane = pane()
    pane.seek(6)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 1)
    pane.request = RenderRequest(box: .init(width: 32, height: 18))
    stage.settle()
    let number = pane.player.displayedTiming?.number ?? 0
    pane.shown = []
    stage.run(seconds: 1)
    #expect(pane.shown.allSatisfy { $0.size.width == 32 })
    #expect(pane.takeShown().last.map { abs($0 - (number - 25)) <= 2 } == true)
  }

  @Test func anABLoopRunsFromWhatIsCached() {
    let pane = pane()
    pane.player.loopRange = TimeRange(start: seconds(2), end: seconds(3))
    pane.seek(2)
    stage.settle()
    pane.player.play()
    stage.run(seconds: 2.5)
    _ = pane.source.takeCalls()
    pane.shown = []
    stage.run(seconds: 3)
    let numbers = pane.takeShown()
    #expect(numbers.count == 75 || numbers.count == 74)
    #expect(numbers.allSatisfy { (50..<75).contains($0) })
    #expect(pane.source.takeCalls() == [])
    #expect(pane.player.statistics.dropped == 0)
  }

  /// The two points set by moving there; it is all cached.
  @Test(arguments: [0, 3.0]) func anABLoopThatHasJustBeenSetRunsFromWhatIsCached(rest: Double) {
    let pane = pane(.constant(count: 1000, keyEvery: 250))
    pane.seek(19)
    stage.settle()
    for _ in 0..<25 { _ = stage.stepped(pane, 1) }
    stage.run(seconds: rest)
    pane.player.loopRange = TimeRange(start: seconds(19), end: pane.player.currentTime())
    stage.settle()
    _ = pane.source.takeCalls()
    pane.shown = []
    stage.stepNanoseconds = 15_000_000
    pane.player.play()
    expectRoundsFromMemory(pane)
  }

  /// Runs three seconds of a loop over the frames 475 to 500: all are shown, and the source has nothing to do.
  private func expectRoundsFromMemory(_ pane: StagePane) {
    stage.run(seconds: 3)
    let numbers = pane.takeShown()
    #expect(numbers.count >= 74, "\(numbers)")
    #expect(numbers.allSatisfy { (475...500).contains($0) })
    #expect(pane.source.takeCalls() == [])
    #expect(pane.player.statistics.dropped == 0)
  }

  /// The points set while it plays; what lies between them is cached.
  @Test func anABLoopThatIsSetWhilePlayingRunsFromWhatIsCached() {
    let pane = pane(.constant(count: 1000, keyEvery: 250))
    pane.seek(18)
    stage.settle()
    stage.stepNanoseconds = 15_000_000
    pane.player.play()
    stage.run(seconds: 2)
    pane.player.loopRange = TimeRange(start: seconds(19), end: pane.player.currentTime())
    stage.run(seconds: 0.05)
    _ = pane.source.takeCalls()
    pane.shown = []
    expectRoundsFromMemory(pane)
  }

  @Test func theEndIsToldOnceHoweverOftenItIsAsked() {
    let pane = pane(.constant(count: 30))
    pane.player.play()
    stage.run(seconds: 2)
    pane.player.play()
    stage.run(seconds: 1)
    #expect(pane.events.all.count { $0 == .playedToEnd } == 1)
    pane.seek(0)
    stage.settle()
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.events.all.count { $0 == .playedToEnd } == 2)
  }

  /// From the cache on the way back, from where no frames lead on.
  @Test(arguments: [0, 1 << 20]) func aRateWithATimeAfterTheWayBack(budget: Int) {
    let pane = stage.add(.constant(count: 1500, keyEvery: 25), index: .complete)
    pane.player.cacheBudget = budget
    stage.settle()
    pane.seek(20)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 2)
    pane.player.pause()
    stage.settle()
    pane.player.setRate(1, time: seconds(40), atHostTime: pane.player.hostTime)
    stage.run(seconds: 1)
    #expect(abs(pane.player.currentTime().seconds - 41) < 0.05 && pane.numbers.last == 1025)
    // And back from there.
    pane.player.setRate(-1, time: seconds(50), atHostTime: pane.player.hostTime)
    stage.run(seconds: 1)
    #expect(abs(pane.player.currentTime().seconds - 49) < 0.05)
    pane.expectPresentFrame()
  }

  /// However large frames are, there is a way back.
  @Test func framesOfWhichFewFit() {
    stage.cacheBudget = 0
    let pane = stage.add(.constant(count: 200, keyEvery: 10))
    pane.request = RenderRequest(box: PixelSize(width: 3840, height: 2160), gravity: .resize)
    stage.settle()
    pane.seek(2)
    stage.settle()
    pane.player.rate = -1
    stage.run(seconds: 3)
    #expect(pane.player.currentTime() == .zero && pane.player.rate == 0 && pane.numbers.last == 0)
  }

  /// The turn at the beginning is not a seek that anybody has asked for, and waits again where one is taken back.
  @Test(arguments: [false, true]) func seeksThatWaitAreTakenBackAtTheTurn(hasOther: Bool) {
    stage.cacheBudget = 0
    let pane = stage.add(.constant(count: 50))
    stage.settle()
    (pane.player.actionAtItemEnd, pane.player.loopLimit) = (.loop, 2)
    pane.seek(1)
    stage.settle()
    pane.player.rate = -1
    for _ in 0..<400 where pane.events.all.last != .playedToStart && !pane.player.isSeeking { stage.run(seconds: 0.005) }
    if hasOther { pane.seek(0.4) }
    pane.player.cancelPendingSeeks()
    stage.run(seconds: 5)
    #expect(pane.events.all.filter { $0 == .playedToStart }.count == 2)
    #expect(pane.player.rate == 0 && pane.player.currentTime() == .zero)
  }

  /// However often the clock has to wait for frames.
  @Test(arguments: [-1.0, -3, -8]) func aBoundaryIsCrossedOnce(rate: Double) {
    stage.cacheBudget = 40 * Self.frameBytes
    let pane = stage.add(.constant(count: 500, keyEvery: 50), index: .complete)
    pane.seek(19)
    stage.runUntilLanded([pane])
    let crossed = Recorder<MediaTime>()
    let observer = pane.player.addBoundaryTimeObserver(
      forTimes: stride(from: 0.003, to: 19, by: 0.01).map { seconds($0) }, on: InlineExecutor()
    ) { crossed.append($0) }
    pane.player.rate = rate
    stage.stepNanoseconds = 11_000_000
    stage.run(seconds: 40)
    let times = crossed.all
    #expect(times.count == 1900 && zip(times, times.dropFirst()).allSatisfy { $0 > $1 })
    observer.remove()
  }
}
