import Playback
import TestSupport
import Testing

/// Start, pause, rate, time and status on a hand-moved clock.
@Suite(.timeLimit(.minutes(20))) struct PlayerTransportTests {
  let stage = Stage()

  @Test func firstFrameShowsWhilePaused() {
    let pane = stage.add()
    #expect(pane.player.timeControlStatus == .paused)
    stage.settle()
    #expect(pane.numbers == [0])
    stage.run(seconds: 3)
    #expect(pane.numbers == [0] && pane.player.currentTime() == .zero)
    #expect(pane.events.all == [.currentItemChanged, .itemReady, .cachedTimeRangesChanged])
  }

  @Test func everyFrameIsShownExactlyWhenItIsDue() {
    let pane = stage.add(.constant(count: 100, unit: 1001, scale: 30000))
    stage.settle()
    let start = stage.clock.now
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(0..<60))
    for shown in pane.shown.dropFirst() {
      let due = start + (pane.script.frames[shown.number].pts.nanoseconds ?? -1)
      #expect(shown.host == due && shown.due == due)
    }
    #expect(pane.player.statistics.shown == 60 && pane.player.statistics.dropped == 0)
    #expect(pane.player.statistics.lateness.maximum == 0)
    #expect(pane.player.statistics.playedNanoseconds == 2_000_000_000)
  }

  @Test(arguments: [0.05, 0.1, 0.5, 1, 1.1, 1.5, 2, 3.7, 16])
  func ratesScaleTheTimes(rate: Double) {
    let pane = stage.add(.constant(count: 400, unit: 1001, scale: 30000))
    stage.settle()
    let start = stage.clock.now
    pane.player.rate = rate
    #expect(pane.player.rate == rate && pane.player.timeControlStatus == .playing)
    stage.run(seconds: 4 / rate)
    let expected = pane.script.frames.filter { $0.pts < seconds(4) }.count
    #expect(pane.numbers == Array(0..<expected))
    for shown in pane.shown.dropFirst() {
      let passed = Double(pane.script.frames[shown.number].pts.nanoseconds ?? 0) / rate
      #expect(abs(Double(shown.host - start) - passed) <= 2)
    }
    #expect(abs(pane.player.currentTime().seconds - 4) < 1e-7)
  }

  @Test func changingTheRateKeepsTheTime() {
    let pane = stage.add(.constant(count: 1000))
    pane.player.play()
    stage.run(seconds: 1)
    pane.player.rate = 2
    #expect(pane.player.currentTime() == seconds(1))
    stage.run(seconds: 1)
    pane.player.rate = 0.5
    #expect(pane.player.currentTime() == seconds(3))
    stage.run(seconds: 2)
    #expect(pane.player.currentTime() == seconds(4))
    #expect(pane.numbers == Array(0...100))
  }

  @Test func ratesAreBroughtIntoTheirRange() {
    let pane = stage.add()
    for (wanted, got) in [(0.01, 0.05), (100, 16), (-1, -1), (-0.01, -0.05), (-99, -16), (.nan, 0), (.infinity, 16)] as [(Double, Double)]
    {
      pane.player.rate = wanted
      #expect(pane.player.rate == got)
    }
    pane.player.defaultRate = 99
    #expect(pane.player.defaultRate == 16)
    pane.player.defaultRate = 2
    pane.player.play()
    #expect(pane.player.rate == 2)
  }

  @Test func aRateThatIsNoNumberDoesNotBecomeTheDefault() {
    let pane = stage.add()
    pane.player.defaultRate = .nan
    #expect(Player.rates.contains(pane.player.defaultRate))
  }

  @Test func pauseFreezesFrameAndTime() {
    let pane = stage.add()
    pane.player.play()
    stage.run(seconds: 1.02)
    pane.player.pause()
    stage.settle()
    #expect(pane.player.currentTime() == seconds(1.02) && pane.player.timeControlStatus == .paused)
    stage.run(seconds: 10)
    #expect(pane.player.currentTime() == seconds(1.02) && pane.numbers == Array(0...25))
    pane.player.play()
    stage.run(seconds: 0.03)
    #expect(pane.numbers.last == 26)
  }

  @Test func aPausedPlayerThatIsFullDoesNoWork() {
    let pane = stage.add()
    stage.run(seconds: 1)
    _ = pane.source.takeCalls()
    stage.run(seconds: 100)
    #expect(pane.source.takeCalls().isEmpty)
    #expect(!stage.pool.runNextStep())
  }

  @Test func decodingAheadIsBounded() {
    let pane = stage.add(.constant(count: 10_000))
    stage.settle()
    let decoded = pane.player.statistics.decoded
    #expect(decoded > 3 && decoded < 40)
    let loaded = pane.player.cachedTimeRanges
    #expect(loaded.count == 1 && loaded.first?.start == .zero)
    #expect(loaded.first?.end == MediaTime(value: Int64(decoded), timescale: 25))
  }

  @Test func statusSaysWhyItWaits() {
    let pane = stage.add(nil)
    pane.player.play()
    #expect(pane.player.timeControlStatus == .waiting(.noItem))
    pane.load(.constant(count: 50))
    #expect(pane.player.timeControlStatus == .waiting(.opening))
    stage.settle()
    #expect(pane.player.timeControlStatus == .playing)
    pane.seek(1)
    #expect(pane.player.timeControlStatus == .waiting(.seeking))
    stage.settle()
    #expect(pane.player.timeControlStatus == .playing)
    pane.player.replaceCurrentItem(with: nil)
    #expect(pane.player.timeControlStatus == .waiting(.noItem) && pane.player.rate == 1)
    pane.player.pause()
    stage.settle()
    let statuses = pane.events.all.compactMap {
      if case .statusChanged(let status) = $0 { status } else { nil }
    }
    #expect(
      statuses == [
        .waiting(.noItem), .waiting(.opening), .playing, .waiting(.seeking), .playing, .waiting(.noItem),
        .paused,
      ])
  }

  @Test func theClockWaitsForTheFirstFrame() {
    let pane = stage.add(nil)
    pane.player.play()
    stage.run(seconds: 5)
    pane.load(.constant(count: 50))
    stage.clock.advance(bySeconds: 1)
    #expect(pane.player.currentTime() == .zero)
    stage.settle()
    stage.run(seconds: 0.2)
    #expect(pane.player.currentTime() == seconds(0.2) && pane.numbers == Array(0...5))
  }

  @Test func variableRatesAndGaps() {
    // Frames of 1 ms, of 2 s, and a hole of 3 s that no frame covers.
    var script = FrameScript.variable([0, 1, 40, 2040, 2100], end: 2200)
    script.frames.append(.init(pts: seconds(5.2), duration: seconds(0.1), isKey: true))
    script.announcedDuration = seconds(5.3)
    let pane = stage.add(script)
    stage.settle()
    let start = stage.clock.now
    pane.player.play()
    stage.run(seconds: 6)
    #expect(pane.numbers == [0, 1, 2, 3, 4, 5])
    #expect(
      pane.shown.dropFirst().map { $0.host - start }
        == [1_000_000, 40_000_000, 2_040_000_000, 2_100_000_000, 5_200_000_000])
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
    #expect(pane.player.currentTime() == seconds(5.3))
  }

  @Test func aFirstFrameThatBeginsLater() {
    let pane = stage.add(.constant(count: 25, start: 10))
    pane.player.play()
    stage.run(seconds: 0.2)
    // It stands in for what comes before it.
    #expect(pane.numbers == [0] && pane.player.currentTime() == seconds(0.2))
    stage.run(seconds: 0.3)
    #expect(pane.numbers == [0, 1, 2])
  }

  @Test(arguments: [0.0, 2, 14]) func aTimeThatIsSetIsAJump(from start: Double) {
    let pane = stage.add(.constant(count: 1000))
    let boundaries = Recorder<MediaTime>()
    pane.seek(start)
    stage.settle()
    let observer = pane.player.addBoundaryTimeObserver(
      forTimes: [seconds(5), seconds(10.5), seconds(12)], on: InlineExecutor()
    ) {
      boundaries.append($0)
    }
    if start > 0 { pane.player.play() }
    stage.run(seconds: 0.1)
    pane.player.setRate(1, time: seconds(10), atHostTime: stage.clock.now)
    #expect(pane.player.currentTime() == seconds(10))
    stage.settle()
    #expect(pane.numbers.last == 250)
    stage.run(seconds: 1)
    #expect(boundaries.all == [seconds(10.5)])
    #expect(pane.numbers.suffix(26) == Array(250...275)[...])
    withExtendedLifetime(observer) {}
  }

  @Test func twoPlayersShowTheSameFrameAfterTenMinutes() {
    let script = FrameScript.constant(count: 20_000, unit: 1001, scale: 30000, keyEvery: 100)
    let a = stage.add(script)
    let b = stage.add(script)
    stage.group.play([a.player, b.player])
    for second in 1...600 {
      stage.run(seconds: 1)
      #expect(a.numbers.last == b.numbers.last)
      if second % 50 == 0 { stage.group.setRate(second % 100 == 0 ? 1 : 1.25, [a.player, b.player]) }
      if second % 97 == 0 { stage.group.pause([a.player, b.player]) }
      if second % 97 == 1 { stage.group.play([a.player, b.player]) }
    }
    #expect(a.player.currentTime() == b.player.currentTime() && a.player.currentTime() > seconds(600))
    #expect(a.numbers.last == script.number(at: a.player.currentTime()))
  }

  @Test func wishesAreKeptAsTheyWereGiven() {
    let pane = stage.add()
    let player = pane.player
    #expect(player.actionAtItemEnd == .pause && player.loopRange == nil && !player.isUntimed)
    player.actionAtItemEnd = .loop
    let range = TimeRange(start: seconds(1), end: seconds(2))
    player.loopRange = range
    player.isUntimed = true
    #expect(player.actionAtItemEnd == .loop && player.loopRange == range && player.isUntimed)
    #expect(player.hostTime == stage.clock.now)
    pane.load(.constant(count: 10))
    #expect(player.actionAtItemEnd == .loop && player.loopRange == range && player.isUntimed)
  }

  @Test func aSeekThatIsAwaited() async throws {
    let pane = stage.add()
    stage.settle()
    let player = pane.player
    for (target, replaces, expected) in [(2.0, false, SeekResult.finished), (3, true, .superseded)] {
      async let result = player.seek(to: seconds(target), toleranceBefore: .zero, toleranceAfter: .zero)
      // The call is on another thread.
      for _ in 0..<1_000_000 where !player.isSeeking { await Task.yield() }
      try #require(player.isSeeking, "the seek is not asked for")
      if replaces { pane.load(.constant(count: 10)) }
      stage.settle()
      #expect(await result == expected)
    }
  }
}
