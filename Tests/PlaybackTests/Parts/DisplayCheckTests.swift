import Testing

@testable import Playback

/// A requested look at the current time.
@Suite(.timeLimit(.minutes(20))) struct DisplayCheckTests {
  @Test func aRefreshWaitsUntilItIsTaken() {
    var check = DisplayCheck()
    check.wantRefresh()
    #expect(check.refresh != nil)
    #expect(check.takeRefresh() != nil && check.takeRefresh() == nil)
    let timing = FrameTiming(pts: .zero, duration: seconds(1))
    check.wantRefresh(.jump(from: timing))
    #expect(check.takeRefresh() == .jump(from: timing))
    check.wantRefresh(.jump(from: timing))
    check.dropRefresh()
    #expect(check.takeRefresh() == nil)
  }
}
