import Playback
import TestSupport
import Testing

/// The end of playback when frames come late, or when no output takes any.
@Suite(.timeLimit(.minutes(20))) struct PlayerEndWaitTests {
  let stage = Stage()

  private func ends(_ pane: StagePane) -> Int { pane.events.all.count { $0 == .playedToEnd } }

  /// Runs in short stretches, none shorter than a step of the lane, and checks after each.
  private func run(seconds: Double, check: () -> Void) {
    for _ in 0..<Int(seconds / 0.21) {
      stage.run(seconds: 0.21)
      check()
    }
  }

  // MARK: - Late frames

  /// A clip with a single keyframe, so that there is nothing to skip to.
  private func slowPane(milliseconds: Double, index: IndexScript = .none) -> StagePane {
    let pane = stage.add(.constant(count: 50, keyEvery: 1000), index: index)
    stage.settle()
    stage.stepNanoseconds = HostTime(milliseconds * 1e6)
    return pane
  }

  @Test(arguments: [45.0, 90, 200], [IndexScript.none, .complete])
  func aSlowDecoderIsWaitedForAtTheEnd(milliseconds: Double, index: IndexScript) {
    let pane = slowPane(milliseconds: milliseconds, index: index)
    pane.player.play()
    var waited = false, late = MediaTime.zero
    run(seconds: 30) {
      #expect(pane.player.currentTime() <= seconds(2))
      if pane.player.timeControlStatus == .paused || ends(pane) > 0 { #expect(pane.numbers.last == 49) }
      waited = waited || pane.player.timeControlStatus == .waiting(.buffering)
      late = max(late, pane.player.snapshot.lateness)
    }
    #expect(ends(pane) == 1 && pane.player.rate == 0 && pane.player.currentTime() == seconds(2))
    #expect(Set(pane.numbers).count + pane.player.statistics.dropped == 50, "\(pane.numbers)")
    #expect(waited == (milliseconds > 45) && (late > seconds(0.1)) == waited && pane.player.snapshot.lateness == .zero)
  }

  @Test(arguments: [90.0, 200]) func aSlowLoopNeverPassesItsEnd(milliseconds: Double) {
    let pane = slowPane(milliseconds: milliseconds)
    pane.player.actionAtItemEnd = .loop
    pane.player.play()
    run(seconds: 30) { #expect(pane.player.currentTime() <= seconds(2)) }
    #expect(pane.player.loopCount > 5 && pane.player.rate == 1)
  }

  @Test func aSlowItemIsFollowedByTheNextOnceItsLastFramesHaveCome() {
    let pane = slowPane(milliseconds: 100)
    let next = ScriptedSource(.constant(count: 20))
    pane.player.insert(StagePane.item(next))
    pane.player.actionAtItemEnd = .advance
    pane.player.play()
    run(seconds: 20) { #expect(pane.player.currentTime() <= seconds(2)) }
    #expect(pane.numbers.contains { $0 > 45 } && pane.numbers.last == 19 && ends(pane) == 2, "\(pane.numbers)")
  }

  @Test func dataAfterTheAnnouncedEndIsPlayedWhereItIsLate() {
    let pane = stage.add(nil)
    var script = FrameScript.constant(count: 75, keyEvery: 1000)
    script.announcedDuration = seconds(2)
    pane.load(script)
    stage.settle()
    stage.stepNanoseconds = 60_000_000
    pane.player.play()
    stage.run(seconds: 20)
    #expect(ends(pane) == 1 && pane.numbers.last == 74 && pane.player.currentTime() == seconds(3))
  }

  /// A seek, a pause and a change of direction end the wait.
  @Test func otherCommandsEndTheWait() {
    for command in 0..<4 {
      let pane = slowPane(milliseconds: 200)
      pane.player.play()
      stage.run(seconds: 2.5)
      #expect(pane.player.timeControlStatus == .waiting(.buffering))
      switch command {
      case 0: pane.seek(0.5)
      case 1: pane.player.pause()
      case 2: pane.player.rate = -1
      default: pane.player.setRate(1, time: seconds(0.5), atHostTime: stage.clock.now)
      }
      stage.stepNanoseconds = 0
      stage.run(seconds: 10)
      #expect(ends(pane) == (command == 1 || command == 2 ? 0 : 1), "command \(command)")
      if command == 1 { #expect(pane.player.currentTime() == seconds(2) && pane.numbers.last == 49) }
    }
  }

  // MARK: - Outputs

  @Test(arguments: [IndexScript.none, .complete], [0.2, 1, 1.9])
  func theEndComesThoughTheOutputWasHidden(index: IndexScript, after: Double) {
    let pane = stage.add(.constant(count: 50), index: index)
    pane.player.play()
    stage.run(seconds: after)
    pane.request = nil
    run(seconds: 4) { #expect(pane.player.currentTime() <= seconds(2)) }
    #expect(ends(pane) == 1 && pane.player.rate == 0 && pane.player.currentTime() == seconds(2))
  }

  @Test func theEndComesInUntimedModeThoughTheOutputWasHidden() {
    let pane = stage.add(.constant(count: 50))
    pane.player.isUntimed = true
    pane.player.play()
    stage.stepNanoseconds = 1_000_000
    stage.run(seconds: 0.02)
    pane.request = nil
    stage.run(seconds: 1)
    #expect(ends(pane) == 0 && pane.player.rate == 1, "without outputs, it stands still")
    pane.request = StagePane.request
    stage.run(seconds: 1)
    #expect(ends(pane) == 1 && pane.numbers == Array(0..<50))
  }

  @Test func loopsAndQueuesGoOnThoughTheOutputWasHidden() {
    let looping = stage.add(.constant(count: 50))
    looping.player.actionAtItemEnd = .loop
    let queued = stage.add(.constant(count: 50))
    queued.player.insert(StagePane.item(ScriptedSource(.constant(count: 50))))
    queued.player.actionAtItemEnd = .advance
    for pane in [looping, queued] { pane.player.play() }
    stage.run(seconds: 1)
    for pane in [looping, queued] { pane.request = nil }
    stage.run(seconds: 10)
    #expect(looping.player.loopCount == 5 && ends(looping) == 5)
    #expect(ends(queued) == 2 && queued.player.rate == 0)
  }

  // MARK: - Order

  /// The frames' numbers become known while the first frame is taken.
  @Test(arguments: [0, 1, 3, 20]) func untimedFramesComeOnceWhenTheIndexComesLate(taken: Int) {
    let script = FrameScript.constant(count: 50)
    let pane = stage.add(nil)
    pane.player.isUntimed = true
    pane.player.play()
    pane.load(script, index: .partlyWrong(times: [5], randomAccess: []))
    stage.stepNanoseconds = 1_000_000
    while pane.numbers.count < taken { stage.run(seconds: 0.001) }
    pane.moveIndex(by: 1, isLast: true)
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(0..<50))
  }
}
