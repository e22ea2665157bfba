import Pixels
import Playback
import TestSupport
import Testing

/// The pane's requests: nothing while hidden, other sizes, every frame without a clock.
@Suite(.timeLimit(.minutes(20))) struct PlayerPaneTests {
  let stage = Stage()
  private let small = RenderRequest(box: PixelSize(width: 4, height: 4), gravity: .resize)

  @Test func aHiddenPaneDoesNoWorkAndComesBackAtTheRightTime() {
    let pane = stage.add(.constant(count: 1000))
    pane.player.play()
    stage.run(seconds: 1)
    pane.request = nil
    stage.settle()
    _ = (pane.source.takeCalls(), pane.takeShown())
    stage.run(seconds: 9)
    #expect(pane.source.takeCalls().isEmpty && pane.player.currentTime() == seconds(10))
    pane.request = StagePane.request
    #expect(pane.output.take(at: stage.clock.now) == nil, "what waited is of the time when it was hidden")
    stage.settle()
    #expect(pane.numbers.last == 250 && pane.player.statistics.dropped == 0)
    stage.run(seconds: 1)
    #expect(pane.numbers.suffix(26) == Array(250...275)[...])
  }

  /// As one that is hidden before its clip is open.
  @Test(arguments: [false, true]) func aPaneThatHasNeverBeenSeenPlaysOn(isPaused: Bool) {
    let pane = stage.add(nil)
    pane.request = nil
    pane.load(.constant(count: 1000))
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.player.currentTime() == seconds(2) && pane.player.timeControlStatus == .playing)
    #expect(pane.source.takeCalls().isEmpty)
    if isPaused { pane.player.pause() }
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers == [50])
    stage.run(seconds: 1)
    #expect(pane.numbers == (isPaused ? [50] : Array(50...75)) && pane.player.statistics.dropped == 0)
  }

  @Test func seeksAndEndsComeWithoutAnyoneWhoLooks() {
    let pane = stage.add(nil)
    pane.request = nil
    pane.load(.constant(count: 100))
    pane.seek(3)
    pane.player.play()
    stage.run(seconds: 0.5)
    #expect(pane.seeks.all.map(\.result) == [.finished] && pane.player.currentTime() == seconds(3.5))
    stage.run(seconds: 2)
    #expect(pane.player.timeControlStatus == .paused && pane.player.currentTime() == seconds(4))
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers == [99])
  }

  @Test func aHiddenPaneThatIsPausedMeanwhile() {
    let pane = stage.add(.constant(count: 1000))
    pane.player.play()
    stage.run(seconds: 1)
    pane.request = nil
    stage.run(seconds: 4)
    pane.player.pause()
    stage.run(seconds: 1)
    _ = pane.takeShown()
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.player.currentTime() == seconds(5) && pane.numbers == [125])
  }

  @Test func aHiddenPaneThatEndsMeanwhile() {
    let pane = stage.add(.constant(count: 50))
    pane.player.play()
    stage.run(seconds: 1)
    pane.request = nil
    stage.run(seconds: 5)
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
    pane.request = StagePane.request
    stage.settle()
    #expect(pane.numbers.last == 49 && pane.player.currentTime() == seconds(2))
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
  }

  @Test func aHiddenPaneThatLoopsMeanwhile() {
    let pane = stage.add(.constant(count: 50))
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    stage.run(seconds: 1.9)
    pane.request = nil
    stage.run(seconds: 7)
    pane.request = StagePane.request
    stage.settle()
    // 8.9 s is 0.9 s into the fifth round.
    #expect(pane.numbers.last == 22)
    stage.run(seconds: 2)
    #expect(pane.numbers.suffix(50) == (23...72).map { $0 % 50 }[...])
  }

  @Test func aPlayerWithoutAnOutputPlays() {
    let player = Player(context: PlaybackContext(pool: stage.pool, bus: stage.bus))
    let source = ScriptedSource(.constant(count: 10))
    player.replaceCurrentItem(with: StagePane.item(source))
    player.play()
    stage.run(seconds: 0.2)
    #expect(source.calls.isEmpty && player.currentTime() == seconds(0.2) && player.cachedTimeRanges.isEmpty)
    let output = VideoOutput(player, request: StagePane.request)
    stage.settle()
    #expect(output.take(at: stage.clock.now)?.frame.timing.number == 5)
  }

  @Test func aSeekOfAHiddenPaneLands() {
    let hidden = stage.add(.constant(count: 1000))
    let seen = stage.add(.constant(count: 1000))
    stage.group.play([hidden.player, seen.player])
    stage.run(seconds: 1)
    hidden.request = nil
    stage.settle()
    _ = hidden.source.takeCalls()
    stage.group.seek(
      [(hidden.player, seconds(20)), (seen.player, seconds(20))], toleranceBefore: .zero,
      toleranceAfter: .zero)
    hidden.seek(20)
    stage.run(seconds: 1)
    #expect(hidden.seeks.all.map(\.result) == [.finished] && hidden.source.takeCalls().isEmpty)
    #expect(hidden.player.currentTime() == seconds(21) && seen.player.currentTime() == seconds(21))
    hidden.request = StagePane.request
    stage.settle()
    #expect(hidden.numbers.last == 525 && seen.numbers.last == 525)
  }

  @Test func resizingWhilePausedMakesTheSameFrameAgain() {
    let pane = stage.add(.constant(count: 100, unit: 1001, scale: 30000))
    stage.settle()
    for number in [0, 1, 7, 50, 99] {
      pane.seek(pane.script.frames[number].pts)
      stage.settle()
      let time = pane.player.currentTime()
      for request in [small, StagePane.request] {
        pane.request = request
        stage.settle()
        #expect(pane.shown.last?.size == request.box && pane.numbers.last == number)
      }
      #expect(pane.player.currentTime() == time)
    }
  }

  @Test func resizingAfterAPauseAtAnyMoment() {
    let pane = stage.add(.constant(count: 100, unit: 1001, scale: 30000))
    for _ in 0..<40 {
      pane.player.play()
      stage.run(seconds: 0.0333666)
      pane.player.pause()
      stage.settle()
      let number = pane.numbers.last
      pane.request = pane.request == small ? StagePane.request : small
      stage.settle()
      #expect(pane.numbers.last == number && pane.shown.last?.size == pane.request?.box)
    }
  }

  @Test func resizingWhilePlayingLosesNothing() {
    let pane = stage.add(.constant(count: 500))
    pane.player.play()
    for n in 0..<100 {
      stage.run(seconds: 0.1)
      pane.request = n % 2 == 0 ? small : StagePane.request
    }
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(0...300) && pane.player.statistics.dropped == 0)
    #expect(pane.shown.last?.size == StagePane.request.box)
  }

  /// The frames that wait are of the former size; one of them is on display when the clock stops.
  @Test(arguments: [0.0, 0.1, 0.5]) func resizingJustBeforeAPause(seconds: Double) {
    let pane = stage.add(.constant(count: 500))
    pane.player.play()
    stage.run(seconds: 1)
    pane.request = small
    stage.run(seconds: seconds)
    pane.player.pause()
    stage.run(seconds: 1)
    pane.expectPresentFrame()
    #expect(pane.shown.last?.size == small.box)
    // Whatever moves it brings the size.
    #expect(stage.stepped(pane, 20) == pane.numbers.last && pane.shown.last?.size == small.box)
  }

  @Test func resizingInTheMiddleOfASeek() {
    let pane = stage.add()
    stage.settle()
    pane.seek(3)
    stage.pool.runNextStep()
    pane.request = small
    stage.settle()
    #expect(pane.numbers.last == 75 && pane.shown.last?.size == small.box)
    #expect(pane.seeks.all.map(\.result) == [.finished])
  }

  @Test(arguments: [1, 5, 200]) func untimedShowsEveryFrameOnceAndEnds(count: Int) {
    let pane = stage.add(.constant(count: count))
    pane.player.isUntimed = true
    stage.settle()
    #expect(pane.numbers == [0])
    let start = stage.clock.now
    pane.player.play()
    stage.settle()
    #expect(pane.numbers == Array(0..<count) && stage.clock.now == start)
    // No clock runs: the time is that of the frame on display.
    #expect(pane.player.currentTime() == pane.script.frames[count - 1].pts)
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
    #expect(pane.player.statistics.dropped == 0 && pane.player.statistics.shown == count)
    #expect(pane.player.timeControlStatus == .paused)
    #expect(Array(pane.events.all.suffix(3)) == [.playedToEnd, .rateChanged(0), .statusChanged(.paused)])
    stage.run(seconds: 5)
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 1)
  }

  /// The clock goes on from the frame that was taken last, and tells of no jump.
  @Test(arguments: [0.0, 1, -1]) func byTheClockAgain(rate: Double) {
    let pane = stage.add(.constant(count: 200))
    pane.player.isUntimed = true
    pane.player.play()
    stage.stepNanoseconds = 1_000_000
    while (pane.numbers.last ?? 0) < 100 { stage.run(seconds: 0.001) }
    let number = pane.numbers.last ?? 0
    stage.stepNanoseconds = 0
    pane.player.rate = rate
    pane.player.isUntimed = false
    #expect(pane.player.currentTime() == pane.script.frames[number].pts)
    stage.run(seconds: 1)
    #expect(pane.player.currentTime() == pane.script.frames[number].pts + seconds(rate))
    pane.expectPresentFrame()
    #expect(!pane.events.all.contains { if case .timeJumped = $0 { true } else { false } })
  }

  /// Without a clock there is one direction.
  @Test(arguments: [false, true]) func untimedGoesForwardsWhateverTheRate(isBackwardsBefore: Bool) {
    stage.cacheBudget = 1_000_000
    let pane = stage.add(.constant(count: 200))
    pane.seek(4)
    stage.settle()
    if isBackwardsBefore {
      pane.player.rate = -1
      stage.run(seconds: 1)
    }
    pane.player.isUntimed = true
    let start = pane.player.displayedTiming?.number ?? 0
    pane.shown = []
    pane.player.rate = -1
    stage.settle()
    let shown = pane.numbers.first == start ? pane.numbers.dropFirst() : pane.numbers[...]
    #expect(start == (isBackwardsBefore ? 75 : 100) && shown == Array(start + 1..<200)[...])
    #expect(pane.player.timeControlStatus == .paused)
  }

  @Test func untimedWithASlowSourceAndPauses() {
    var faults = ScriptedSource.Faults()
    faults.progressPerFrame = 5
    let pane = stage.add(.constant(count: 60), faults: faults)
    pane.player.isUntimed = true
    stage.stepNanoseconds = 1_000_000
    for _ in 0..<20 {
      pane.player.play()
      stage.run(seconds: 0.05)
      pane.player.pause()
      let count = pane.numbers.count
      stage.run(seconds: 0.05)
      #expect(pane.numbers.count == count || count == 0)
    }
    pane.player.play()
    stage.run(seconds: 1)
    #expect(pane.numbers == Array(0..<60))
  }
}
