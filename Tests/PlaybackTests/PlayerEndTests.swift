import Playback
import TestSupport
import Testing

/// The end, loops and items that change or fail.
@Suite(.timeLimit(.minutes(20))) struct PlayerEndTests {
  let stage = Stage()

  private func ends(_ pane: StagePane) -> Int { pane.events.all.filter { $0 == .playedToEnd }.count }

  @Test func theEndComesOnceAndTheTimeStaysThere() {
    let pane = stage.add(.constant(count: 50))
    pane.player.play()
    stage.run(seconds: 10)
    #expect(ends(pane) == 1 && pane.numbers == Array(0..<50))
    #expect(pane.player.currentTime() == seconds(2) && pane.player.duration == seconds(2))
    #expect(pane.player.timeControlStatus == .paused && pane.player.rate == 0)
    #expect(Array(pane.events.all.suffix(3)) == [.playedToEnd, .rateChanged(0), .statusChanged(.paused)])
  }

  @Test func eachArrivalAtTheEndIsAnEvent() {
    let pane = stage.add(.constant(count: 50))
    for round in 1...4 {
      pane.player.play()
      stage.run(seconds: 5)
      #expect(ends(pane) == round)
      pane.seek(0)
      stage.run(seconds: 1)
      #expect(ends(pane) == round && pane.player.currentTime() == .zero)
    }
  }

  @Test func eachRoundOfALoopAfterAStopIsAnEvent() {
    let pane = stage.add(.constant(count: 50))
    pane.player.play()
    stage.run(seconds: 3)
    #expect(ends(pane) == 1)
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    stage.run(seconds: 5)
    // Each round lasts two seconds; the first begins at once.
    #expect(ends(pane) == 3)
  }

  @Test func whoPlaysBackFromTheEndComesToItAgain() {
    let pane = stage.add(.constant(count: 50))
    pane.player.play()
    stage.run(seconds: 3)
    pane.player.rate = -1
    stage.run(seconds: 1)
    pane.player.play()
    stage.run(seconds: 3)
    #expect(ends(pane) == 2 && pane.player.currentTime() == seconds(2))
  }

  @Test func dataThatEndsEarlyEndsTheItem() {
    var faults = ScriptedSource.Faults()
    faults.endsBefore = 60
    let pane = stage.add(.constant(count: 200), faults: faults)
    pane.player.play()
    stage.run(seconds: 10)
    #expect(
      ends(pane) == 1 && pane.player.currentTime() == seconds(2.4) && pane.player.duration == seconds(2.4))
    #expect(pane.events.all.filter { $0 == .endedEarly(at: seconds(2.4), announced: seconds(8)) }.count == 1)
    #expect(pane.events.all.contains(.durationChanged(seconds(2.4))))
  }

  /// Where no length is announced, and the machine comes to be fast again shortly before the end: what was left out last may
  /// still be missing there.
  @Test(arguments: [1, 2, 4], stride(from: 0.2, to: 3.9, by: 0.05).map { $0 })
  func theEndIsNotWhereTheLastFrameCameOut(rate: Double, slowUntil: Double) {
    var script = FrameScript.constant(count: 100, keyEvery: 12)
    script.announcedDuration = .indefinite
    var faults = ScriptedSource.Faults()
    faults.holdsBack = 19
    let pane = stage.add(script, faults: faults, index: .complete)
    pane.player.rate = rate
    stage.stepNanoseconds = 60_000_000
    stage.run(seconds: slowUntil / rate)
    stage.stepNanoseconds = 0
    stage.run(seconds: 5)
    #expect(pane.player.displayedTiming?.number == 99)
    #expect(ends(pane) == 1 && pane.player.currentTime() == seconds(4) && pane.player.duration == seconds(4))
  }

  /// However little is missing, and where the file does not tell how much.
  @Test(arguments: [3.96, 4, nil]) func aFileThatIsCutOffSaysSo(announced: Double?) {
    var faults = ScriptedSource.Faults()
    faults.endsBefore = 99
    faults.isCutOff = true
    var script = FrameScript.constant(count: 100)
    script.announcedDuration = announced.map { seconds($0) } ?? .indefinite
    let pane = stage.add(script, faults: faults)
    pane.player.play()
    stage.run(seconds: 10)
    let told = pane.events.all.filter { if case .endedEarly = $0 { true } else { false } }
    #expect(told == [.endedEarly(at: seconds(3.96), announced: announced == 4 ? seconds(4) : .indefinite)])
  }

  /// A file that was overwritten while it played, for instance.
  @Test func theEndNeverLiesBeforeWhatIsShown() {
    var script = FrameScript.constant(count: 50)
    script.frames[49].pts = seconds(-1)
    let pane = stage.add(script)
    pane.player.play()
    stage.run(seconds: 10)
    for case .endedEarly(let place, _) in pane.events.all { #expect(place >= seconds(1.9)) }
    #expect(pane.player.duration >= seconds(1.9) && pane.player.currentTime() >= seconds(1.9))
  }

  @Test func dataThatGoesOnBehindTheAnnouncedEndIsPlayed() {
    var script = FrameScript.constant(count: 100)
    script.announcedDuration = seconds(2)
    let pane = stage.add(script)
    pane.player.play()
    stage.run(seconds: 10)
    #expect(pane.numbers == Array(0..<100) && pane.player.duration == seconds(4))
  }

  @Test func whereTheDataGoesOnBehindTheAnnouncedEndSeeksAndStepsDoToo() {
    var script = FrameScript.constant(count: 100)
    script.announcedDuration = seconds(2)
    let pane = stage.add(script)
    pane.player.play()
    stage.run(seconds: 3)
    pane.player.pause()
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 75)
    pane.player.seek(to: pane.player.currentTime(), toleranceBefore: .zero, toleranceAfter: .zero)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 75)
    #expect(stage.stepped(pane, -1) == 74 && stage.stepped(pane, 1) == 75 && stage.stepped(pane, 1) == 76)
    #expect(stage.stepped(pane, 3) == 79)
  }

  @Test(arguments: [1.0, 2.5]) func loopsWithoutAGap(rate: Double) {
    let pane = stage.add(.constant(count: 30, keyEvery: 7))
    pane.player.actionAtItemEnd = .loop
    stage.settle()
    let start = stage.clock.now
    pane.player.rate = rate
    stage.run(seconds: 12.02 / rate)
    // 1.2 s a round.
    #expect(ends(pane) == 10 && pane.numbers == (0...300).map { $0 % 30 })
    for (i, shown) in pane.shown.enumerated().dropFirst() {
      #expect(abs(Double(shown.host - start) - Double(i) * 40_000_000 / rate) <= 12)
    }
    #expect(abs(pane.player.currentTime().seconds - 0.02) < 1e-6)
    #expect(pane.player.statistics.dropped == 0)
    #expect(abs(Double(pane.player.statistics.playedNanoseconds) - 12.02e9 / rate) < 100)
  }

  @Test func loopOfOneFrame() {
    let pane = stage.add(.constant(count: 1))
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.numbers.allSatisfy { $0 == 0 } && ends(pane) == 50)
    #expect(pane.player.timeControlStatus == .playing)
    pane.player.actionAtItemEnd = .pause
    stage.run(seconds: 1)
    #expect(pane.player.timeControlStatus == .paused && pane.player.currentTime() == seconds(0.04))
  }

  @Test func loopOfARange() {
    let pane = stage.add(.constant(count: 200))
    pane.player.loopRange = TimeRange(start: seconds(1), end: seconds(2))
    stage.settle()
    let start = stage.clock.now
    pane.player.play()
    stage.run(seconds: 5)
    #expect(pane.numbers == Array(0..<50) + Array(25..<50) + Array(25..<50) + Array(25..<50) + [25])
    #expect(ends(pane) == 0)
    #expect(pane.shown[75].host - start == 3_000_000_000)
    pane.player.loopRange = nil
    stage.run(seconds: 10)
    #expect(ends(pane) == 1 && pane.numbers.last == 199 && pane.player.currentTime() == seconds(8))
  }

  @Test func aRangeThatBeginsInsideAFrame() {
    let pane = stage.add(.constant(count: 200))
    pane.player.loopRange = TimeRange(start: seconds(1.01), end: seconds(1.99))
    stage.settle()
    let start = stage.clock.now
    pane.player.play()
    stage.run(seconds: 2.98)
    #expect(pane.numbers == Array(0..<50) + Array(25..<50) + [25])
    // The first of the round was due at the turn, not before it.
    #expect(pane.shown[50].host - start == 1_990_000_000 && pane.shown[50].due == pane.shown[50].host)
    #expect(pane.player.statistics.lateness.maximum == 0)
  }

  @Test func aRangeThatLiesBehindThePresentIsJumpedInto() {
    let pane = stage.add(.constant(count: 500))
    let boundaries = Recorder<MediaTime>()
    let observer = pane.player.addBoundaryTimeObserver(
      forTimes: [seconds(3), seconds(5)], on: InlineExecutor()
    ) {
      boundaries.append($0)
    }
    pane.seek(10)
    pane.player.play()
    stage.run(seconds: 1)
    pane.player.loopRange = TimeRange(start: seconds(1), end: seconds(2))
    stage.settle()
    #expect(pane.player.currentTime() == seconds(1))
    stage.run(seconds: 0.5)
    #expect(boundaries.all.isEmpty)
    #expect(pane.numbers.suffix(12) == Array(26...37)[...])
    withExtendedLifetime(observer) {}
  }

  @Test(arguments: [(2.0, 2.0), (-5, -1), (100, 200), (7.99, 100)] as [(Double, Double)])
  func rangesOutsideTheItem(from: Double, to: Double) {
    let pane = stage.add(.constant(count: 200))
    pane.player.loopRange = TimeRange(start: seconds(from), end: seconds(to))
    pane.player.play()
    stage.run(seconds: 20)
    #expect(pane.player.currentTime() >= .zero && pane.player.currentTime() <= seconds(8))
    pane.seek(3)
    stage.settle()
    #expect(pane.numbers.last == 75)
  }

  /// The frame after the last is the first, one interval later, so many times.
  @Test(arguments: [(1, false), (3, false), (3, true)]) func aLoopThatEnds(limit: Int, isSlow: Bool) {
    let pane = stage.add(.constant(count: 30, keyEvery: 7))
    (pane.player.actionAtItemEnd, pane.player.loopLimit) = (.loop, limit)
    stage.settle()
    if isSlow { stage.stepNanoseconds = 5_000_000 }
    let start = stage.clock.now
    for time in 1...2 {
      pane.player.play()
      stage.run(seconds: 1.2 * Double(limit) - 0.01)
      #expect(pane.player.loopCount == limit - 1 && pane.player.rate == 1)
      stage.run(seconds: 1)
      #expect(pane.player.rate == 0 && pane.player.currentTime() == seconds(1.2) && ends(pane) == time * limit)
      let rounds = (0..<30 * time * limit).map { $0 % 30 }
      #expect(pane.numbers == rounds)
      #expect(pane.player.statistics.dropped == 0)
      if time == 1, !isSlow {
        for (i, shown) in pane.shown.enumerated().dropFirst() {
          #expect(abs(shown.host - start - HostTime(i) * 40_000_000) <= 1)
        }
      }
      // Begun again, it is played as often once more.
      #expect(pane.player.loopCount == 0)
      pane.seek(0)
      stage.settle()
    }
  }

  @Test func aRangeThatIsPlayedTwice() {
    let pane = stage.add(.constant(count: 200))
    (pane.player.loopRange, pane.player.loopLimit) = (TimeRange(start: seconds(1), end: seconds(2)), 2)
    pane.player.play()
    stage.run(seconds: 8)
    // The frame at the end is the one that the clock stands at.
    #expect(pane.numbers == Array(0..<50) + Array(25...50))
    #expect(pane.player.rate == 0)
    #expect(pane.player.currentTime() == seconds(2) && ends(pane) == 0)
    // Also on the way back.
    pane.player.loopLimit = 3
    pane.shown = []
    pane.player.rate = -1
    stage.run(seconds: 8)
    let round = Array((25..<50).reversed())
    #expect(pane.numbers == round + round + round)
    #expect(pane.player.rate == 0 && pane.player.currentTime() == seconds(1))
  }

  @Test func aLimitThatChangesOnTheWay() {
    let pane = stage.add(.constant(count: 30))
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    // The next round has been begun with, decoding.
    stage.run(seconds: 1.1)
    pane.player.loopLimit = 1
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(0..<30))
    #expect(pane.player.rate == 0 && pane.player.currentTime() == seconds(1.2))
    pane.player.loopLimit = 0
    #expect(pane.player.loopLimit == 1)
  }

  /// While the display is in the cache, and the source has begun with the next pass.
  @Test func aLimitThatChangesInTheCache() {
    let pane = stage.add(.constant(count: 30))
    pane.player.cacheBudget = 1 << 20
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    stage.run(seconds: 1.1)
    pane.player.pause()
    stage.settle()
    pane.player.step(byCount: -3)
    stage.settle()
    pane.player.loopLimit = 1
    pane.shown = []
    let first = pane.player.displayedTiming?.number ?? 0
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(first + 1..<30), "from \(first)")
    #expect(pane.player.rate == 0 && pane.player.currentTime() == seconds(1.2))
  }

  /// A seek lands in the cache shortly before B, behind which more is cached, while nothing is at A: the source goes there.
  @Test func aSeekIntoTheCacheOfALoop() {
    let pane = stage.add(.constant(count: 1000, keyEvery: 50))
    pane.player.cacheBudget = 1 << 20
    pane.player.play()
    stage.run(seconds: 24)
    pane.player.loopRange = TimeRange(start: seconds(5), end: seconds(16))
    stage.stepNanoseconds = 5_000_000
    pane.seek(15.3)
    stage.run(seconds: 0.01)
    #expect(pane.seeks.all.count == 1, "it lands at once")
    pane.shown = []
    stage.run(seconds: 3)
    #expect(Array(pane.numbers.prefix(40)) == Array(383..<400) + Array(125..<148))
    let late = zip(pane.shown, pane.shown.dropFirst()).map { Double($1.host - $0.host) / 1e6 }
    #expect((late.max() ?? 0) < 46, "\(late)")
  }

  @Test func theNextItemFollowsALoopThatEnds() {
    let pane = stage.add(.constant(count: 30))
    (pane.player.actionAtItemEnd, pane.player.loopLimit) = (.advance, 2)
    pane.player.loopRange = TimeRange(start: .zero, end: .positiveInfinity)
    pane.player.insert(StagePane.item(ScriptedSource(.constant(count: 20))))
    stage.settle()
    let start = stage.clock.now
    pane.player.play()
    stage.run(seconds: 2.5)
    #expect(Array(pane.numbers.prefix(62)) == (0..<60).map { $0 % 30 } + [0, 1])
    for (i, shown) in pane.shown.enumerated() { #expect(abs(shown.host - start - HostTime(i) * 40_000_000) <= 1) }
  }

  @Test func loopSwitchedOnAndOffAtTheEdge() {
    let pane = stage.add(.constant(count: 50))
    pane.player.play()
    // The end has been decoded, but not played to.
    stage.run(seconds: 1.9)
    pane.player.actionAtItemEnd = .loop
    stage.run(seconds: 0.2)
    #expect(pane.numbers == Array(0..<50) + [0, 1, 2] && ends(pane) == 1)
    stage.run(seconds: 1.8)
    pane.player.actionAtItemEnd = .pause
    stage.run(seconds: 1)
    #expect(pane.numbers.last == 49 && ends(pane) == 2 && pane.player.currentTime() == seconds(2))
  }

  @Test func anItemBelongsToOnePlayer() {
    let a = stage.add(nil)
    let b = stage.add(nil)
    let item = StagePane.item(ScriptedSource(.constant(count: 5)))
    #expect(a.player.replaceCurrentItem(with: item))
    #expect(!b.player.replaceCurrentItem(with: item) && b.player.currentItem == nil)
    #expect(!b.player.insert(item))
  }

  @Test func replacingInTheMiddleOfASeek() {
    let pane = stage.add()
    pane.player.play()
    stage.run(seconds: 1)
    pane.seek(2)
    stage.pool.runNextStep()
    pane.seek(3)
    let old = pane.source
    pane.load(.constant(count: 10))
    #expect(
      pane.seeks.all == [
        SeekOutcome(number: 1, result: .superseded), SeekOutcome(number: 2, result: .superseded),
      ])
    _ = (old.takeCalls(), pane.takeShown())
    stage.run(seconds: 0.2)
    #expect(old.takeCalls().isEmpty && pane.numbers == Array(0...5))
    #expect(pane.player.rate == 1 && pane.player.currentTime() == seconds(0.2))
  }

  @Test func aFailedItemSaysSo() {
    let pane = stage.add(nil)
    let item = PlayerItem { throw PlaybackError(.damaged, "is broken") }
    pane.player.play()
    pane.seek(1)
    pane.player.replaceCurrentItem(with: item)
    pane.seek(2)
    stage.run(seconds: 1)
    let error = PlaybackError(.damaged, "is broken")
    #expect(item.status == .failed(error) && item.error == error && item.presentationSize == nil)
    #expect(pane.events.all.filter { $0 == .itemFailed(error) }.count == 1)
    #expect(pane.seeks.all.map(\.result) == [.superseded, .superseded] && !pane.player.isSeeking)
    #expect(pane.numbers.isEmpty && pane.player.timeControlStatus == .paused)
    // Another one plays.
    pane.load(.constant(count: 5))
    stage.run(seconds: 0.1)
    #expect(pane.numbers == [0, 1, 2])
  }

  @Test(arguments: ["decode", "render"]) func anErrorInTheMiddleEndsTheItem(kind: String) {
    let other = stage.add()
    let pane = stage.add()
    pane.player.play()
    other.player.play()
    stage.run(seconds: 1)
    if kind == "decode" {
      pane.source.faults.decodeThrowsAt = 60
    } else {
      pane.source.faults.renderThrows = true
    }
    stage.run(seconds: 2)
    #expect(pane.player.currentItem?.error != nil)
    #expect(pane.events.all.filter { if case .itemFailed = $0 { true } else { false } }.count == 1)
    #expect(pane.player.timeControlStatus == .paused)
    #expect(other.numbers.last == 75)
    pane.seek(1)
    #expect(pane.seeks.all.map(\.result) == [.superseded])
  }

  @Test func anItemWithoutAnyFrameFails() {
    let pane = stage.add(FrameScript([], announcedDuration: seconds(3)))
    let item = pane.player.currentItem
    pane.player.play()
    stage.run(seconds: 1)
    guard case .failed(let error)? = item?.status else {
      Issue.record("the item's status is \(String(describing: item?.status))")
      return
    }
    #expect(error.reason == .nothingDecodable)
    #expect(pane.events.all.contains(.itemFailed(error)))
  }

  /// A range that is lifted again: each frame comes once.
  @Test func aRangeThatIsSetAndLifted() {
    stage.cacheBudget = 1 << 20
    let pane = stage.add(.constant(count: 200))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 0.8)
    pane.player.loopRange = TimeRange(start: .zero, end: seconds(1))
    stage.run(seconds: 0.01)
    pane.player.loopRange = nil
    stage.run(seconds: 1)
    #expect(pane.numbers == Array(0...45), "\(pane.numbers)")
  }

  /// The next item is opened before the end of a range that is played once, and begins at the very moment.
  @Test func theNextItemFollowsARangeThatEnds() {
    let pane = stage.add(.constant(count: 1500))
    pane.player.insert(StagePane.item(ScriptedSource(.constant(count: 20))))
    stage.settle()
    pane.player.actionAtItemEnd = .advance
    (pane.player.loopRange, pane.player.loopLimit) = (TimeRange(start: seconds(1), end: seconds(10)), 1)
    pane.player.play()
    stage.run(seconds: 9.99)
    stage.clock.advance(by: 33_000_000)
    stage.run(seconds: 1)
    let seam = pane.shown.firstIndex { $0.number == 0 && $0.host > pane.shown[0].host } ?? 0
    #expect(pane.numbers.dropFirst(seam) == Array(0..<20)[...] || pane.numbers.dropFirst(seam) == [0] + Array(1..<20)[...])
    // The clock began at the end of the range, not when somebody looked.
    let third = pane.shown[seam + 2].host, start = pane.shown[0].host
    #expect(abs(Double(third - start) / 1e9 - 10.08) < 0.001, "\(Double(third - start) / 1e9)")
  }
}
