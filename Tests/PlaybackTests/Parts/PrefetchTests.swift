import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct PrefetchTests {
  @Test func aStretchIsThroughBehindItsTarget() {
    var prefetch = Prefetch(.filling, to: PartFrame.time(5))
    #expect(prefetch.move == .seek(PartFrame.time(5), .withFreshDecoder))
    prefetch.didMove()
    #expect(prefetch.move == nil && !prefetch.needsSeek)
    let verdicts = [5, 6].map { prefetch.didDecode(PartFrame.timing($0)) }
    #expect(verdicts == [.inside, .past])
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

  /// As a seek does that comes out behind its target.
  @Test func whereTheSourceComesOutBehindItBeginsFurtherBack() {
    var prefetch = Prefetch(.goingBack, to: seconds(40))
    let late = PartFrame.timing(2000)
    #expect(late.pts > prefetch.target)
    for place in [39.0, 35, 15] {
      prefetch.didMove()
      let verdict = prefetch.didDecode(late)
      #expect(verdict == .again && prefetch.move == .seek(seconds(place), .withFreshDecoder))
    }
    prefetch.didMove()
    let beginsAgain = prefetch.didReachEnd()
    #expect(beginsAgain && prefetch.move == .rewind)
    prefetch.didMove()
    let (verdict, beginsOnceMore) = (prefetch.didDecode(late), prefetch.didReachEnd())
    #expect(verdict == .past && !beginsOnceMore, "nothing lies before")
  }

  @Test func whereNobodyWaitsOrSomethingHasComeItDoesNot() {
    var prefetch = Prefetch(.filling, to: seconds(40))
    prefetch.didMove()
    let unawaited = (prefetch.didDecode(PartFrame.timing(2000)), prefetch.didReachEnd())
    #expect(unawaited == (.past, false))
    prefetch = Prefetch(.goingBack, to: seconds(40))
    prefetch.didMove()
    let verdicts = [5, 2000].map { prefetch.didDecode(PartFrame.timing($0)) }
    let beginsAgain = prefetch.didReachEnd()
    #expect(verdicts == [.inside, .past] && !beginsAgain)
  }

  @Test func itGoesOnFromWhereTheSourceIs() {
    var prefetch = Prefetch(.filling, to: PartFrame.time(5))
    prefetch.decodeOn()
    #expect(prefetch.move == nil)
    prefetch.becomeAwaited()
    #expect(prefetch.reason == .goingBack && prefetch.target == PartFrame.time(5))
  }
}
