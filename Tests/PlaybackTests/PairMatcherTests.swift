import Pixels
@testable import Playback
import Testing

@Suite(.timeLimit(.minutes(20))) struct PairMatcherTests {
  private let request = RenderRequest(box: PixelSize(width: 4, height: 4))

  private func frame(_ number: Int64, rate: Int32 = 25, approximate: Bool = false, for other: RenderRequest? = nil) -> RenderedFrame {
    let timing = FrameTiming(
      pts: MediaTime(value: number, timescale: rate), duration: MediaTime(value: 1, timescale: rate), number: Int(number))
    var frame = RenderedFrame(
      image: PixelImage(size: PixelSize(width: 1, height: 1)) { _ in }, rect: PixelRect(size: PixelSize(width: 1, height: 1)),
      request: other ?? request, timing: timing)
    frame.isApproximate = approximate
    return frame
  }

  private func matcher() -> PairMatcher {
    var matcher = PairMatcher()
    matcher.setRequests(first: request, second: request)
    return matcher
  }

  private func playing(_ seconds: Double, rate: Double = 1) -> PairMatcher.Moment {
    .init(media: Int64(seconds * 1e9), rate: rate, resting: nil)
  }

  private func resting(_ number: Int64, rate: Int32 = 25) -> PairMatcher.Moment {
    let time = MediaTime(value: number, timescale: rate)
    return .init(media: Int64(time.seconds * 1e9), rate: 0, resting: time)
  }

  private func numbers(_ pair: FramePair?) -> [Int]? { pair.map { [$0.first.timing.number, $0.second.timing.number] } }

  @Test func aFrameAloneIsNotShown() {
    var matcher = matcher()
    matcher.add(first: (frame(3), 0), second: nil)
    #expect(matcher.takePair(playing(0.12), playing(0.12)) == nil)
    matcher.add(first: nil, second: (frame(2), 0))
    #expect(matcher.takePair(playing(0.12), playing(0.12)) == nil)
    matcher.add(first: nil, second: (frame(3), 5))
    let pair = matcher.takePair(playing(0.13), playing(0.13))
    #expect(numbers(pair) == [3, 3] && pair?.due == 5)
    #expect(matcher.takePair(playing(0.13), playing(0.13)) == nil)
  }

  @Test func theClocksTellTheDistance() {
    var matcher = matcher()
    matcher.add(first: (frame(3), 0), second: nil)
    matcher.add(first: nil, second: (frame(3), 0))
    matcher.add(first: nil, second: (frame(53), 0))
    #expect(numbers(matcher.takePair(playing(0.12), playing(2.12))) == [3, 53])
  }

  /// Frames with one number are paired whatever the clocks tell, and frames without one never while they run.
  @Test func numbersTellThePartners() {
    var matcher = matcher()
    let times = (0..<10).map { Int64($0) * 40_000_000 }
    matcher.numberings = (
      FrameNumbering(times: times, numbers: Array(0..<10)), FrameNumbering(times: times, numbers: [0, 1, 4, 5, nil, 6, 7, 8, 9, nil])
    )
    matcher.add(first: (frame(4), 0), second: (frame(1), 0))
    #expect(matcher.takePair(playing(0.17), playing(0.07)) == nil)
    matcher.add(first: nil, second: (frame(2), 0))
    #expect(numbers(matcher.takePair(playing(0.17), playing(0.09))) == [4, 2])
    matcher.add(first: (frame(5), 0), second: (frame(4), 0))
    #expect(matcher.takePair(playing(0.2), playing(0.2)) == nil)
    // At rest, what is shown is shown.
    #expect(numbers(matcher.takePair(resting(5), resting(4))) == [5, 4])
  }

  /// The first is late: its partner is still known.
  @Test func latePartnersAreFound() {
    var matcher = matcher()
    for number in 3...5 { matcher.add(first: nil, second: (frame(Int64(number)), 0)) }
    matcher.add(first: (frame(4), 0), second: nil)
    #expect(numbers(matcher.takePair(playing(0.2), playing(0.2))) == [4, 4])
    // Nothing earlier follows.
    matcher.add(first: (frame(3), 0), second: nil)
    #expect(matcher.takePair(playing(0.2), playing(0.2)) == nil)
  }

  @Test func pairsAreDroppedAsAWhole() {
    var matcher = matcher()
    matcher.add(first: (frame(1), 0), second: nil)
    matcher.add(first: (frame(2), 0), second: nil)
    matcher.add(first: (frame(4), 0), second: nil)
    matcher.add(first: nil, second: (frame(3), 0))
    #expect(matcher.takePair(playing(0.16), playing(0.16)) == nil)
    matcher.add(first: nil, second: (frame(4), 0))
    #expect(numbers(matcher.takePair(playing(0.16), playing(0.16))) == [4, 4])
    #expect(matcher.dropped == 2)
  }

  @Test func otherRatesOverlap() {
    var matcher = matcher()
    matcher.add(first: (frame(4), 0), second: nil)
    // 0.133–0.167 and 0.167–0.2 beside 0.16–0.2.
    matcher.add(first: nil, second: (frame(4, rate: 30), 0))
    #expect(matcher.takePair(playing(0.165), playing(0.165)) == nil)
    matcher.add(first: nil, second: (frame(5, rate: 30), 0))
    #expect(numbers(matcher.takePair(playing(0.17), playing(0.17))) == [4, 5])
  }

  /// Whatever the distance: the viewer has moved one of them.
  @Test func atRestBothAreWhatIsDisplayed() {
    var matcher = matcher()
    matcher.add(first: (frame(10), 0), second: nil)
    matcher.add(first: nil, second: (frame(50), 0))
    #expect(numbers(matcher.takePair(resting(10), resting(50))) == [10, 50])
    // A seek of one of them is on its way.
    matcher.add(first: (frame(11, approximate: true), 0), second: nil)
    #expect(matcher.takePair(.init(media: 800_000_000, rate: 0, resting: nil), resting(50)) == nil)
    matcher.add(first: (frame(20), 0), second: nil)
    #expect(numbers(matcher.takePair(resting(20), resting(50))) == [20, 50])
  }

  @Test func whileScrubbingPreviewsOfTheSameMomentAreShown() {
    var matcher = matcher()
    let moving = PairMatcher.Moment(media: 400_000_000, rate: 0, resting: nil)
    matcher.add(first: (frame(8, approximate: true), 0), second: nil)
    matcher.add(first: nil, second: (frame(4, approximate: true), 0))
    #expect(matcher.takePair(moving, moving) == nil)
    matcher.add(first: nil, second: (frame(8, approximate: true), 0))
    #expect(numbers(matcher.takePair(moving, moving)) == [8, 8])
  }

  @Test func aPlayingClipPassesAStillOne() {
    var matcher = matcher()
    matcher.add(first: (frame(10), 0), second: nil)
    for number in 1...3 {
      matcher.add(first: nil, second: (frame(Int64(number)), 0))
      #expect(numbers(matcher.takePair(resting(10), playing(Double(number) / 25))) == [10, number])
    }
  }

  @Test func framesOfFormerRequestsAreDiscarded() {
    var matcher = matcher()
    matcher.add(first: (frame(1), 0), second: nil)
    let other = RenderRequest(box: PixelSize(width: 8, height: 8))
    matcher.setRequests(first: other, second: other)
    matcher.add(first: nil, second: (frame(1), 0))
    matcher.add(first: nil, second: (frame(1, for: other), 0))
    #expect(matcher.takePair(resting(1), resting(1)) == nil)
    matcher.add(first: (frame(1, for: other), 0), second: nil)
    #expect(matcher.takePair(resting(1), resting(1))?.first.request == other)
  }
}
