import DecodePool
import Playback
import TestSupport
import Testing

/// A pool that is too slow, a display that is too slow, and players that start together.
@Suite(.timeLimit(.minutes(20))) struct PlayerLateTests {
  let stage = Stage()

  /// Frames up to the one that is shown that were neither shown nor counted as skipped.
  private func lost(_ pane: StagePane) -> Int {
    (pane.numbers.last ?? 0) + 1 - pane.player.statistics.shown - pane.player.statistics.dropped
  }

  @Test(arguments: [5.0, 11, 19, 37, 90]) func aSlowPoolLosesEvenlyAndCounts(milliseconds: Double) {
    let panes = (0..<4).map { _ in stage.add(.constant(count: 1000, keyEvery: 25)) }
    stage.settle()
    stage.group.play(panes.map(\.player))
    let start = stage.clock.now
    stage.stepNanoseconds = HostTime(milliseconds * 1e6)
    stage.run(seconds: 20)
    let shown = panes.map(\.player.statistics.shown)
    for pane in panes {
      // The clock is true, and every frame is accounted for, but for those still on their way.
      #expect(pane.player.currentTime() == MediaTime(nanoseconds: stage.clock.now - start))
      #expect(abs(lost(pane)) <= 25, "lost \(lost(pane)) at \(milliseconds) ms")
      #expect(pane.numbers == pane.numbers.sorted() && Set(pane.numbers).count == pane.numbers.count)
    }
    #expect((shown.max() ?? 0) - (shown.min() ?? 0) <= max(3, (shown.max() ?? 0) / 10), "\(shown)")
    // 1,000 ms give 25 frames in each of four panes at 10 ms a step.
    if milliseconds < 10 {
      #expect(shown == [501, 501, 501, 501] && panes.allSatisfy { $0.player.statistics.dropped == 0 })
    } else {
      // Not less than half of what there is time for, or of the reference frames.
      let possible = min(1000 / milliseconds / 4, 12.5) * 20
      #expect(shown.allSatisfy { Double($0) > possible / 2 }, "\(shown) of \(possible)")
    }
  }

  /// Each frame of a clip that was played to its end was shown or counts as dropped, the last ones too.
  @Test(arguments: [2.0, 11, 19, 37, 60, 90], [1.0, 4, 8, 16])
  func whatWasPlayedToItsEndAddsUp(milliseconds: Double, rate: Double) {
    for index in [IndexScript.none, .complete] {
      let pane = stage.add(.constant(count: 60, scale: 30, keyEvery: 250), index: index)
      stage.settle()
      stage.stepNanoseconds = HostTime(milliseconds * 1e6)
      pane.player.rate = rate
      stage.run(seconds: 12)
      let statistics = pane.player.statistics
      #expect(pane.events.all.contains(.playedToEnd))
      #expect(statistics.shown + statistics.dropped == 60, "\(statistics.shown) + \(statistics.dropped), \(index)")
    }
  }

  /// Where frames were being left out the end that was met is a guess: what comes once none is left out counts.
  @Test func theEndIsCorrectedOnceNothingIsLeftOut() {
    var faults = ScriptedSource.Faults()
    faults.endsBefore = 200
    let pane = stage.add(.constant(count: 1000, keyEvery: 25), faults: faults)
    stage.settle()
    stage.stepNanoseconds = 90_000_000
    pane.player.play()
    stage.run(seconds: 12)
    #expect(pane.player.duration == seconds(40), "the case to be tested: frames were left out at the end")
    stage.stepNanoseconds = 1_000_000
    pane.seek(6)
    stage.run(seconds: 10)
    #expect(pane.player.duration == seconds(8) && pane.player.currentTime() == seconds(8))
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
    #expect(pane.events.all.last { if case .endedEarly = $0 { true } else { false } }
      == .endedEarly(at: seconds(8), announced: seconds(40)))
  }

  /// A little too much work: the panes are late in turn, but all of them leave something out.
  @Test(arguments: [10.5, 11, 12, 14]) func aShortTimeOfTooMuchWorkIsShared(milliseconds: Double) {
    let panes = (0..<4).map { _ in stage.add(.constant(count: 1000, keyEvery: 250)) }
    stage.settle()
    stage.group.play(panes.map(\.player))
    stage.stepNanoseconds = HostTime(milliseconds * 1e6)
    stage.run(seconds: 2)
    // Another program takes the only worker away just before one of them would have had it.
    for pane in panes {
      let clock = stage.clock
      pane.atNext({ _ in true }) { _ in clock.advance(bySeconds: 0.3) }
      stage.run(seconds: 2)
      let shown = panes.map(\.player.statistics.shown)
      #expect((shown.max() ?? 0) - (shown.min() ?? 0) <= 6, "\(shown)")
    }
  }

  /// With no keyframe on the way to the present, decoding on is all that helps.
  @Test(arguments: [60.0, 75]) func inALongGroupLateFramesKeepMoving(milliseconds: Double) {
    let pane = stage.add(.constant(count: 2000, keyEvery: 2000), index: .complete)
    stage.settle()
    pane.player.play()
    stage.stepNanoseconds = HostTime(milliseconds * 1e6)
    for _ in 1...20 {
      let before = pane.numbers.count
      stage.run(seconds: 1)
      #expect(pane.numbers.count - before >= 5)
    }
    #expect(abs(lost(pane)) <= 60)
  }

  @Test func oneSlowPaneDoesNotHarmAnotherForLong() {
    let good = stage.add(.constant(count: 1000))
    let bad = stage.add(.constant(count: 1000))
    stage.settle()
    stage.group.play([good.player, bad.player])
    // The bad one needs ten times the steps.
    bad.source.faults.progressPerFrame = 9
    stage.stepNanoseconds = 8_000_000
    stage.run(seconds: 20)
    #expect(good.player.statistics.shown > 350, "\(good.player.statistics.shown)")
    #expect(bad.player.statistics.shown > 50, "\(bad.player.statistics.shown)")
    #expect(good.player.currentTime() == bad.player.currentTime())
  }

  @Test func afterASlowTimeEverythingIsDecodedAgain() {
    let pane = stage.add(.constant(count: 2000, keyEvery: 25))
    stage.settle()
    pane.player.play()
    stage.stepNanoseconds = 150_000_000
    stage.run(seconds: 10)
    stage.stepNanoseconds = 2_000_000
    stage.run(seconds: 5)
    _ = pane.source.takeCalls()
    let from = pane.numbers.count
    let skipped = pane.player.statistics.dropped
    stage.run(seconds: 10)
    let late = pane.numbers[from...]
    #expect(late.count == 250 && Array(late) == Array((late.first ?? 0)..<((late.first ?? 0) + 250)))
    #expect(pane.player.statistics.dropped == skipped)
    #expect(
      pane.source.takeCalls().allSatisfy {
        if case .decode(let level) = $0 { level == .nothing } else { true }
      })
  }

  /// A length that is announced too short does not hide the last frame, which was left out to be in time.
  @Test func theLastFrameIsSeenWhereTheAnnouncedLengthIsTooShort() {
    var script = FrameScript.constant(count: 250)
    script.announcedDuration = seconds(9)
    var last: [Int: Int] = [:]
    for milliseconds in 85...110 {
      let stage = Stage()
      let pane = stage.add(script)
      pane.seek(6.5)
      stage.settle()
      stage.stepNanoseconds = HostTime(milliseconds) * 1_000_000
      pane.player.play()
      stage.run(seconds: 10)
      #expect(pane.player.rate == 0)
      last[milliseconds] = pane.numbers.last
    }
    #expect(last.allSatisfy { $0.value == 249 }, "\(last.filter { $0.value != 249 })")
  }

  @Test func hopelesslyLateItJumpsAhead() {
    let pane = stage.add(.constant(count: 5000, keyEvery: 50))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 1)
    pane.source.hold()
    // Nothing is decoded for 40 s, then all is well.
    stage.clock.advance(bySeconds: 40)
    pane.source.release()
    stage.stepNanoseconds = 5_000_000
    stage.run(seconds: 3)
    #expect(pane.numbers.last == 44 * 25)
    #expect(abs(lost(pane)) <= 2)
  }

  @Test(arguments: [0.5, 2, 5]) func aStallInAClipWithOneKeyFrame(stall: Double) {
    let pane = stage.add(.constant(count: 500, keyEvery: 1000))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 1)
    stage.clock.advance(bySeconds: stall)
    stage.stepNanoseconds = 2_000_000
    stage.run(seconds: 4)
    #expect(pane.numbers.last == Int((5 + stall) * 25) && abs(lost(pane)) <= 2)
    #expect(pane.player.duration == seconds(20))
    stage.run(seconds: 20)
    #expect(pane.numbers.last == 499 && pane.player.currentTime() == seconds(20))
    #expect(!pane.events.all.contains { if case .endedEarly = $0 { true } else { false } })
  }

  @Test func aSlowDisplayGetsTheNewest() {
    let pane = stage.add(.constant(count: 1000))
    stage.settle()
    pane.player.play()
    let start = stage.clock.now
    var numbers: [Int] = []
    for turn in 1...50 {
      stage.clock.advance(to: start + HostTime(turn) * 170_000_000)
      while stage.pool.runNextStep() {}
      guard let (frame, due) = pane.output.take(at: stage.clock.now) else { continue }
      numbers.append(frame.timing.number)
      #expect(due == start + HostTime(frame.timing.number) * 40_000_000)
      pane.output.didShow(due: due, at: stage.clock.now)
      #expect(pane.output.take(at: stage.clock.now) == nil)
    }
    #expect(numbers == (1...50).map { $0 * 170 / 40 })
    // The first was shown by the stage.
    #expect(pane.player.statistics.shown + pane.player.statistics.dropped == 50 * 170 / 40 + 1)
    #expect(pane.player.statistics.lateness.maximum <= 40_000_000)
  }

  @Test func startingTogether() {
    let quick = stage.add(nil)
    let slow = stage.add(nil)
    var faults = ScriptedSource.Faults()
    faults.progressPerFrame = 20
    quick.load(.constant(count: 500))
    slow.load(.constant(count: 500, unit: 1001, scale: 24000), faults: faults)
    stage.stepNanoseconds = 10_000_000
    stage.group.play([quick.player, slow.player])
    #expect(quick.player.timeControlStatus == .waiting(.opening))
    stage.run(seconds: 0.05)
    #expect(quick.player.timeControlStatus == .waiting(.othersInGroup) && quick.player.currentTime() == .zero)
    stage.run(seconds: 5)
    #expect(
      quick.player.currentTime() == slow.player.currentTime() && quick.player.currentTime() > seconds(4))
  }

  @Test func togetherAfterASeek() {
    let panes = (0..<4).map { _ in stage.add(.constant(count: 2000)) }
    stage.settle()
    stage.group.play(panes.map(\.player))
    stage.stepNanoseconds = 3_000_000
    stage.run(seconds: 1)
    for round in 1...5 {
      let target = seconds(Double(round) * 7)
      stage.group.seek(panes.map { ($0.player, target) }, toleranceBefore: .zero, toleranceAfter: .zero)
      stage.run(seconds: 2)
      let times = Set(panes.map { $0.player.currentTime() })
      #expect(times.count == 1 && (times.first ?? .zero) > target + seconds(0.5))
    }
    stage.group.pause(panes.map(\.player))
    #expect(Set(panes.map { $0.player.currentTime() }).count == 1)
    stage.group.setRate(2, panes.map(\.player))
    stage.run(seconds: 1)
    #expect(Set(panes.map { $0.player.currentTime() }).count == 1)
    stage.group.pause(panes.map(\.player))
    let start = panes[0].player.currentTime()
    stage.group.play(panes.map(\.player), rate: 0.5)
    stage.run(seconds: 2)
    #expect(panes.allSatisfy { $0.player.rate == 0.5 && $0.player.currentTime() == start + seconds(1) })
  }

  @Test func oneThatDoesNotComeIsNotWaitedForTooLong() {
    let good = stage.add(.constant(count: 500))
    let stuck = stage.add(.constant(count: 500))
    stage.settle()
    stuck.source.faults.progressPerFrame = .max
    stage.stepNanoseconds = 10_000_000
    stage.group.play([good.player, stuck.player])
    stage.group.seek(
      [(good.player, seconds(5)), (stuck.player, seconds(5))], toleranceBefore: .zero, toleranceAfter: .zero)
    stage.run(seconds: 1.4)
    #expect(good.player.timeControlStatus == .waiting(.othersInGroup))
    // The run loop comes by when the group asked it to.
    guard let host = stage.group.releaseIfReady() else {
      Issue.record("nothing is cached")
      return
    }
    stage.clock.advance(to: host)
    stage.group.releaseIfReady()
    #expect(good.player.timeControlStatus == .playing)
    stuck.source.faults.progressPerFrame = 0
    stage.run(seconds: 1)
    #expect(stuck.player.timeControlStatus == .playing)
  }

  @Test func aFailedMemberHoldsNobody() {
    let good = stage.add(.constant(count: 500))
    let bad = stage.add(nil)
    bad.player.replaceCurrentItem(with: PlayerItem { throw PlaybackError(.damaged, "is broken") })
    stage.group.play([good.player, bad.player])
    stage.run(seconds: 1)
    #expect(good.player.timeControlStatus == .playing && good.player.currentTime() == seconds(1))
  }

  @Test func aStuckPaneTouchesNoOther() throws {
    // With real threads: one pane's decoder hangs, the other goes on to its end.
    let pool = DecodePool(threads: 1)
    let bus = TimeObserverBus(clock: stage.clock)
    let stuckSource = ScriptedSource(.constant(count: 50))
    let goodSource = ScriptedSource(.constant(count: 5))
    stuckSource.hold()
    let stuck = Player(context: PlaybackContext(pool: pool, bus: bus))
    let good = Player(context: PlaybackContext(pool: pool, bus: bus))
    let outputs = (stuck: VideoOutput(stuck), good: VideoOutput(good))
    let news = Monitor(0)
    outputs.good.setWaker {
      news.withLock { $0 += 1 }
      news.broadcast()
    }
    outputs.stuck.request = StagePane.request
    outputs.good.request = StagePane.request
    stuck.replaceCurrentItem(with: StagePane.item(stuckSource))
    try #require(stuckSource.waitUntilBusy(), "the source to hang on is never asked")
    good.isUntimed = true
    good.play()
    good.replaceCurrentItem(with: StagePane.item(goodSource))
    var numbers: [Int] = []
    while numbers.count < 5 {
      if let (frame, _) = outputs.good.take(at: stage.clock.now) {
        numbers.append(frame.timing.number)
      } else {
        let isWoken = news.becomes { count in
          defer { count = 0 }
          return count > 0
        }
        try #require(isWoken, "the good pane waits for the stuck one, after \(numbers)")
      }
    }
    #expect(numbers == Array(0..<5) && stuckSource.isBusy)
    stuckSource.release()
  }
}
