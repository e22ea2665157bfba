import Testing

@testable import Playback

/// The pass that the clock plays, and the one being decoded.
@Suite(.timeLimit(.minutes(20))) struct LoopPassesTests {
  @Test func bothStartTogether() {
    let passes = LoopPasses()
    #expect(passes.areTogether && !passes.isDecoderAhead && !passes.isDecoderBehind && passes.next == 1)
  }

  @Test func theDecoderGoesAheadAndComesBack() {
    var passes = LoopPasses()
    passes.decode(passes.next)
    #expect(passes.isDecoderAhead && passes.decoded == 1 && passes.played == 0)
    passes.turn()
    #expect(passes.areTogether && passes.next == 2)
    passes.decode(passes.next)
    passes.rejoin()
    #expect(passes.areTogether && passes.decoded == 1)
  }

  @Test func passesThatTheClockHasFinishedAreLeftOut() {
    var passes = LoopPasses()
    for _ in 0..<3 { passes.turn() }
    #expect(passes.isDecoderBehind && passes.next == 3)
    passes.catchUp()
    #expect(passes.areTogether)
    passes.decode(4)
    passes.catchUp()
    #expect(passes.decoded == 4)
  }
}
