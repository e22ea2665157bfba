import Pixels
import TestSupport
import Testing

@testable import Playback

/// Looking at a player's frames: in other sizes, from several places, without decoding more than is needed.
@Suite(.timeLimit(.minutes(20))) struct VideoOutputTests {
  let stage = Stage()
  private static let small = RenderRequest(box: PixelSize(width: 4, height: 4), gravity: .resize)
  private static let large = RenderRequest(box: PixelSize(width: 32, height: 18), gravity: .resize)

  /// A pane that is paused amid a group of frames, with its source at rest.
  private func pausedPane(_ number: Int = 137) -> StagePane {
    let pane = stage.add(.constant(count: 400, keyEvery: 200))
    stage.settle()
    pane.seek(pane.script.frames[number].pts)
    stage.settle()
    _ = (pane.source.takeCalls(), pane.takeShown())
    return pane
  }

  @Test func resizingWhilePausedDecodesNothing() {
    let pane = pausedPane()
    for request in [Self.small, Self.large, RenderRequest(box: PixelSize(width: 16, height: 9), gravity: .resizeAspectFill)] {
      pane.request = request
      stage.settle()
      #expect(pane.source.takeCalls() == [.render(137)])
      #expect(pane.takeShown() == [137])
    }
    #expect(pane.player.currentTime() == pane.script.frames[137].pts)
  }

  /// Whatever changes: the region, the shape of the cells, how the frame fills its box.
  @Test func anotherRegionShapeOrGravityOfAKeptFrameDecodesNothing() {
    let pane = pausedPane()
    let requests = [
      RenderRequest(box: Self.small.box, region: FrameRegion(x: 0.25, y: 0.25, width: 0.5, height: 0.5)),
      RenderRequest(box: Self.small.box, pixelAspect: 0.5), RenderRequest(box: Self.small.box, gravity: .resizeAspectFill),
    ]
    for request in requests {
      _ = (pane.source.takeCalls(), pane.takeShown())
      pane.request = request
      stage.settle()
      #expect(pane.source.takeCalls() == [.render(137)] && pane.takeShown() == [137])
    }
  }

  /// As where one pane of several is zoomed to: the others go, and come back in their former size or another.
  @Test(arguments: [small, large, StagePane.request])
  func hidingAndShowingAgainWhilePausedDecodesNothing(request: RenderRequest) {
    let pane = pausedPane()
    pane.request = nil
    stage.run(seconds: 0.1)
    #expect(pane.takeWork() == StagePane.Work())
    pane.request = request
    stage.settle()
    let work = pane.takeWork()
    #expect(work.moves == 0 && work.decodes == 0 && work.renders == (request == StagePane.request ? 0 : 1))
    #expect(pane.player.displayedTiming?.number == 137 && !pane.player.isSeeking)
    if request != StagePane.request { #expect(pane.shown.last?.number == 137 && pane.shown.last?.size == request.box) }
  }

  @Test func theFirstFrameIsKeptDecodedToo() {
    let pane = stage.add(.constant(count: 400, keyEvery: 200))
    stage.settle()
    _ = (pane.source.takeCalls(), pane.takeShown())
    pane.request = Self.small
    stage.settle()
    #expect(pane.source.takeCalls() == [.render(0)] && pane.takeShown() == [0])
  }

  @Test func aFrameFromTheCacheIsDecodedOnceForAnotherSize() {
    stage.cacheBudget = 1 << 20
    let pane = pausedPane()
    pane.player.step(byCount: -1)
    pane.player.step(byCount: -1)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 135)
    _ = (pane.source.takeCalls(), pane.takeShown())
    pane.request = Self.small
    stage.settle()
    #expect(pane.shown.last?.number == 135 && pane.shown.last?.size == Self.small.box)
    // From its keyframe, once, and some frames behind the target for the queue.
    let work = pane.takeWork()
    #expect(work.moves == 1 && work.decodes < 160, "\(work)")
    // From now on it is kept.
    pane.request = Self.large
    stage.settle()
    #expect(pane.takeWork().decodes == 0 && pane.shown.last?.size == Self.large.box)
  }

  @Test func restingKeepsAFrameOfPlayingDecoded() {
    stage.cacheBudget = 1 << 20
    let pane = stage.add(.constant(count: 400, keyEvery: 200))
    pane.player.play()
    stage.run(seconds: 5)
    pane.player.pause()
    stage.run(seconds: 5)
    _ = (pane.source.takeCalls(), pane.takeShown())
    let number = pane.player.displayedTiming?.number
    pane.request = Self.small
    #expect(stage.pool.runNextStep())
    #expect(pane.source.takeCalls() == number.map { [.render($0)] })
  }

  /// Each step would cost decoding a group of frames that are cached.
  @Test func restingOnACachedFrameDecodesNothing() {
    stage.cacheBudget = 1 << 20
    let pane = pausedPane()
    stage.run(seconds: 5)
    pane.player.step(byCount: -1)
    stage.run(seconds: 5)
    _ = pane.source.takeCalls()
    for _ in 0..<5 {
      pane.player.step(byCount: -1)
      stage.run(seconds: 2)
    }
    #expect(pane.source.takeCalls() == [] && pane.player.displayedTiming?.number == 131)
  }

  @Test func stepsAfterAnotherSizeHaveThatSize() {
    let pane = pausedPane()
    pane.request = Self.small
    stage.settle()
    for n in 1...5 {
      #expect(stage.stepped(pane, 1) == 137 + n)
      #expect(pane.shown.last?.size == Self.small.box && pane.shown.last?.number == 137 + n)
    }
    for n in (0..<5).reversed() {
      #expect(stage.stepped(pane, -1) == 137 + n)
      #expect(pane.shown.last?.size == Self.small.box && pane.shown.last?.number == 137 + n)
    }
  }

  @Test func playingAfterAnotherSizeLosesNothing() {
    let pane = pausedPane()
    pane.request = Self.small
    stage.settle()
    pane.shown = []
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(138...187) && pane.player.statistics.dropped == 0)
    #expect(pane.shown.last?.size == Self.small.box)
  }

  @Test func twoOutputsShowTheSameFrameOfOneDecode() throws {
    let pane = stage.add(.constant(count: 100))
    let second = VideoOutput(pane.player, request: Self.small)
    stage.settle()
    _ = pane.source.takeCalls()
    var seen: [Int] = []
    pane.player.play()
    for _ in 0..<100 {
      stage.run(seconds: 0.02)
      guard let (frame, _) = second.copyFrame(at: stage.clock.now) else { continue }
      #expect(frame.image.size == Self.small.box && ScriptedSource.number(in: frame.image) == frame.timing.number)
      #expect(frame.timing.number == pane.numbers.last)
      seen.append(frame.timing.number)
    }
    #expect(seen == Array(0...50) && pane.numbers == Array(0...50))
    // Scaled once for each, decoded once for both.
    let work = pane.takeWork()
    #expect(work.renders == 2 * work.decodes)
  }

  @Test func twoOutputsOfOneSizeShareItsImages() {
    let pane = stage.add(.constant(count: 100))
    let second = VideoOutput(pane.player, request: StagePane.request)
    stage.settle()
    _ = pane.source.takeCalls()
    pane.seek(2)
    stage.settle()
    let work = pane.takeWork()
    #expect(work.renders <= work.decodes)
    #expect(second.copyFrame(at: stage.clock.now)?.frame.timing.number == 50)
    #expect(second.copyFrame(at: stage.clock.now) == nil && !second.hasNewFrame)
  }

  @Test func anOutputThatGoesOrHidesLeavesTheOtherItsFrames() {
    let pane = stage.add(.constant(count: 100))
    var second: VideoOutput? = VideoOutput(pane.player, request: Self.small)
    pane.player.play()
    stage.run(seconds: 1)
    #expect(second?.hasNewFrame == true)
    second?.request = nil
    stage.run(seconds: 0.4)
    #expect(second?.copyFrame(at: stage.clock.now) == nil)
    second = nil
    stage.run(seconds: 0.6)
    #expect(pane.numbers == Array(0...50) && pane.player.statistics.dropped == 0)
  }

  @Test func askingForANewFrameChangesNothing() {
    let pane = stage.add(.constant(count: 100))
    let second = VideoOutput(pane.player, request: Self.small)
    #expect(!second.hasNewFrame)
    stage.settle()
    for _ in 0..<3 { #expect(second.hasNewFrame) }
    #expect(second.copyFrame(at: stage.clock.now)?.frame.timing.number == 0)
    #expect(!second.hasNewFrame && second.nextFrameTime(after: stage.clock.now) == nil)
  }

  @Test func aSeekToACachedFrameHasLandedOnReturn() {
    stage.cacheBudget = 1 << 20
    let pane = pausedPane()
    stage.run(seconds: 2)
    _ = pane.source.takeCalls()
    pane.seek(pane.script.frames[140].pts)
    #expect(pane.seeks.all.last?.result == .finished && !pane.player.isSeeking)
    #expect(pane.player.displayedTiming?.number == 140)
    #expect(pane.source.takeCalls().isEmpty)
  }

  /// While it plays the source goes to where the cached frames end, and playing goes on at once.
  @Test func aSeekToACachedFrameWhilePlayingHasLandedOnReturn() {
    stage.cacheBudget = 1 << 20
    let pane = pausedPane()
    stage.run(seconds: 5)
    pane.player.play()
    stage.run(seconds: 0.4)
    _ = (pane.takeWork(), pane.takeShown())
    pane.seek(pane.script.frames[100].pts)
    #expect(pane.seeks.all.last?.result == .finished && !pane.player.isSeeking)
    #expect(pane.player.displayedTiming?.number == 100 && pane.takeWork() == StagePane.Work())
    #expect(pane.player.timeControlStatus == .playing)
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(100...150) && pane.player.statistics.dropped == 0)
  }
}
