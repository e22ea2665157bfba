import Playback
import TestSupport
import Testing

/// Scrubbing: the target moves faster than frames can be decoded.
@Suite(.timeLimit(.minutes(20))) struct PlayerScrubTests {
  let stage = Stage()

  private func pane(keyEvery gop: Int, indexed: Bool = true, decodersWait: Bool = false) throws -> StagePane {
    stage.cacheBudget = 1000 * 432
    let script = FrameScript.constant(count: 1000, keyEvery: gop)
    var faults = ScriptedSource.Faults()
    faults.decodersWait = decodersWait
    let pane = stage.add(script, faults: faults, index: indexed ? .complete : .none)
    stage.settle()
    stage.stepNanoseconds = 7_000_000
    pane.shown = []
    return pane
  }

  /// Asks for 20 targets a second and returns what was shown meanwhile.
  private func scrub(_ pane: StagePane, _ targets: [Int]) -> [Int] {
    for target in targets {
      pane.seek(pane.script.frames[target].pts)
      #expect(pane.player.currentTime() == pane.script.frames[target].pts)
      stage.run(seconds: 0.05)
    }
    return pane.takeShown()
  }

  @Test(arguments: [true, false], [10, 250, 1000])
  func framesKeepComing(isForward: Bool, gop: Int) throws {
    let pane = try pane(keyEvery: gop)
    let targets = (0..<100).map { isForward ? 5 * $0 : 900 - 5 * $0 }
    let shown = scrub(pane, targets)
    // Ten a second. Backwards through one endless group there is only its beginning to show, and what has been passed.
    if isForward || gop <= 250 { #expect(shown.count >= 50, "\(shown)") }
    stage.run(seconds: 8)
    #expect(pane.player.displayedTiming?.number == targets.last)
    #expect((shown + pane.takeShown()).last == targets.last)
    let results = pane.seeks.all
    #expect(results.map(\.number) == Array(1...100))
    #expect(results.last?.result == .finished)
  }

  @Test func aHandThatRestsDoesNotScrub() throws {
    let pane = try pane(keyEvery: 10)
    _ = scrub(pane, [500])
    #expect(!pane.player.isScrubbing)
    _ = scrub(pane, [510, 520])
    #expect(pane.player.isScrubbing)
    stage.run(seconds: 0.3)
    #expect(!pane.player.isScrubbing && !pane.player.isSeeking)
  }

  @Test func aTargetThatJumpsAboutShowsKeyFramesFirst() throws {
    let pane = try pane(keyEvery: 100)
    var random = SeededGenerator(seed: 7)
    let targets = (0..<100).map { _ in Int.random(in: 0..<1000, using: &random) }
    let shown = scrub(pane, targets)
    #expect(shown.count >= 50)
    #expect(shown.count { $0 % 100 == 0 } >= 30)
    stage.run(seconds: 2)
    #expect(pane.player.displayedTiming?.number == targets.last)
  }

  @Test func framesOnTheWayAreMarked() throws {
    let pane = try pane(keyEvery: 250)
    for n in 0..<40 {
      pane.seek(pane.script.frames[100 + 20 * n].pts)
      for _ in 0..<5 {
        stage.clock.advance(by: 3_000_000)
        stage.pool.runNextStep()
        let isSeeking = pane.player.isSeeking
        if pane.take(at: stage.clock.now), pane.shown.last?.isApproximate == true { #expect(isSeeking) }
      }
    }
    #expect(pane.shown.count { $0.isApproximate } >= 5)
    stage.run(seconds: 5)
    #expect(pane.player.displayedTiming?.number == 880 && !pane.player.isSeeking)
    // The last one is what was asked for, and says so.
    #expect(pane.shown.last.map { $0.number == 880 && !$0.isApproximate } == true, "\(pane.shown.suffix(3))")
    let landed = Set(pane.shown.filter { !$0.isApproximate }.map(\.number))
    #expect(landed.isSubset(of: (0..<40).map { 100 + 20 * $0 }), "\(landed)")
  }

  /// Once, and soon: 7 ms a frame, 240 of them.
  @Test(arguments: [true, false]) func aFarSeekShowsAFrameOnTheWay(isIndexed: Bool) throws {
    let pane = try pane(keyEvery: 250, indexed: isIndexed)
    for target in [740, 240] {
      let begin = stage.clock.now
      pane.seek(pane.script.frames[target].pts)
      stage.run(seconds: 0.1)
      #expect(pane.shown.count == 1, "\(pane.source.takeCalls().suffix(24))")
      let onTheWay = try #require(pane.shown.first)
      // One that is cached may be nearer.
      #expect((target - 240..<target + 20).contains(onTheWay.number), "\(onTheWay)")
      #expect(onTheWay.host - begin < 80_000_000)
      stage.run(seconds: 4)
      #expect(pane.takeShown() == [onTheWay.number, target])
    }
  }

  /// A target that comes within a tenth of a second or so is not preceded by other frames.
  @Test(arguments: [1, 10, 15, 20]) func aNearSeekShowsOnlyWhatWasAskedFor(distance: Int) throws {
    let pane = try pane(keyEvery: 250)
    for key in [500, 250, 750] {
      pane.seek(pane.script.frames[key + distance].pts)
      stage.run(seconds: 2)
      #expect(pane.takeShown() == [key + distance])
    }
    // Nor where decoding is fast.
    stage.stepNanoseconds = 400_000
    pane.seek(pane.script.frames[490].pts)
    stage.run(seconds: 2)
    #expect(pane.takeShown() == [490])
  }

  /// A clip that opens far behind a keyframe does not stay black until then.
  @Test func openingAtAPlaceShowsAFrameOnTheWay() throws {
    stage.stepNanoseconds = 7_000_000
    let pane = stage.add(nil)
    pane.load(.constant(count: 1000, keyEvery: 250))
    pane.seek(pane.script.frames[240].pts)
    stage.run(seconds: 0.05)
    let first = try #require(pane.shown.first)
    #expect((0..<8).contains(first.number))
    #expect(pane.player.displayedTiming == nil && pane.player.isSeeking)
    stage.run(seconds: 4)
    #expect(pane.takeShown().last == 240 && pane.player.displayedTiming?.number == 240)
  }

  @Test func theWayToATargetAheadInTheSameGroupIsNotBegunAnew() throws {
    let pane = try pane(keyEvery: 500)
    pane.seek(pane.script.frames[600].pts)
    stage.run(seconds: 0.3)
    _ = pane.source.takeCalls()
    for n in 0..<20 {
      pane.seek(pane.script.frames[650 + 10 * n].pts)
      stage.run(seconds: 0.05)
    }
    stage.run(seconds: 5)
    #expect(pane.player.displayedTiming?.number == 840)
    #expect(!pane.source.takeCalls().contains { if case .seek = $0 { true } else { false } })
  }

  @Test func withoutAnIndexFramesComeToo() throws {
    let pane = try pane(keyEvery: 25, indexed: false)
    let shown = scrub(pane, (0..<100).map { 9 * $0 })
    #expect(shown.count >= 40)
    stage.run(seconds: 2)
    #expect(pane.player.displayedTiming?.number == 891)
  }

  @Test func playingGoesOnAfterScrubbing() throws {
    let pane = try pane(keyEvery: 50)
    pane.player.play()
    stage.run(seconds: 0.5)
    _ = scrub(pane, (0..<40).map { 300 + 10 * $0 })
    stage.run(seconds: 1)
    #expect(pane.player.timeControlStatus == .playing)
    #expect(pane.player.currentTime() > pane.script.frames[690].pts)
  }

  @Test func cancellingBringsTheExactFrameBack() throws {
    let pane = try pane(keyEvery: 250)
    pane.seek(pane.script.frames[100].pts)
    stage.run(seconds: 2)
    for n in 0..<10 {
      pane.seek(pane.script.frames[n % 2 == 0 ? 700 : 400].pts)
      stage.run(seconds: 0.05)
    }
    pane.player.cancelPendingSeeks()
    stage.run(seconds: 3)
    #expect(pane.shown.last?.number == pane.player.displayedTiming?.number)
    #expect(!pane.player.isSeeking && pane.seeks.all.count == 11)
  }

  @Test func aLoopFromMemoryIsLeftForWhatFollowsIt() throws {
    let pane = try pane(keyEvery: 250)
    pane.player.loopRange = TimeRange(start: seconds(2), end: seconds(3))
    pane.seek(seconds(2))
    stage.run(seconds: 1)
    pane.player.play()
    stage.run(seconds: 4.5)
    pane.player.loopRange = nil
    pane.shown = []
    stage.run(seconds: 4)
    let numbers = pane.takeShown()
    #expect(numbers.count >= 80 && (numbers.last ?? 0) > 120)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The frame does not stand still while the source comes to where the cached frames end.
  @Test func whatIsCachedIsPlayedBehindALoopThatHasGone() throws {
    let pane = try pane(keyEvery: 250)
    pane.seek(seconds(18))
    stage.run(seconds: 3)
    pane.player.loopRange = TimeRange(start: seconds(18), end: seconds(19.6))
    stage.stepNanoseconds = 12_000_000
    pane.player.play()
    stage.run(seconds: 5)
    pane.shown = []
    let start = stage.clock.now
    pane.player.loopRange = nil
    stage.run(seconds: 4)
    #expect(pane.shown.count { $0.host < start + 1_000_000_000 } >= 24)
    let numbers = pane.takeShown()
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } && numbers.count >= 70, "\(numbers)")
  }

  /// With more panes on their way than threads, what nothing is built on is left out until shortly before the target,
  /// and fetched when there is time.
  @Test func crowdedPanesLandSooner() throws {
    let panes = try (0..<4).map { _ in try pane(keyEvery: 250) }
    let lone = panes[0]
    stage.stepNanoseconds = 5_000_000
    func landing(_ panes: [StagePane], _ number: Int) -> HostTime {
      for pane in panes { pane.seek(pane.script.frames[number].pts) }
      let begin = stage.clock.now
      stage.runUntilLanded(panes)
      return stage.clock.now - begin
    }
    let alone = landing([lone], 990)
    stage.run(seconds: 20)
    let crowd = landing(panes, 740)
    #expect(crowd < alone * 3, "\(crowd) beside \(alone)")
    for pane in panes { #expect(pane.player.displayedTiming?.number == 740) }
    stage.run(seconds: 20)
    stage.stepNanoseconds = 0
    for pane in panes {
      for n in (495..<740).reversed() { #expect(stage.stepped(pane, -1) == n) }
    }
  }

  /// A target that goes to and fro comes back to decoders that wait where it left them.
  @Test func aMovingTargetIsMetByDecodersThatWait() throws {
    /// Frames decoded after the target has settled.
    func landing(decodersWait: Bool) throws -> Int {
      let pane = try pane(keyEvery: 250, decodersWait: decodersWait)
      let targets = (0..<100).map { $0 % 2 == 0 ? 740 : 990 }
      _ = scrub(pane, targets + [740])
      _ = pane.source.takeCalls()
      stage.runUntilLanded([pane])
      #expect(pane.player.displayedTiming?.number == 740)
      return pane.takeWork().decodes
    }
    let anew = try landing(decodersWait: false)
    let waiting = try landing(decodersWait: true)
    #expect(anew > 150 && waiting < 20, "\(anew), \(waiting)")
  }

  /// A frame after one that the decoder left out before is not taken for the one that is wanted.
  @Test func framesThatAWaitingDecoderHasLeftOutAreDecodedAnew() throws {
    let panes = try (0..<4).map { _ in try pane(keyEvery: 250, decodersWait: true) }
    stage.stepNanoseconds = 5_000_000
    for round in 0..<60 {
      let number = round % 2 == 0 ? 740 : 990 - round
      for pane in panes { pane.seek(pane.script.frames[number].pts) }
      stage.run(seconds: 0.05)
    }
    stage.run(seconds: 1)
    for number in [541, 700, 803, 941] {
      for pane in panes { pane.seek(pane.script.frames[number].pts) }
      stage.run(seconds: 20)
      for pane in panes { #expect(pane.player.displayedTiming?.number == number) }
      for pane in panes { #expect(pane.takeShown().last == number) }
    }
  }

  @Test func decodersWaitWithinTheMemoryThatFramesLeave() throws {
    let pane = try pane(keyEvery: 100, decodersWait: true)
    let targets = (0..<60).map { 50 + 100 * ($0 % 10) }
    _ = scrub(pane, targets)
    #expect(pane.source.waitingCount == 9)
    #expect(pane.player.cacheByteCount <= pane.player.cacheBudget)
    pane.player.cacheBudget = 50 * 432
    _ = scrub(pane, targets.reversed())
    #expect(pane.source.waitingCount <= 5 && pane.player.cacheByteCount <= 50 * 432)
    // Playing on needs none.
    pane.player.cacheBudget = 1000 * 432
    _ = scrub(pane, targets + [250])
    #expect(pane.source.waitingCount > 5)
    // None is added at rest.
    let count = pane.source.waitingCount
    stage.run(seconds: 20)
    #expect(pane.source.waitingCount <= count)
    pane.player.play()
    stage.run(seconds: 3)
    #expect(pane.source.waitingCount == 0)
  }
}
