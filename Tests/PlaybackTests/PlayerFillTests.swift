import Playback
import TestSupport
import Testing

/// Decoding around a display at rest.
@Suite(.timeLimit(.minutes(20))) struct PlayerFillTests {
  let stage = Stage()
  private static let frameBytes = 16 * 9 * 3

  private func pane(frames: Int = 2000, keyEvery gop: Int = 250, faults: ScriptedSource.Faults = .init()) -> StagePane {
    stage.cacheBudget = frames * Self.frameBytes
    let pane = stage.add(.constant(count: 2000, keyEvery: gop), faults: faults)
    stage.settle()
    return pane
  }

  /// Numbers of the frames from the first to the last of the range around the displayed one.
  private func cached(_ pane: StagePane) -> ClosedRange<Int> {
    let time = pane.player.currentTime()
    let ranges = pane.player.cachedTimeRanges
    guard let range = ranges.first(where: { $0.start <= time && time < $0.end }) else { return 0...0 }
    return Int((range.start.seconds * 25).rounded())...Int((range.end.seconds * 25).rounded()) - 1
  }

  @Test(arguments: [10, 25, 250]) func bothSidesAreFilled(gop: Int) {
    let pane = pane(keyEvery: gop)
    pane.seek(40.0)
    stage.run(seconds: 0.2)
    #expect(cached(pane).lowerBound >= 1000 - gop && cached(pane).upperBound < 1030)
    stage.run(seconds: 1)
    #expect(cached(pane).lowerBound <= 1000 - 250 && cached(pane).upperBound >= 1000 + 140, "\(cached(pane))")
    // Then there is peace.
    _ = pane.source.takeCalls()
    stage.run(seconds: 20)
    #expect(pane.source.takeCalls().isEmpty)
    // All of it is what it should be.
    for n in (800..<1000).reversed() { #expect(stage.stepped(pane, -1) == n) }
    for n in 801...1100 { #expect(stage.stepped(pane, 1) == n) }
  }

  /// Frames after some that were left out on the way are not cached; filling leaves no gap for them, and goes on before.
  @Test func whereFramesWereLeftOutBothSidesAreFilled() {
    stage.cacheBudget = 2000 * Self.frameBytes
    let panes = (0..<4).map { _ in stage.add(.constant(count: 2000, keyEvery: 250), index: .complete) }
    stage.settle()
    stage.stepNanoseconds = 2_000_000
    for pane in panes { pane.seek(39.96) }
    stage.run(seconds: 15)
    for pane in panes {
      #expect(cached(pane).lowerBound <= 999 - 250 && cached(pane).upperBound >= 999 + 140, "\(cached(pane))")
    }
  }

  /// The frame at which playing stopped is decoded once more, to be at hand for other sizes; what is cached before it is
  /// not scaled again.
  @Test func wherePlayingStoppedNothingIsScaledTwice() {
    let pane = pane()
    pane.player.play()
    stage.run(seconds: 6)
    _ = pane.source.takeCalls()
    pane.player.pause()
    stage.run(seconds: 5)
    let rendered = pane.source.takeCalls().compactMap { if case .render(let number) = $0 { number } else { nil } }
    #expect(rendered.count == Set(rendered).count && !rendered.isEmpty, "\(rendered)")
    #expect(rendered.allSatisfy { $0 >= (pane.numbers.last ?? 0) }, "\(rendered)")
  }

  @Test(arguments: [0.0, 0.1, 1, 5]) func playingGoesOnAtOnce(rest: Double) {
    let pane = pane()
    pane.seek(29.9)
    stage.run(seconds: rest)
    // A group takes nearly as long as it lasts to decode.
    stage.stepNanoseconds = 18_000_000
    pane.shown = []
    pane.player.play()
    stage.run(seconds: 20)
    let numbers = pane.takeShown()
    #expect(numbers == Array(numbers[0]...(numbers.last ?? 0)) && numbers.count >= 498, "\(numbers.count)")
    #expect(pane.player.statistics.dropped == 0)
  }

  @Test func itRestsWhileSomebodyScrubs() {
    let resting = pane(), busy = pane(keyEvery: 10)
    stage.stepNanoseconds = 5_000_000
    resting.seek(20)
    stage.run(seconds: 3)
    busy.seek(10)
    _ = resting.source.takeCalls()
    for n in 1...40 {
      stage.run(seconds: 0.05)
      busy.seek(10 + Double(n))
    }
    #expect(resting.source.takeCalls().count <= 2)
    stage.run(seconds: 20)
    #expect(resting.source.takeCalls().count > 100)
    #expect(cached(resting).lowerBound <= 250 && cached(resting).upperBound >= 640, "\(cached(resting))")
  }

  @Test func playingPanesComeFirst() {
    let playing = pane(), resting = pane()
    stage.settle()
    stage.stepNanoseconds = 15_000_000
    playing.player.play()
    resting.seek(20)
    stage.run(seconds: 10)
    #expect(playing.player.statistics.dropped == 0 && playing.numbers.count >= 245)
    #expect(resting.source.calls.count > 300)
  }

  @Test func whatCannotBeReadAgainStaysWhereItIs() {
    var faults = ScriptedSource.Faults()
    faults.cannotSeek = true
    let pane = pane(faults: faults)
    stage.run(seconds: 10)
    #expect(
      pane.source.calls.allSatisfy {
        switch $0 {
        case .decode, .render: true
        case .seek, .rewind: false
        }
      })
    #expect(cached(pane).upperBound < 20)
  }

  @Test(arguments: [0, 20, 100, 1000]) func withLittleMemory(frames: Int) {
    let pane = pane(frames: frames)
    pane.seek(20)
    stage.run(seconds: 20)
    #expect(pane.player.cacheByteCount <= frames * Self.frameBytes)
    _ = pane.source.takeCalls()
    stage.run(seconds: 20)
    #expect(pane.source.takeCalls().isEmpty)
    for n in (460..<500).reversed() { #expect(stage.stepped(pane, -1) == n) }
  }

  @Test func nearTheEdges() {
    let pane = pane()
    stage.run(seconds: 5)
    #expect(cached(pane).upperBound >= 140)
    pane.seek(.positiveInfinity)
    stage.run(seconds: 5)
    #expect(pane.player.displayedTiming?.number == 1999 && cached(pane).lowerBound <= 1750)
    pane.player.play()
    stage.run(seconds: 1)
    #expect(pane.player.rate == 0 && pane.events.all.contains(.playedToEnd))
  }

  /// A frame from a place that only claims to be right is replaced by the right one, once there is time.
  @Test func whatIsUncertainIsMadeCertain() {
    var faults = ScriptedSource.Faults()
    faults.isUncertain = true
    let pane = pane(keyEvery: 2000, faults: faults)
    stage.stepNanoseconds = 1_000_000
    pane.seek(40)
    stage.runUntilLanded([pane], every: 0.02)
    #expect(pane.player.displayedTiming?.isCertain == false && pane.numbers.last == ScriptedSource.wrong + 1000)
    stage.run(seconds: 10)
    #expect(pane.player.displayedTiming?.isCertain == true && pane.numbers.last == 1000)
    #expect(pane.player.displayedTiming?.number == 1000 && pane.player.currentTime() == seconds(40))
    stage.stepNanoseconds = 0
    for n in (900..<1000).reversed() {
      pane.player.step(byCount: -1)
      stage.settle()
      #expect(pane.numbers.last == n)
    }
  }
}
