import TestSupport
import Testing

@testable import Playback

/// Shifts of a running clock by a few frames, to stay with a clip that lacks some.
@Suite(.timeLimit(.minutes(20))) struct PlayerShiftTests {
  private let stage = Stage()

  private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 25) }

  @Test func shiftedForwardFramesAreSkipped() {
    let pane = stage.add(.constant(count: 200))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 1)
    let seeks = pane.player.statistics.seeks.count
    pane.player.shift(by: frames(3))
    stage.run(seconds: 1)
    #expect(pane.numbers.contains(25) && !pane.numbers.contains(27) && pane.player.displayedTiming?.number == 53)
    #expect(pane.numbers.suffix(20) == Array(34...53).suffix(20) && pane.player.statistics.seeks.count == seeks)
    #expect(!pane.events.all.contains { if case .timeJumped = $0 { true } else { false } })
  }

  @Test func shiftedBackTheFrameStays() {
    let pane = stage.add(.constant(count: 200))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 1)
    pane.player.shift(by: frames(-3))
    stage.run(seconds: 0.1)
    #expect(pane.player.displayedTiming?.number == 25)
    stage.run(seconds: 0.9)
    // None is shown again, and none is missing.
    #expect(pane.numbers == Array(0...47))
  }

  @Test func atRestNothingMoves() {
    let pane = stage.add(.constant(count: 200))
    stage.settle()
    pane.player.shift(by: frames(3))
    stage.settle()
    #expect(pane.player.currentTime() == .zero && pane.numbers == [0])
  }
}
