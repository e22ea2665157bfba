import Testing

@testable import Playback

/// Where playback starts, turns and ends.
@Suite(.timeLimit(.minutes(20))) struct PlayBoundsTests {
  private static let second: Int64 = 1_000_000_000

  private func bounds(
    of duration: ItemDuration, newestEnd: Int64? = nil, pacing: Pacing = .clock, change: (inout TransportClock) -> Void = { _ in }
  ) -> PlayBounds {
    var clock = TransportClock()
    change(&clock)
    let view = ClockView(clock, pacing: pacing, seeks: SeekQueue())
    return PlayBounds(view, duration, lastTime: duration.lastTime(displaying: nil), newestEnd: newestEnd)
  }

  private var announced: ItemDuration { ItemDuration(announced: PartFrame.time(10)) }

  private var decoded: ItemDuration {
    var duration = announced
    _ = duration.note(end: 9 * Self.second, isGuess: false, isCutOff: false)
    return duration
  }

  @Test func anAnnouncedEndIsWaitedAtUntilTheDataHaveEnded() {
    let announced = bounds(of: announced)
    #expect(announced.end == nil && announced.waitingEnd == 10 * Self.second && announced.nextEnd == 10 * Self.second)
    #expect(bounds(of: self.announced, newestEnd: 11 * Self.second).waitingEnd == nil, "there are frames after it")
    let decoded = bounds(of: decoded)
    #expect(decoded.end == 9 * Self.second && decoded.waitingEnd == nil && decoded.nextEnd == 9 * Self.second)
  }

  @Test func whereNothingIsDecodedTheAnnouncedEndCounts() {
    let bounds = bounds(of: announced, pacing: .clockAlone)
    #expect(bounds.itemEnd == 10 * Self.second && bounds.end == 10 * Self.second && bounds.waitingEnd == nil)
  }

  @Test func aRangeEndsNoLaterThanTheItem() {
    let range = TimeRange(start: PartFrame.time(4), duration: PartFrame.time(20))
    let bounds = bounds(of: decoded) { $0.setLoop(range: range, action: .pause) }
    #expect(bounds.loopStart == 4 * Self.second && bounds.start == 4 * Self.second)
    #expect(bounds.end == 9 * Self.second && bounds.passEnd == 9 * Self.second)
    #expect(bounds.isPastRange(PartFrame.timing(9)) && !bounds.isPastRange(PartFrame.timing(8)))
  }

  @Test func aRangeBehindTheEndIsNotPlayedBackwards() {
    let range = TimeRange(start: PartFrame.time(12), duration: PartFrame.time(2))
    let bounds = bounds(of: decoded) { $0.setLoop(range: range, action: .pause) }
    #expect(bounds.start == 0 && bounds.loopStart == 12 * Self.second && bounds.passEnd == nil)
  }

  @Test func aLoopOfTheItemHasNoRange() {
    let bounds = bounds(of: decoded) { $0.setLoop(range: nil, action: .loop) }
    #expect(bounds.loopStart == 0 && bounds.passEnd == 9 * Self.second && bounds.rangeEnd == nil)
    #expect(!bounds.isPastRange(PartFrame.timing(9)))
  }
}
