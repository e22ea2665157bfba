import Playback
import TestSupport
import Testing

/// Seeks land where they are to, complete exactly once, and chase the newest target.
@Suite(.timeLimit(.minutes(20))) struct PlayerSeekTests {
  let stage = Stage()
  private let clip = FrameScript.constant(count: 250, unit: 1001, scale: 30000, keyEvery: 24)

  private func outcomes(_ results: SeekResult...) -> [SeekOutcome] {
    results.enumerated().map { SeekOutcome(number: $0.offset + 1, result: $0.element) }
  }

  @Test func anExactSeekShowsTheFrameThatHoldsTheTarget() {
    let pane = stage.add(clip)
    stage.settle()
    var random = SeededGenerator(seed: 200)
    for _ in 0..<200 {
      let target = MediaTime(value: Int64.random(in: 0..<8_341_666, using: &random), timescale: 1_000_000)
      pane.seek(target)
      #expect(pane.player.currentTime() == target && pane.player.isSeeking)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == clip.number(at: target), "target \(target)")
      #expect(pane.player.currentTime() == target && !pane.player.isSeeking)
    }
    #expect(pane.seeks.all == (1...200).map { SeekOutcome(number: $0, result: .finished) })
    #expect(pane.player.statistics.seeks.count == 200)
  }

  @Test(arguments: [0, 1, 23, 24, 25, 100, 249]) func theFirstMomentOfAFrame(number: Int) {
    let pane = stage.add(clip)
    stage.settle()
    pane.seek(clip.frames[number].pts)
    stage.settle()
    #expect(pane.numbers.last == number || number == 0)
    // One tick earlier is the frame before.
    pane.seek(clip.frames[number].pts - MediaTime(value: 1, timescale: 30000))
    stage.settle()
    #expect(pane.player.displayedTiming?.number == max(0, number - 1))
  }

  @Test func theShownFrameLiesInTheTolerance() {
    let pane = stage.add(clip)
    stage.settle()
    var random = SeededGenerator(seed: 300)
    for _ in 0..<300 {
      let target = seconds(Double.random(in: 0..<8.3, using: &random))
      let before =
        [.zero, seconds(0.05), seconds(0.5), .positiveInfinity].randomElement(using: &random) ?? .zero
      let after =
        [.zero, seconds(0.05), seconds(0.5), .positiveInfinity].randomElement(using: &random) ?? .zero
      pane.seek(target, before: before, after: after)
      stage.settle()
      guard let timing = pane.player.displayedTiming else { continue }
      #expect(timing.end > target - before && timing.pts <= target + after, "\(target) -\(before) +\(after)")
      // Where the clock stands the frame is shown.
      let now = pane.player.currentTime()
      #expect(now >= timing.pts && now < timing.end)
    }
  }

  @Test func withEndlessToleranceAKeyFrameWillDo() {
    let pane = stage.add(clip)
    stage.settle()
    _ = pane.source.takeCalls()
    pane.seek(clip.frames[80].pts, before: .positiveInfinity, after: .positiveInfinity)
    stage.settle()
    #expect(pane.numbers.last == 72 && pane.player.currentTime() == clip.frames[72].pts)
    let calls = pane.source.takeCalls()
    #expect(calls.prefix(3) == [.seek(clip.frames[80].pts), .decode(.nothing), .render(72)][...])
  }

  @Test func evenWithEndlessToleranceANearTargetIsNotMissed() {
    let pane = stage.add(clip)
    stage.settle()
    for number in [3, 20, 38, 60] {
      pane.seek(clip.frames[number].pts, before: .positiveInfinity, after: .positiveInfinity)
      stage.settle()
      #expect(pane.numbers.last == number)
    }
  }

  @Test func targetsOutsideAreClamped() {
    let pane = stage.add(clip)
    stage.settle()
    for (target, number, time) in [
      (seconds(-7), 0, .zero), (seconds(1e9), 249, clip.end), (.positiveInfinity, 249, clip.end),
      (.negativeInfinity, 0, .zero), (clip.end, 249, clip.end),
    ] as [(MediaTime, Int, MediaTime)] {
      pane.seek(target)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == number)
      #expect((pane.player.currentTime() - time).absoluteValue < seconds(0.000001))
    }
    #expect(pane.seeks.all.allSatisfy { $0.result == .finished } && pane.seeks.all.count == 5)
  }

  @Test func playingOnFromTheEndEndsAgain() {
    let pane = stage.add(clip)
    pane.player.play()
    pane.seek(1000)
    stage.run(seconds: 1)
    #expect(
      pane.events.all.filter { $0 == .playedToEnd }.count == 1 && pane.player.timeControlStatus == .paused)
    #expect(pane.numbers.last == 249)
  }

  @Test func beforeReadyTheSeekWaits() {
    let pane = stage.add(nil)
    let source = ScriptedSource(clip)
    pane.player.replaceCurrentItem(with: StagePane.item(source))
    pane.seek(1)
    pane.seek(2)
    #expect(pane.seeks.all == [SeekOutcome(number: 1, result: .superseded)])
    stage.settle()
    #expect(pane.seeks.all == outcomes(.superseded, .finished))
    #expect(pane.numbers == [clip.number(at: seconds(2))])
  }

  /// Also where the file does not say how long it is, before it is open and afterwards.
  @Test(arguments: [.positiveInfinity, seconds(1e6)] as [MediaTime], [false, true])
  func targetsBehindTheEndEndUpAtTheEnd(target: MediaTime, isLengthKnown: Bool) {
    let pane = stage.add(nil)
    var clip = clip
    if !isLengthKnown { clip.announcedDuration = .indefinite }
    for isOpen in [false, true] {
      pane.load(clip)
      if isOpen { stage.settle() }
      pane.seek(target)
      stage.settle()
      #expect(pane.numbers.last == 249 && pane.player.currentTime().nanoseconds == clip.end.nanoseconds)
    }
    #expect(pane.seeks.all.map(\.result) == [.finished, .finished])
  }

  /// Until the end is known, and is displayed, nobody is told a time that there is not.
  @Test(arguments: [.positiveInfinity, seconds(1e6)] as [MediaTime], [false, true])
  func noTimeBehindTheEndIsTold(target: MediaTime, isLengthKnown: Bool) {
    noTimeBehindTheEndIsTold(target, isLengthKnown, isHidden: false)
    noTimeBehindTheEndIsTold(target, isLengthKnown, isHidden: true)
  }

  private func noTimeBehindTheEndIsTold(_ target: MediaTime, _ isLengthKnown: Bool, isHidden: Bool) {
    let pane = stage.add(nil)
    if isHidden { pane.request = nil }
    var clip = clip
    if !isLengthKnown { clip.announcedDuration = .indefinite }
    pane.load(clip)
    pane.seek(target)
    let end = clip.end.nanoseconds ?? 0
    func isInside(_ time: MediaTime) -> Bool { time.nanoseconds.map { $0 <= end } ?? false }
    stage.pool.runNextStep()
    stage.bus.deliver()
    if isLengthKnown || target.isPositiveInfinity { #expect(isInside(pane.player.currentTime())) }
    stage.settle()
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers.last == 249 && isInside(pane.player.currentTime()))
    #expect(pane.seeks.all.map(\.result) == [.finished])
    guard target.isPositiveInfinity else { return }
    for case .timeJumped(let time) in pane.events.all { #expect(isInside(time)) }
  }

  @Test func aTargetBehindAnEndThatIsNotKnownIsGivenUp() {
    let pane = stage.add(nil)
    var clip = clip
    clip.announcedDuration = .indefinite
    pane.load(clip)
    stage.settle()
    pane.seek(2)
    stage.settle()
    pane.request = nil
    pane.player.play()
    stage.run(seconds: 1)
    pane.seek(.positiveInfinity)
    #expect(pane.player.currentTime() == seconds(3))
    pane.player.cancelPendingSeeks()
    #expect(pane.player.currentTime() == seconds(3))
    stage.run(seconds: 1)
    #expect(pane.player.currentTime() == seconds(4))
  }

  @Test func aChaseHasOneInFlight() {
    let pane = stage.add(clip)
    stage.settle()
    _ = (pane.source.takeCalls(), pane.takeShown())
    // The first begins; the others come while it is decoded.
    pane.seek(clip.frames[47].pts)
    stage.pool.runNextStep()
    for n in 48..<100 {
      pane.seek(clip.frames[2 * n].pts)
      #expect(pane.player.currentTime() == clip.frames[2 * n].pts)
    }
    stage.settle()
    let results = pane.seeks.all
    #expect(results.count == 53 && Set(results.map(\.number)).count == 53)
    // In order, each once; only the newest is waited for.
    #expect(results.map(\.number) == Array(1...53))
    #expect(results.filter { $0.result == .finished }.map(\.number) == [53])
    #expect(pane.source.takeCalls().count { if case .seek = $0 { true } else { false } } == 2)
    #expect(pane.numbers.last == 198 && pane.player.currentTime() == clip.frames[198].pts)
  }

  /// A pane on its way to 2 s, of which another target was asked for and cancelled.
  private func paneAfterCancelling() -> StagePane {
    let pane = stage.add(clip)
    stage.settle()
    pane.seek(2)
    stage.pool.runNextStep()
    pane.seek(7)
    pane.player.cancelPendingSeeks()
    return pane
  }

  private static let finishedAndSuperseded = [
    SeekOutcome(number: 1, result: .finished), SeekOutcome(number: 2, result: .superseded),
  ]

  @Test func cancellingDropsTheOneThatWaits() {
    let pane = paneAfterCancelling()
    #expect(pane.player.currentTime() == seconds(2))
    let boundaries = Recorder<MediaTime>()
    let observer = pane.player.addBoundaryTimeObserver(
      forTimes: [seconds(2.25), seconds(5)], on: InlineExecutor()
    ) {
      boundaries.append($0)
    }
    stage.settle()
    pane.player.play()
    stage.run(seconds: 0.5)
    #expect(boundaries.all == [seconds(2.25)] && pane.player.currentTime() == seconds(2.5))
    pane.player.cancelPendingSeeks()
    #expect(pane.seeks.all == Self.finishedAndSuperseded)
    withExtendedLifetime(observer) {}
  }

  @Test func hidingAfterCancellingAnswersInOrder() {
    let pane = paneAfterCancelling()
    pane.request = nil
    #expect(pane.seeks.all == Self.finishedAndSuperseded)
  }

  /// Backwards is asked for while a target waits that is then given up: it goes back from the display, and on from there again.
  @Test func cancellingBeforePlayingBackwards() {
    // Half of the frames.
    stage.cacheBudget = 30 * 144
    let pane = stage.add(.constant(count: 60))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 2)
    pane.player.pause()
    stage.settle()
    pane.seek(0.1)
    pane.player.rate = -1
    pane.player.cancelPendingSeeks()
    stage.run(seconds: 0.5)
    func isOnTime(_ time: Double) -> Bool {
      let now = pane.player.currentTime()
      return abs(now.seconds - time) < 0.05 && pane.player.displayedTiming?.number == pane.script.number(at: now)
    }
    // From the beginning of the frame that was on display.
    #expect(isOnTime(1.5))
    pane.player.rate = 1
    stage.run(seconds: 0.7)
    #expect(isOnTime(2.2))
  }

  @Test func cancellingBeforeReady() {
    let pane = stage.add(nil)
    pane.player.replaceCurrentItem(with: StagePane.item(ScriptedSource(clip)))
    pane.seek(2)
    pane.player.cancelPendingSeeks()
    stage.settle()
    #expect(pane.seeks.all == outcomes(.superseded) && pane.numbers == [0])
    pane.player.play()
    stage.run(seconds: 0.1)
    #expect(pane.player.currentTime() == seconds(0.1))
  }

  @Test func whilePlayingItGoesOnFromThere() {
    let pane = stage.add(clip)
    pane.player.play()
    stage.run(seconds: 1)
    _ = pane.takeShown()
    pane.source.faults.progressPerFrame = 3
    pane.seek(5)
    stage.settle()
    stage.run(seconds: 1)
    let first = clip.number(at: seconds(5))
    #expect(pane.numbers == Array(first...clip.number(at: seconds(6))))
    #expect(abs(pane.player.currentTime().seconds - 6) < 1e-8)
    #expect(pane.events.all.filter { $0 == .timeJumped(seconds(5)) }.count == 1)
  }

  @Test(arguments: [1, 30, 300]) func aSourceThatLandsBehindTheTarget(by frames: Int) {
    var faults = ScriptedSource.Faults()
    faults.landsBehindBy = frames
    let pane = stage.add(clip, faults: faults)
    stage.settle()
    for target in [0.0, 0.02, 0.8, 3, 8] {
      pane.seek(target)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == clip.number(at: seconds(target)))
    }
    #expect(pane.seeks.all.map(\.result) == Array(repeating: .finished, count: 5))
  }

  @Test(arguments: [true, false]) func aSourceThatCannotSeekIsReadFromItsBeginning(throwing: Bool) {
    var faults = ScriptedSource.Faults()
    faults.seekThrows = throwing
    faults.landsNowhere = !throwing
    let pane = stage.add(clip, faults: faults)
    stage.settle()
    pane.seek(5)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == clip.number(at: seconds(5)))
    pane.seek(2)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == clip.number(at: seconds(2)))
    #expect(pane.seeks.all == outcomes(.finished, .finished))
    #expect(pane.player.currentItem?.status == .readyToPlay && pane.player.duration == clip.end)
  }

  @Test func aSourceThatNeitherSeeksNorRewindsFails() {
    var faults = ScriptedSource.Faults()
    faults.seekThrows = true
    faults.rewindThrows = true
    let pane = stage.add(clip, faults: faults)
    stage.settle()
    pane.seek(5)
    stage.settle()
    #expect(pane.seeks.all == outcomes(.superseded) && pane.player.currentItem?.error != nil)
  }

  @Test func aSeekIntoAGap() {
    var script = FrameScript.constant(count: 25)
    script.frames += (0..<25).map {
      .init(pts: seconds(10 + Double($0) / 25), duration: seconds(0.04), isKey: $0 == 0)
    }
    script.announcedDuration = seconds(11)
    let pane = stage.add(script)
    stage.settle()
    pane.seek(5)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 24 && pane.player.currentTime() == seconds(5))
    pane.player.play()
    stage.run(seconds: 5.05)
    #expect(pane.numbers.suffix(3) == [24, 25, 26][...])
  }

  @Test func aPlayerThatGoesCompletesItsSeeks() {
    let results = Recorder<SeekResult>()
    do {
      let player = Player(context: PlaybackContext(pool: stage.pool, bus: stage.bus))
      // Never ready: the seek waits for it.
      player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: "/dev/null/none")))
      player.seek(to: seconds(1)) { results.append($0) }
    }
    #expect(results.all == [.superseded])
  }

  /// Times and tolerances that are none are taken for zero, or for endless.
  @Test func oddTimesAndTolerancesLand() {
    let odd: [MediaTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity, seconds(-3)]
    let pane = stage.add(.constant(count: 250))
    stage.settle()
    var count = 0
    for time in odd + [seconds(5)] {
      for tolerance in odd {
        pane.seek(time, before: tolerance, after: tolerance)
        count += 1
        stage.settle()
        #expect(pane.seeks.all.last == SeekOutcome(number: count, result: .finished), "\(time) \(tolerance)")
        #expect(pane.player.currentTime() >= .zero && pane.player.currentTime() <= seconds(10))
        if time == seconds(5), tolerance < .zero { #expect(pane.player.displayedTiming?.number == 125) }
      }
    }
  }

  @Test func withoutAnItemItIsSuperseded() {
    let pane = stage.add(nil)
    pane.seek(1)
    #expect(pane.seeks.all == outcomes(.superseded) && !pane.player.isSeeking)
    #expect(pane.player.currentTime() == .zero)
  }
}
