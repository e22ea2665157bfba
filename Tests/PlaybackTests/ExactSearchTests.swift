import Pixels
import TestSupport
import Testing

@testable import Playback

/// Where a search for a frame goes, and what it makes of the frames that come, without a source.
@Suite(.timeLimit(.minutes(20))) struct ExactSearchTests {
  private func known(
    canSeek: Bool = true, timeline: PresentationTimeline? = nil, isScanned: Bool = false
  ) -> ExactSearch.Knowledge {
    ExactSearch.Knowledge(
      info: SourceInfo(
        presentationSize: PixelSize(width: 16, height: 9), duration: time(100), nominalFrameRate: 25,
        canSeek: canSeek),
      timeline: timeline, isScanned: isScanned)
  }

  private func time(_ frame: Int64) -> MediaTime { MediaTime(value: frame, timescale: 25) }

  private func frame(_ number: Int, endIsExact: Bool = false, isCertain: Bool = true) -> FrameTiming {
    var timing = FrameTiming(
      pts: time(Int64(number)), duration: time(1), originalPTS: Int64(number), number: number, endIsExact: endIsExact)
    timing.isCertain = isCertain
    return timing
  }

  private func exact(_ frame: Int64) -> ExactSearch.Target { .time(TimeTarget(time: time(frame))) }

  @Test func waitsForTheNextFrameToKnowTheEnd() {
    var search = ExactSearch()
    #expect(search.begin(exact(50), known()) == .seek(time(50), .mustBeCertain))
    search.didSeek()
    #expect(search.didDecode(frame(48), known()) == .decode)
    #expect(search.didDecode(frame(50), known()) == .decode)
    #expect(search.didDecode(frame(51), known()) == .previous)
  }

  @Test func anExactEndIsEnough() {
    var search = ExactSearch()
    _ = search.begin(exact(50), known())
    search.didSeek()
    #expect(search.didDecode(frame(49, endIsExact: true), known()) == .decode)
    #expect(search.didDecode(frame(50, endIsExact: true), known()) == .latest)
    // What comes soon after is decoded on to, what has come out already needs nothing.
    search.end()
    #expect(search.begin(exact(52), known()) == .decode)
    #expect(search.didDecode(frame(52, endIsExact: true), known()) == .latest)
    search.end()
    #expect(search.begin(exact(52), known()) == .latest)
    search.end()
    #expect(search.begin(exact(20), known()) == .seek(time(20), .mustBeCertain))
  }

  @Test func beginsEarlierWhereASeekLedBehindTheTarget() {
    var search = ExactSearch()
    _ = search.begin(exact(90), known())
    search.didSeek()
    #expect(search.didDecode(frame(91), known()) == .seek(time(65), .mustBeCertain))
    search.didSeek()
    #expect(search.didDecode(frame(95), known()) == .rewind)
    search.didRewind()
    // Before the first frame there is none: it is shown for all times before it.
    #expect(search.didDecode(frame(91), known()) == .latest)
  }

  @Test func theLastFrameHoldsAllTimesBehindIt() {
    var search = ExactSearch()
    _ = search.begin(exact(99), known())
    search.didSeek()
    #expect(search.didDecode(frame(90), known()) == .decode)
    #expect(search.didReachEnd(known()) == .latest)
  }

  @Test func nothingAtAllIsAFailureOnlyFromTheBeginning() {
    var search = ExactSearch()
    _ = search.begin(exact(10), known())
    search.didSeek()
    #expect(search.didReachEnd(known()) == .rewind)
    search.didRewind()
    guard case .failure(let error) = search.didReachEnd(known()) else {
      Issue.record("a clip without frames has one")
      return
    }
    #expect(error.reason == .nothingDecodable)
  }

  @Test func toleranceTakesWhatReachesIntoIt() {
    var search = ExactSearch()
    let target = ExactSearch.Target.time(TimeTarget(time: time(50), before: time(5), after: time(5)))
    #expect(search.begin(target, known()) == .seek(time(50), []))
    search.didSeek()
    #expect(search.didDecode(frame(40), known()) == .decode)
    #expect(search.didDecode(frame(45), known()) == .latest)
    search.fail(known())
    _ = search.begin(target, known())
    search.didSeek()
    #expect(search.didDecode(frame(53), known()) == .latest)
  }

  @Test func anUncertainFrameIsSoughtAgainForAWhile() {
    var search = ExactSearch()
    _ = search.begin(exact(50), known())
    for _ in 0..<4 {
      search.didSeek()
      #expect(
        search.didDecode(frame(50, endIsExact: true, isCertain: false), known()) == .seek(time(50), .mustBeCertain))
    }
    search.didSeek()
    #expect(search.didDecode(frame(50, endIsExact: true, isCertain: false), known()) == .latest)
  }

  @Test func whatCanBeReadOnceGoesOnOnly() {
    var search = ExactSearch()
    let pipe = known(canSeek: false)
    #expect(search.begin(exact(50), pipe) == .rewind)
    search.didRewind()
    #expect(search.didDecode(frame(50), pipe) == .decode)
    #expect(search.didDecode(frame(51), pipe) == .previous)
    search.end()
    #expect(search.begin(exact(90), pipe) == .decode)
    search.fail(pipe)
    guard case .failure = search.begin(exact(10), pipe) else {
      Issue.record("a pipe went back")
      return
    }
  }

  @Test func framesAreCountedWhereNoTimelineNumbersThem() {
    var search = ExactSearch()
    #expect(search.begin(.number(2), known()) == .rewind)
    search.didRewind()
    #expect(search.didDecode(frame(0), known()) == .decode)
    #expect(search.didDecode(frame(1), known()) == .decode)
    #expect(search.didDecode(frame(2), known()) == .latest)
    search.end()
    #expect(search.begin(.number(4), known()) == .decode)
    #expect(search.didDecode(frame(3), known()) == .decode)
    #expect(search.didReachEnd(known()) == .failure(.noSuchFrame(of: 4)))
  }

  @Test func withoutAnOrderOnlyADecodeOfAllTells() {
    var search = ExactSearch()
    #expect(search.begin(exact(50), known(isScanned: true)) == .rewind)
    search.didRewind()
    #expect(search.didDecode(frame(0), known(isScanned: true)) == .decode)
    #expect(search.didDecode(frame(51), known(isScanned: true)) == .previous)
  }
}
