import Testing

@testable import Playback

/// The pace of frames shown on the way to another.
@Suite(.timeLimit(.minutes(20))) struct PreviewPacingTests {
  private let millisecond: HostTime = 1_000_000

  /// Returns a search for 100 s on which `passed` frames came out, from host time 0 on.
  private func search(passed: Int, isPreviewed: Bool = false) -> TargetSearch {
    var search = TargetSearch(.seek, to: PartFrame.time(100))
    search.didMove()
    for n in 0..<passed { _ = search.didDecode(PartFrame.timing(n), isDiscarded: false, at: HostTime(n) * millisecond) }
    if isPreviewed { search.didPreview() }
    return search
  }

  @Test func theFirstOneIsDueAtOnceAndOthersAfterAPause() {
    var pacing = PreviewPacing()
    #expect(pacing.isDue(search(passed: 0), at: 0) && pacing.isDue(search(passed: 0, isPreviewed: true), at: 0))
    pacing.didShow(at: 1000 * millisecond)
    #expect(pacing.isDue(search(passed: 0), at: 1000 * millisecond))
    let shown = search(passed: 0, isPreviewed: true)
    #expect(!pacing.isDue(shown, at: 1059 * millisecond) && pacing.isDue(shown, at: 1060 * millisecond))
    // A moment that was taken before.
    #expect(!pacing.isDue(shown, at: 900 * millisecond))
  }

  @Test func aWayIsLongByWhatIsLeftOfItAtItsPace() {
    let pacing = PreviewPacing()
    // Eleven frames took 60 ms: 6 ms each.
    let way = search(passed: 11)
    func isLong(_ left: Double, askedAt: HostTime = 0) -> Bool {
      pacing.isLong(way, left: left, askedAt: askedAt, hasDisplayed: true, at: 60 * millisecond)
    }
    #expect(isLong(17) && !isLong(16) && !isLong(0) && !isLong(-100))
    #expect(isLong(17, askedAt: 10 * millisecond) && !isLong(17, askedAt: 11 * millisecond), "it may land soon")
  }

  @Test func whereNothingIsDisplayedTheWayNeedNotHaveTakenLong() {
    let pacing = PreviewPacing()
    let way = search(passed: 2)
    #expect(pacing.isLong(way, left: 1000, askedAt: 0, hasDisplayed: false, at: millisecond))
    #expect(!pacing.isLong(way, left: 1000, askedAt: 0, hasDisplayed: true, at: millisecond))
  }

  @Test func noPaceIsKnownBeforeTwoFramesAndOnePreviewIsEnough() {
    let pacing = PreviewPacing()
    for passed in [0, 1] {
      #expect(!pacing.isLong(search(passed: passed), left: .infinity, askedAt: 0, hasDisplayed: false, at: 1 << 40))
    }
    let shown = search(passed: 11, isPreviewed: true)
    #expect(!pacing.isLong(shown, left: .infinity, askedAt: 0, hasDisplayed: false, at: 1 << 40))
  }
}
