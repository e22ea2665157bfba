import Pixels
import Playback
import TestSupport
import Testing

/// Players that nobody has looked at for a while.
@Suite(.timeLimit(.minutes(20))) struct PlayerShownAgainTests {
  let stage = Stage()

  private func ends(_ pane: StagePane) -> Int { pane.events.all.filter { $0 == .playedToEnd }.count }

  /// Whatever has been decoded of it by then.
  @Test(arguments: 0..<12, [0, 0.2]) func anItemThatIsOpenedAhead(steps: Int, hiddenSeconds: Double) {
    let pane = stage.add(.constant(count: 20))
    #expect(pane.player.insert(StagePane.item(ScriptedSource(.constant(count: 30)))))
    pane.player.actionAtItemEnd = .advance
    pane.player.play()
    stage.settle()
    stage.clock.advance(by: 10_000_000)
    stage.bus.deliver()
    for _ in 0..<steps { stage.pool.runNextStep() }
    pane.request = nil
    stage.run(seconds: hiddenSeconds)
    pane.request = StagePane.request
    stage.run(seconds: 0.9)
    #expect(pane.player.queuedItems.isEmpty && pane.player.displayedTiming.map { $0.number > 0 } == true)
    stage.run(seconds: 3)
    #expect(ends(pane) == 2 && pane.numbers.last == 29 && pane.player.timeControlStatus == .paused)
  }

  /// As a pane that comes back while the others of its group are still on their way.
  @Test func oneWhoseGroupIsWaitedFor() {
    let hidden = stage.add(.constant(count: 1000))
    let slow = stage.add(.constant(count: 1000, keyEvery: 1000))
    stage.group.play([hidden.player, slow.player])
    stage.run(seconds: 1)
    hidden.request = nil
    stage.settle()
    stage.stepNanoseconds = 1_000_000
    stage.group.seek([(hidden.player, seconds(20)), (slow.player, seconds(20))], toleranceBefore: .zero, toleranceAfter: .zero)
    stage.run(seconds: 0.1)
    #expect(hidden.player.timeControlStatus == .waiting(.othersInGroup) && slow.player.isSeeking)
    hidden.request = StagePane.request
    stage.runUntilLanded([slow])
    stage.stepNanoseconds = 0
    let start = hidden.player.currentTime()
    stage.run(seconds: 1)
    #expect(hidden.player.currentTime() == slow.player.currentTime() && hidden.player.currentTime() > start)
    hidden.expectPresentFrame()
    slow.expectPresentFrame()
    #expect(hidden.player.statistics.dropped == 0)
  }

  @Test func oneThatWasSentElsewhereWhilePausedHasDroppedNothing() {
    let pane = stage.add(.constant(count: 1000))
    pane.player.play()
    stage.run(seconds: 1)
    pane.player.pause()
    for target in [20.0, 5] {
      pane.request = nil
      pane.seek(target)
      stage.settle()
      pane.request = StagePane.request
      stage.settle()
      pane.expectPresentFrame()
      #expect(pane.numbers.last == Int(target * 25) && pane.player.statistics.dropped == 0)
    }
  }

  @Test(arguments: [nil, 40]) func anUntimedOneGoesOnWhereItWas(target: Int?) throws {
    let pane = stage.add(.constant(count: 60))
    pane.player.isUntimed = true
    pane.player.play()
    stage.stepNanoseconds = 1_000_000
    stage.run(seconds: 0.01)
    let seen = try #require(pane.numbers.last)
    #expect(seen < 20)
    pane.request = nil
    if let target { pane.seek(pane.script.frames[target].pts) }
    stage.run(seconds: 1)
    #expect(pane.numbers.last == seen && ends(pane) == 0)
    pane.request = StagePane.request
    stage.run(seconds: 1)
    #expect(pane.numbers == Array(0...seen) + Array((target ?? seen + 1)..<60) && ends(pane) == 1)
    #expect(pane.seeks.all.map(\.result) == (target == nil ? [] : [.finished]))
  }

  /// Each of those that look at a player without a clock gets every frame; the slower one sets the pace.
  @Test func untimedFramesAreForAllWhoLook() {
    let pane = stage.add(.constant(count: 60))
    pane.player.isUntimed = true
    pane.player.play()
    let other = VideoOutput(pane.player, request: RenderRequest(box: PixelSize(width: 4, height: 4)))
    let unseen = VideoOutput(pane.player)
    var numbers: [Int] = []
    for turn in 0..<400 {
      while stage.pool.runNextStep() {}
      _ = pane.take(at: stage.clock.now)
      if turn % 3 == 0, let taken = other.copyFrame(at: stage.clock.now) { numbers.append(taken.frame.timing.number) }
      #expect(unseen.copyFrame(at: stage.clock.now) == nil)
    }
    stage.bus.deliver()
    #expect(pane.numbers == Array(0..<60) && numbers == Array(0..<60) && ends(pane) == 1)
  }

  /// It waits for the other, and goes on once that is gone.
  @Test func anUntimedOneIsNotAskedAgainBeforeTheOthersHaveLooked() {
    let pane = stage.add(.constant(count: 60))
    pane.player.isUntimed = true
    var other: VideoOutput? = VideoOutput(pane.player, request: StagePane.request)
    pane.player.play()
    stage.run(seconds: 1)
    #expect(pane.numbers == [0] && other?.hasNewFrame == true)
    _ = other?.copyFrame(at: stage.clock.now)
    stage.run(seconds: 1)
    #expect(pane.numbers == [0, 1])
    other = nil
    stage.run(seconds: 1)
    #expect(pane.numbers == Array(0..<60) && ends(pane) == 1)
  }
}
