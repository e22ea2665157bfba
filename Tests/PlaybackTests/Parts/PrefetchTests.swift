import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(10))) struct PrefetchTests {
  @Test func aStretchIsThroughBehindItsTarget() {
    var prefetch = Prefetch(.filling, to: PartFrame.time(5))
    #expect(prefetch.move == .seek(PartFrame.time(5), []))
    prefetch.didMove()
    #expect(prefetch.move == nil && !prefetch.needsSeek)
    #expect(!prefetch.isPast(PartFrame.timing(5)) && prefetch.isPast(PartFrame.timing(6)))
  }

  @Test func itBeginsWhereDecodingIsRightIfItMust() {
    #expect(
      Prefetch(.filling, to: PartFrame.time(5), mustBeCertain: true).move == .seek(PartFrame.time(5), .mustBeCertain))
    #expect(Prefetch(.goingBack, to: .zero).move == .rewind)
  }

  @Test func whereTheSourceCannotGoItBeginsAtTheBeginning() {
    var prefetch = Prefetch(.goingBack, to: PartFrame.time(5))
    prefetch.moveDidFail()
    #expect(prefetch.move == .rewind && prefetch.needsSeek)
    prefetch.didMove()
    #expect(prefetch.move == nil)
  }

  @Test func itGoesOnFromWhereTheSourceIs() {
    var prefetch = Prefetch(.filling, to: PartFrame.time(5))
    prefetch.decodeOn()
    #expect(prefetch.move == nil)
    prefetch.becomeAwaited()
    #expect(prefetch.reason == .goingBack && prefetch.target == PartFrame.time(5))
  }
}
