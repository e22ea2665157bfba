import Testing

@testable import Playback

/// A core's knowledge of its lane.
@Suite(.timeLimit(.minutes(20))) struct LaneStatusTests {
  @Test func theIndexIsAskedForOnce() {
    var status = LaneStatus()
    #expect(status.askForIndex().wakes == .index)
    #expect(status.askForIndex().isEmpty)
  }

  @Test func whatIsToldIsKept() {
    var status = LaneStatus()
    #expect(status.retainedBytes == 0 && !status.isAnyPlayerScrubbing)
    status.setRetainedBytes(1000)
    status.setAnyPlayerScrubbing(true)
    #expect(status.retainedBytes == 1000 && status.isAnyPlayerScrubbing)
    status.setAnyPlayerScrubbing(false)
    #expect(!status.isAnyPlayerScrubbing)
  }
}
