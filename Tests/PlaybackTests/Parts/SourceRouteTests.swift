import TestSupport
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct SourceRouteTests {
  private func second(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

  /// Further and further back, then from the beginning, then no more.
  @Test func everyAttemptBeginsEarlier() {
    var route = SourceRoute()
    #expect(route.move(to: second(20), []) == .seek(second(20), []) && !route.isExhausted)
    for start in [19, 15] {
      route.beginEarlier(than: second(20))
      #expect(route.move(to: second(20), []) == .seek(second(Int64(start)), .withFreshDecoder))
    }
    // 25 s before it there is nothing.
    for _ in 0..<2 {
      route.beginEarlier(than: second(20))
      #expect(route.move(to: second(20), .mustBeCertain) == .rewind && route.start(for: second(20)) == nil && !route.isExhausted)
    }
    route.beginEarlier(than: second(20))
    #expect(route.isExhausted)
  }

  @Test func beforeTheBeginningThereIsNothing() {
    var route = SourceRoute()
    #expect(route.move(to: .zero, []) == .rewind)
    route.beginEarlier(than: .zero)
    #expect(route.isExhausted)
  }

  @Test func itStaysOrBeginsAgain() {
    var route = SourceRoute()
    route.stay()
    #expect(!route.needsSeek && route.move(to: second(2), []) == nil)
    route.beginAgain()
    #expect(route.needsSeek && route.move(to: second(2), .withFreshDecoder) == .seek(second(2), .withFreshDecoder))
    route.moveDidFail()
    #expect(route.move(to: second(2), []) == .rewind && !route.isExhausted)
  }
}
