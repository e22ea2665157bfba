import Testing

@testable import Playback

/// When the cache is filled around a display that rests.
@Suite(.timeLimit(.minutes(20))) struct FillPolicyTests {
  private let rest: HostTime = 300_000_000

  @Test func nothingIsFilledBeforeTheDisplayHasRested() {
    var fill = FillPolicy()
    #expect(fill.beginHost == nil && !fill.isFilling, "nothing has happened")
    fill.didMove(at: 50)
    #expect(fill.beginHost == 50 + rest && !fill.isFilling)
    fill.didMove(at: 70)
    #expect(fill.beginHost == 70 + rest)
    fill.begin()
    #expect(fill.beginHost == nil && fill.isFilling)
    fill.didMove(at: 90)
    #expect(fill.beginHost == 90 + rest && !fill.isFilling)
  }

  @Test func eachPlaceIsTriedOnceForEachRest() {
    var fill = FillPolicy()
    #expect(fill.tryOnce(at: .zero) == false, "it does not fill")
    fill.didMove(at: 0)
    #expect(fill.tryOnce(at: .zero) == false)
    fill.begin()
    #expect(fill.tryOnce(at: .zero) && !fill.tryOnce(at: .zero) && fill.tryOnce(at: PartFrame.time(1)) && !fill.tryOnce(at: .zero))
    #expect(fill.tryOnce(at: MediaTime(value: 25, timescale: 25)) == false, "the same time")
    fill.didMove(at: 0)
    fill.begin()
    #expect(fill.tryOnce(at: .zero) && fill.tryOnce(at: PartFrame.time(1)))
  }

  @Test func theDisplayedFrameIsKeptOnlyWherePlayingHasStopped() {
    var fill = FillPolicy()
    #expect(!fill.keepsDisplayed)
    fill.didStop(at: 0)
    #expect(fill.keepsDisplayed && fill.beginHost == rest)
    fill.begin()
    #expect(fill.keepsDisplayed)
    // Somebody scrubs elsewhere: it rests for the same reason as before.
    fill.delay(at: 10)
    #expect(fill.keepsDisplayed && !fill.isFilling && fill.beginHost == 10 + rest)
    fill.didMove(at: 20)
    #expect(!fill.keepsDisplayed)
    fill.begin()
    fill.delay(at: 30)
    #expect(!fill.keepsDisplayed && fill.beginHost == 30 + rest)
    fill.didStop(at: 40)
    #expect(fill.keepsDisplayed)
  }

  @Test func whereNothingMoreWasFoundIsNotLookedAgain() {
    var fill = FillPolicy()
    #expect(fill.lookAhead(from: PartFrame.time(3)) && !fill.lookAhead(from: PartFrame.time(3)))
    #expect(fill.exhaustedAt == PartFrame.time(3))
    // Whether the display moves meanwhile is of no account.
    fill.didMove(at: 0)
    #expect(fill.lookAhead(from: PartFrame.time(3)) == false)
    #expect(fill.lookAhead(from: PartFrame.time(2)) && fill.lookAhead(from: PartFrame.time(3)), "the last place counts")
    fill.forgetLookAhead()
    #expect(fill.exhaustedAt == nil && fill.lookAhead(from: PartFrame.time(3)))
  }
}
