import Playback
import TestSupport
import Testing

/// A player whose source tells of its frames' times: all, some, wrongly, later.
@Suite(.timeLimit(.minutes(20))) struct PlayerIndexTests {
  private static let kinds: [IndexScript] = [
    .none, .coming, .complete, .partlyWrong(times: [30, 31, 55], randomAccess: [12, 20, 60]), .decoded,
  ]

  private func load(_ pane: StagePane, _ kind: IndexScript) -> ScriptedSource {
    pane.load(.constant(count: 100), index: kind)
    return pane.source
  }

  @Test(arguments: kinds) func showsTheRightFrames(kind: IndexScript) {
    let stage = Stage()
    stage.cacheBudget = 1 << 20
    let pane = stage.add(nil)
    let source = load(pane, kind)
    stage.settle()
    var known = 0
    for number in [80, 3, 30, 31, 55, 54, 12, 99, 0] {
      if kind == .coming {
        known += 20
        source.publishIndex(first: known)
        if known == 100 { source.finishIndex() }
      }
      pane.seek(pane.script.frames[number].pts)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == number)
      #expect(pane.shown.last?.number == number)
      // What was told wrongly shows, and is put right.
      if source.index?.orderIsUnreliable == true, source.index?.hasEnded == false { source.finishIndex(origin: .decode) }
      #expect(stage.stepped(pane, 1) == min(99, number + 1))
      #expect(stage.stepped(pane, -1) == max(0, min(99, number + 1) - 1))
    }
    #expect(pane.seeks.all.allSatisfy { $0.result == .finished })
  }

  /// A decode that has told the order is not asked for again with each frame.
  @Test func theCacheOutlivesARefutedOrder() throws {
    let stage = Stage()
    stage.cacheBudget = 1 << 20
    let pane = stage.add(nil)
    let source = load(pane, .partlyWrong(times: [60], randomAccess: []))
    stage.settle()
    // A source takes its index over when it goes elsewhere.
    pane.seek(2)
    stage.settle()
    pane.player.rate = 1
    stage.run(seconds: 0.5)
    let index = try #require(source.index)
    #expect(index.orderIsUnreliable && index.timeline == nil)
    source.finishIndex(origin: .decode)
    stage.run(seconds: 1)
    // Frames that were shown since are still there to go back to.
    let now = try #require(pane.player.displayedTiming?.pts)
    #expect(pane.player.cachedTimeRanges.contains { $0.start < now - seconds(0.8) && now < $0.end })
  }

  /// A source that guesses where to begin may begin far before the target. Where it began right, the way is not gone twice,
  /// also if the index comes before its first frame.
  @Test(arguments: [(500, 0.2, 2), (0, 0.2, 1), (500, 0.02, 2), (0, 0.02, 1)])
  func anIndexThatComesOnTheWayShortensIt(earlier: Int, after delay: Double, moves: Int) {
    let stage = Stage()
    let pane = stage.add(nil)
    var faults = ScriptedSource.Faults()
    faults.guessesEarlierBy = earlier
    pane.load(.constant(count: 1000, keyEvery: 100), faults: faults, index: .coming)
    pane.seek(pane.script.frames[850].pts)
    stage.stepNanoseconds = 10_000_000
    stage.run(seconds: delay)
    pane.source.finishIndex()
    stage.run(seconds: 3)
    let calls = pane.source.takeCalls()
    #expect(calls.count { if case .seek = $0 { true } else { false } } == moves)
    #expect(calls.count { if case .decode = $0 { true } else { false } } < 100)
    #expect(pane.player.displayedTiming?.number == 850 && pane.seeks.all.map(\.result) == [.finished])
  }

  // MARK: - Numbers and times

  /// Numbers lead to times, and times to frames, as far as they are known.
  @Test func timesOfFramesComeWithTheIndex() {
    let stage = Stage()
    let pane = stage.add(nil)
    let player = pane.player
    func time(_ number: Int) -> Double? { player.time(ofFrame: number)?.seconds }
    #expect(player.frameIndex == nil && time(3) == nil && player.timing(at: .zero) == nil)
    pane.load(.variable([0, 40, 100, 1000], end: 1500), index: .coming)
    stage.settle()
    #expect(player.frameIndex === pane.source.index && time(2) == nil)
    #expect(player.timing(at: .zero)?.number == 0 && player.timing(at: seconds(0.05)) == nil)
    pane.source.publishIndex(first: 3)
    #expect(time(2) == 0.1 && time(3) == nil && player.timing(at: seconds(0.05))?.number == 1)
    #expect(player.timing(at: seconds(1.2)) == nil)
    pane.source.finishIndex()
    #expect(time(3) == 1 && time(-5) == 0 && time(99) == 1)
    #expect(player.timing(at: seconds(1.2))?.number == 3 && player.timing(at: seconds(1.5)) == nil)
    stage.settle()
    #expect(pane.events.all.count { $0 == .framesIndexed } == 1)
  }

  /// Without an index the middle of the frame is worked out from the frame rate.
  @Test func timesOfFramesWithoutAnIndex() {
    let stage = Stage()
    let pane = stage.add(.constant(count: 100))
    stage.settle()
    #expect(pane.player.frameIndex == nil)
    #expect(pane.player.time(ofFrame: 10) == seconds(10.5 / 25) && pane.player.time(ofFrame: -1) == seconds(0.02))
    pane.load(.variable([0, 40], end: 100))
    stage.settle()
    #expect(pane.player.time(ofFrame: 1) == nil)
  }

  // MARK: - What a decode tells

  private func events(_ pane: StagePane, _ event: PlayerEvent) -> Int { pane.events.all.count { $0 == event } }

  /// Times that a frame refutes are forgotten; numbers, ends and the length come of the decode then.
  @Test(arguments: [false, true]) func whatADecodeTellsTakesThePlaceOfWhatWasRefuted(isPlaying: Bool) throws {
    let stage = Stage()
    stage.cacheBudget = 1 << 20
    let pane = stage.add(nil)
    var script = FrameScript.constant(count: 100)
    script.announcedDuration = seconds(3.9)
    var faults = ScriptedSource.Faults()
    faults.numbersAreGuesses = true
    pane.load(script, faults: faults, index: .partlyWrong(times: [60], randomAccess: []))
    stage.settle()
    #expect(events(pane, .framesIndexed) == 1)
    // A source takes its index over when it goes elsewhere, and decodes ahead up to the frame that refutes it.
    pane.seek(2)
    stage.settle()
    let index = try #require(pane.source.index)
    #expect(index.orderIsUnreliable && index.timeline == nil && !index.hasEnded)
    #expect(events(pane, .framesIndexed) == 2 && pane.player.displayedTiming?.numberIsExact == false)
    if isPlaying { pane.player.play() }
    stage.run(seconds: 0.1)
    pane.source.finishIndex(origin: .decode)
    stage.run(seconds: 0.1)
    #expect(events(pane, .framesIndexed) == 3 && events(pane, .durationChanged(seconds(4))) == 1)
    #expect(pane.player.duration == seconds(4))
    let timing = try #require(pane.player.displayedTiming)
    #expect(timing.numberIsExact && timing.number == (isPlaying ? 55 : 50))
    #expect(stage.stepped(pane, 7) == timing.number + 7 && stage.stepped(pane, -9) == timing.number - 2)
  }

  /// Where the data ends long before what the file announces, a decode tells so before playing has come there.
  @Test(arguments: [IndexScript.decoded, .complete]) func theEndIsKnownBeforeItIsPlayedTo(kind: IndexScript) {
    let stage = Stage()
    let pane = stage.add(nil)
    var script = FrameScript.constant(count: 100)
    script.announcedDuration = seconds(8)
    pane.load(script, index: kind)
    stage.settle()
    let told = PlayerEvent.endedEarly(at: seconds(4), announced: seconds(8))
    #expect(events(pane, told) == (kind == .decoded ? 1 : 0) && pane.player.duration == seconds(8))
    pane.player.play()
    stage.run(seconds: 5)
    #expect(events(pane, told) == 1 && pane.player.duration == seconds(4) && events(pane, .playedToEnd) == 1)
  }

  // MARK: - Decoding

  /// More panes than there are workers, so that frames are left out, with decoders that hold back many.
  private func panesThatHoldBack(on stage: Stage) -> [StagePane] {
    var faults = ScriptedSource.Faults()
    faults.holdsBack = 30
    let panes = (0..<4).map { _ in stage.add(.constant(count: 1000, keyEvery: 250), faults: faults, index: .complete) }
    stage.settle()
    stage.stepNanoseconds = 5_000_000
    return panes
  }

  /// A decoder that holds back more frames than is usual loses the target with what is left out on the way: it is decoded again.
  @Test func aTargetThatWasLeftOutIsDecodedAgain() {
    let stage = Stage()
    let panes = panesThatHoldBack(on: stage)
    for target in [491, 741, 241] {
      for pane in panes {
        _ = pane.source.takeCalls()
        pane.seek(pane.script.frames[target].pts)
      }
      stage.runUntilLanded(panes)
      stage.run(seconds: 0.1)
      #expect(panes.allSatisfy { $0.player.displayedTiming?.number == target && $0.numbers.last == target })
      let seeks = panes.map { $0.source.takeCalls().count { if case .seek = $0 { true } else { false } } }
      #expect(seeks.contains(2) && seeks.allSatisfy { $0 <= 2 }, "\(seeks)")
    }
  }

  /// So it is where the target is the last frame.
  @Test func theLastFrameThatWasLeftOutIsDecodedAgain() {
    let stage = Stage()
    let panes = panesThatHoldBack(on: stage)
    for pane in panes { pane.seek(pane.script.frames[999].pts) }
    stage.runUntilLanded(panes)
    stage.run(seconds: 1)
    #expect(panes.map { $0.player.displayedTiming?.number } == [999, 999, 999, 999])
    #expect(panes.allSatisfy { $0.player.duration == seconds(40) })
  }

  /// Frames that a late display has missed on the way back are counted, whether their numbers are known or guessed.
  @Test(arguments: [false, true]) func whatIsPassedOnTheWayBackIsCounted(numbersAreGuesses: Bool) {
    let stage = Stage()
    stage.cacheBudget = 2000 * 432
    var faults = ScriptedSource.Faults()
    faults.numbersAreGuesses = numbersAreGuesses
    let pane = stage.add(.constant(count: 400, keyEvery: 50), faults: faults)
    stage.settle()
    pane.seek(15)
    stage.run(seconds: 3)
    pane.shown = []
    pane.player.rate = -1
    stage.run(seconds: 1)
    stage.clock.advance(bySeconds: 2)
    stage.run(seconds: 3)
    let numbers = pane.numbers
    #expect(numbers == numbers.sorted(by: >) && pane.player.statistics.dropped > 40)
    #expect(pane.player.statistics.dropped == 375 - (numbers.last ?? 0) - numbers.count, "\(numbers)")
  }

  /// With all keyframes known, a player that is hopelessly late goes to the one nearest to the present.
  @Test func aLatePlayerMeetsKeyFramesThatTheIndexTells() {
    let stage = Stage()
    let pane = stage.add(.constant(count: 3000, keyEvery: 200), index: .complete)
    stage.settle()
    pane.player.play()
    stage.stepNanoseconds = 130_000_000
    stage.run(seconds: 60)
    // However late, several are shown each second, and the clock is true.
    #expect(pane.player.currentTime() == seconds(60) && pane.numbers.count > 100, "\(pane.numbers.count)")
    #expect(pane.numbers == pane.numbers.sorted())
    stage.stepNanoseconds = 1_000_000
    stage.run(seconds: 3)
    pane.expectPresentFrame()
  }
}
