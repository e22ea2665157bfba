import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct LiveFollowingTests {
  private static let frame: HostTime = 40_000_000

  /// Lets frames come with a slack, given for each without anything skipped; returns what was skipped in all.
  private func run(_ following: inout LiveFollowing, from host: HostTime = 0, _ slacks: [HostTime]) -> HostTime {
    var skipped: HostTime = 0
    for (i, slack) in slacks.enumerated() {
      skipped += following.skip(slack: slack - skipped, at: host + HostTime(i) * Self.frame)
    }
    return skipped
  }

  @Test func whatIsNeverUsedIsSkippedLittleByLittle() {
    var following = LiveFollowing()
    let few = run(&following, Array(repeating: 200_000_000, count: 35))
    #expect(few > 0 && few < 100_000_000)
    let all = run(&following, from: 40 * Self.frame, Array(repeating: 200_000_000 - few, count: 200)) + few
    #expect(all > 180_000_000 && all < 200_000_000)
  }

  /// Frames that come late now and then need the slack that others have.
  @Test func unsteadyFramesKeepTheirSlack() {
    var following = LiveFollowing()
    #expect(run(&following, (0..<200).map { $0 % 20 == 0 ? 10_000_000 : 150_000_000 }) == 0)
  }

  @Test func afterAPauseTheNewestFrameWins() {
    var following = LiveFollowing()
    #expect(run(&following, [5_000_000, 45_000_000, 85_000_000]) == 0)
    #expect(following.skip(slack: 2_000_000_000, at: 120_000_000) > 1_900_000_000)
  }

  @Test func whoHasGoneBackStaysThere() {
    var following = LiveFollowing()
    following.go(to: 10, edge: 17)
    #expect(run(&following, Array(repeating: 600_000_000, count: 200)) == 0)
    following.go(to: 16.8, edge: 17)
    #expect(following.skip(slack: 600_000_000, at: 9_000_000_000) > 0)
    following.go(to: 10, edge: 17)
    following.didReachEdge()
    #expect(following.isFollowing)
  }
}
