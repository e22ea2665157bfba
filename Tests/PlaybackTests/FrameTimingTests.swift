import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct FrameTimingTests {
  @Test func itsNanosecondsAreThoseOfItsTimes() {
    var timing = FrameTiming(pts: seconds(1), duration: seconds(0.04))
    timing.pts = seconds(2)
    #expect(timing.ptsNanoseconds == 2_000_000_000 && timing.endNanoseconds == 2_040_000_000)
    timing.duration = seconds(1)
    #expect(timing.ptsNanoseconds == 2_000_000_000 && timing.endNanoseconds == 3_000_000_000)
    #expect(timing == FrameTiming(pts: seconds(2), duration: seconds(1)))
  }

  @Test func framesThatAreHardlyShownAreCountedByTheMillisecond() {
    #expect(FrameTiming(pts: .zero, duration: seconds(0.5)).frameCount(in: 2) == 4)
    #expect(FrameTiming(pts: .zero, duration: MediaTime(nanoseconds: 1)).frameCount(in: 2) == 2000)
  }
}
