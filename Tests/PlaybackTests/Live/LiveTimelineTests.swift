import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct LiveTimelineTests {
  private static let frame: Int64 = 40_000

  /// The times of packets, by when they arrive.
  private func times(_ timeline: inout LiveTimeline, _ packets: [(time: Int64, arrival: Int64)]) -> [Int64] {
    packets.map { $0.time + timeline.place($0.time, arrival: $0.arrival) }
  }

  @Test func timesBeginAtZeroAndKeepTheirDistances() {
    var timeline = LiveTimeline()
    let all = times(&timeline, [(7_000_000, 0), (7_040_000, 90_000), (7_030_000, 91_000), (7_080_000, 92_000)])
    #expect(all == [0, 40_000, 30_000, 80_000])
  }

  /// A camera that is back after ten seconds goes on ten seconds later, wherever its own clock begins.
  @Test(arguments: [0, 500_000_000, 7_040_000]) func anInterruptionTakesItsTime(restart: Int64) {
    var timeline = LiveTimeline()
    _ = times(&timeline, [(7_000_000, 0), (7_040_000, Self.frame)])
    timeline.begin()
    let later = times(&timeline, [(restart, Self.frame + 10_000_000), (restart + Self.frame, 10_080_000)])
    #expect(later == [10_040_000, 10_080_000])
  }

  /// Without a new connection, as by UDP, a new sender is known by its timestamps.
  @Test(arguments: [0, 500_000_000]) func aJumpIsAnInterruption(restart: Int64) {
    var timeline = LiveTimeline()
    _ = times(&timeline, [(90_000_000, 0), (90_040_000, Self.frame)])
    #expect(times(&timeline, [(restart, 3_040_000)]) == [3_040_000])
  }

  /// A demuxer may give the last packets only once later ones come.
  @Test func packetsThatWereHeldBackDoNotHideAnInterruption() {
    var timeline = LiveTimeline()
    _ = times(&timeline, [(90_000_000, 0), (90_040_000, Self.frame)])
    let later = times(&timeline, [(90_080_000, 6_000_000), (90_120_000, 6_001_000), (1_400_000, 6_002_000)])
    #expect(later[0] == 80_000 && later[1] == 120_000 && abs(later[2] - 6_002_000) < 10_000)
  }

  /// A part that was lost on the way, and a server that sends what it has kept at once.
  @Test func gapsAndBurstsAreNoJumps() {
    var timeline = LiveTimeline()
    _ = times(&timeline, [(0, 0)])
    #expect(times(&timeline, [(20_000_000, 20_010_000)]) == [20_000_000])
    let burst = times(&timeline, [(22_000_000, 20_020_000), (24_000_000, 20_030_000), (23_500_000, 20_040_000)])
    #expect(burst == [22_000_000, 24_000_000, 23_500_000])
  }

  @Test func timesGoOnEvenAtOnce() {
    var timeline = LiveTimeline()
    _ = times(&timeline, [(5_000_000, 1000)])
    timeline.begin()
    #expect(times(&timeline, [(0, 1000)]) == [10_000])
  }
}
