import Pixels
import Playback
import TestSupport
import Testing

/// Calls that fall inside a step of the lane: between what it decided and what it reports.
@Suite(.timeLimit(.minutes(20))) struct PlayerMomentTests {
  let stage = Stage()
  private static let bytes = 16 * 9 * 3
  private let small = RenderRequest(box: PixelSize(width: 8, height: 4), gravity: .resize)

  private func pane(frames: Int = 2000, count: Int = 2000, keyEvery gop: Int = 25) -> StagePane {
    stage.cacheBudget = frames * Self.bytes
    let pane = stage.add(.constant(count: count, keyEvery: gop))
    stage.settle()
    return pane
  }

  private func isRender(_ moment: ScriptedSource.Moment) -> Bool {
    if case .before(.render) = moment { true } else { false }
  }

  /// Frames follow each other; one may be shown again, in another size.
  private func expectNoGap(_ pane: StagePane, sourceLocation: SourceLocation = #_sourceLocation) {
    let numbers = pane.numbers
    let gap = zip(numbers, numbers.dropFirst()).first { !(0...1).contains($1 - $0) }
    #expect(gap == nil, sourceLocation: sourceLocation)
    #expect(pane.player.statistics.dropped == 0, sourceLocation: sourceLocation)
  }

  /// A pane that rests at frame 500, with hundreds of frames cached before and behind it.
  private func filledPane() -> StagePane {
    let pane = pane()
    pane.seek(20)
    stage.run(seconds: 5)
    pane.shown = []
    return pane
  }

  // MARK: - Playing on from the cache

  /// While the frame that follows the cached ones is rendered, the pane's size changes: what is dropped from the queue is decoded
  /// again, and is not taken for done with the frame that comes back.
  @Test func aNewSizeWhileTheFrameBehindTheCachedOnesIsRendered() {
    let pane = filledPane()
    let small = small
    pane.atNext(isRender) { $0.request = small }
    pane.player.play()
    stage.run(seconds: 16)
    expectNoGap(pane)
    #expect(pane.shown.last?.size == small.box && pane.numbers.last == 900)
    pane.expectPresentFrame()
  }

  /// Less memory drops from the queue, too.
  @Test func lessMemoryWhileTheFrameBehindTheCachedOnesIsRendered() {
    let pane = filledPane()
    pane.atNext(isRender) { $0.player.cacheBudget = 20 * Self.bytes }
    pane.player.play()
    stage.run(seconds: 16)
    expectNoGap(pane)
    pane.expectPresentFrame()
  }

  /// The same at every other moment on the way to where the cached frames end.
  @Test(arguments: 0..<40) func aNewSizeAtAnyMoment(count: Int) {
    let pane = filledPane()
    var (left, hasRendered) = (count, false)
    let (small, isRender) = (small, isRender)
    pane.setHook { moment, pane in
      left -= 1
      // The first one has a test of its own.
      let isFirstRender = isRender(moment) && !hasRendered
      hasRendered = hasRendered || isFirstRender
      guard left <= 0, !isFirstRender else { return }
      pane.setHook(nil)
      pane.request = small
    }
    pane.player.play()
    stage.run(seconds: 16)
    expectNoGap(pane)
    #expect(pane.shown.last?.size == small.box)
    pane.expectPresentFrame()
  }

  /// The direction turns while the frame behind the cached ones is rendered: it does not get in the way of a later seek.
  @Test func turningBackWhileTheFrameBehindTheCachedOnesIsRendered() {
    let pane = pane()
    // Frames far ahead are cached, too.
    pane.seek(60)
    stage.run(seconds: 5)
    pane.seek(20)
    stage.run(seconds: 5)
    pane.atNext(isRender) { $0.player.rate = -1 }
    pane.player.play()
    stage.run(seconds: 1)
    pane.player.pause()
    stage.run(seconds: 1)
    pane.expectPresentFrame()
    pane.shown = []
    pane.seek(60)
    stage.run(seconds: 1)
    #expect(pane.player.displayedTiming?.number == 1500 && pane.numbers.last == 1500)
    #expect(pane.numbers == [1500])
    pane.player.play()
    stage.run(seconds: 2)
    pane.expectPresentFrame()
  }

  /// A loop that ends before what is cached is set while the frame behind the cached ones is rendered.
  @Test func aLoopThatIsSetWhileTheFrameBehindTheCachedOnesIsRendered() {
    let pane = filledPane()
    pane.atNext(isRender) { $0.player.loopRange = TimeRange(start: seconds(20), end: seconds(21)) }
    pane.player.play()
    stage.run(seconds: 4.5)
    // The one on display at first is not shown again.
    let expected = (1...112).map { 500 + $0 % 25 }
    #expect(pane.numbers == expected)
    #expect(pane.player.statistics.dropped == 0)
    pane.expectPresentFrame()
  }

  // MARK: - Seeks

  /// A seek whose target's frame has been decoded, and is rendered, when the pane gets another size.
  @Test(arguments: [false, true]) func aNewSizeWhileTheTargetIsRendered(isPlaying: Bool) {
    let pane = pane(frames: 0)
    if isPlaying { pane.player.play() }
    stage.run(seconds: 0.5)
    let small = small
    pane.atNext({ $0 == .before(.render(1003)) }) { $0.request = small }
    pane.seek(40.12)
    stage.run(seconds: 2)
    #expect(pane.seeks.all == [SeekOutcome(number: 1, result: .finished)])
    #expect(pane.shown.last?.size == small.box)
    pane.expectPresentFrame()
  }

  /// Every call at every moment on the way to a target: it is answered once, and what rests is right.
  @Test(arguments: Call.allCases) func anyCallAtAnyMomentOfASeek(call: Call) {
    for count in stride(from: 1 + call.rawValue.count % 4, through: 60, by: 4) {
      let stage = Stage()
      stage.cacheBudget = 100 * Self.bytes
      let pane = stage.add(.constant(count: 300, keyEvery: 12))
      stage.settle()
      var left = count
      pane.setHook { _, pane in
        left -= 1
        guard left == 0 else { return }
        pane.setHook(nil)
        call.make(pane, stage)
      }
      pane.seek(6.2)
      stage.settle()
      if left > 0 { break }
      let what = Comment(rawValue: "\(call) at moment \(count)")
      expectRightAtRest(pane, stage, what)
    }
  }

  /// Once the pane is seen again and rests, every seek has been answered and the right frame stands.
  private func expectRightAtRest(_ pane: StagePane, _ stage: Stage, _ what: Comment) {
    if pane.request == nil { pane.request = StagePane.request }
    stage.run(seconds: 0.5)
    pane.player.pause()
    stage.run(seconds: 1)
    #expect(pane.seeks.all.map(\.number) == Array(1...pane.seekCount), what)
    #expect(!pane.player.isSeeking && pane.player.currentItem?.error == nil, what)
    let number = pane.script.number(at: pane.player.currentTime())
    #expect(pane.player.displayedTiming?.number == number && pane.numbers.last == number, what)
    #expect(pane.shown.last?.size == pane.request?.box, what)
  }

  /// The calls that a caller may make.
  enum Call: String, CaseIterable {
    case seekAhead, seekBack, seekNear, cancel, step, stepBack, play, playFast, playBack, pause, resize, hide, hideAndShow
    case loop, loopElsewhere, noLoop, lessMemory, moreMemory, take, anotherItem, time

    func make(_ pane: StagePane, _ stage: Stage) {
      let player = pane.player
      switch self {
      case .seekAhead: pane.seek(10.7)
      case .seekBack: pane.seek(1.3)
      case .seekNear: pane.seek(6.25, before: .positiveInfinity, after: .positiveInfinity)
      case .cancel:
        pane.seek(3)
        player.cancelPendingSeeks()
      case .step: player.step(byCount: 2)
      case .stepBack: player.step(byCount: -3)
      case .play: player.play()
      case .playFast: player.rate = 4
      case .playBack: player.rate = -1
      case .pause: player.pause()
      case .resize: pane.request = RenderRequest(box: PixelSize(width: 8, height: 4), gravity: .resize)
      case .hide: pane.request = nil
      case .hideAndShow:
        pane.request = nil
        pane.request = StagePane.request
      case .loop:
        player.loopRange = TimeRange(start: seconds(6), end: seconds(7))
        player.play()
      case .loopElsewhere:
        player.loopRange = TimeRange(start: seconds(1), end: seconds(2))
        player.play()
      case .noLoop: player.actionAtItemEnd = .loop
      case .lessMemory: player.cacheBudget = 0
      case .moreMemory: player.cacheBudget = 1 << 20
      case .take: _ = pane.take(at: stage.clock.now)
      case .anotherItem: pane.load(.constant(count: 50))
      case .time: player.setRate(1, time: seconds(4), atHostTime: stage.clock.now)
      }
    }
  }

  /// The same on a pane that plays, also backwards, from what is cached or from the source.
  @Test(arguments: Call.allCases, [1.0, -1]) func anyCallAtAnyMomentOfPlaying(call: Call, rate: Double) {
    // How many frames are cached at the most, and for how many seconds it has rested before.
    let conditions: [(budget: Int, rest: Double)] = [(0, 0), (0, 2), (100, 0), (100, 2), (2000, 0), (2000, 2)]
    // Each condition comes to moments of its own, and all of them together to every second one.
    for (i, condition) in conditions.enumerated() {
      let (budget, rest) = condition
      for count in stride(from: 1 + (call.rawValue.count + 2 * i) % 12, through: 90, by: 12) {
        let stage = Stage()
        stage.cacheBudget = budget * Self.bytes
        let pane = stage.add(.constant(count: 300, keyEvery: 12))
        stage.settle()
        pane.seek(6.2)
        stage.run(seconds: rest)
        var left = count
        pane.setHook { _, pane in
          left -= 1
          guard left == 0 else { return }
          pane.setHook(nil)
          call.make(pane, stage)
        }
        pane.player.rate = rate
        stage.run(seconds: 1)
        pane.setHook(nil)
        let what = "\(call) at moment \(count) of playing at \(rate), \(budget) frames, after \(rest) s"
        expectRightAtRest(pane, stage, Comment(rawValue: what))
      }
    }
  }
}
