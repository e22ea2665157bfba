import Testing

@testable import Playback

/// The log of how a clock came from one moment to another.
@Suite(.timeLimit(.minutes(20))) struct TimeLogTests {
  private func passages(_ log: inout TimeLog) -> [Passage] { log.drain().map(\.passage) }

  @Test func theLogJoinsWhatBelongsTogether() {
    var log = TimeLog()
    log.started(at: 0)
    log.played(to: 5)
    log.played(to: 9)
    log.jumped(to: 50)
    log.jumped(to: 60)
    log.played(to: 70)
    log.event(.playedToEnd)
    log.played(to: 75)
    #expect(log.reportedUpTo == 75 && !log.isEmpty)
    #expect(
      passages(&log) == [
        .started(at: 0), .played(from: 0, to: 9), .jumped(to: 60), .played(from: 60, to: 70),
        .event(.playedToEnd),
        .played(from: 70, to: 75),
      ])
    #expect(log.isEmpty && log.drain().isEmpty)
    log.played(to: 75)
    #expect(log.isEmpty)
  }

  @Test func aTimeThatTheClockWasSetToIsEnteredOnce() {
    var log = TimeLog()
    log.entered(at: 0)
    log.entered(at: 0)
    log.played(to: 5)
    log.stopped(at: 5)
    log.entered(at: 5)
    log.jumped(to: 7)
    log.entered(at: 7)
    #expect(passages(&log) == [.entered(at: 0), .played(from: 0, to: 5), .stopped(at: 5), .jumped(to: 7), .entered(at: 7)])
  }

  @Test func aMarkPartsWhatComesAfter() throws {
    var log = TimeLog()
    log.played(to: 5)
    let mark = log.mark()
    log.played(to: 9)
    log.jumped(to: 20)
    let second = log.mark()
    log.jumped(to: 30)
    let entries = log.drain()
    let (first, passages) = (try #require(entries.first?.number), entries.map(\.passage))
    try #require(passages == [.played(from: 0, to: 5), .played(from: 5, to: 9), .jumped(to: 20), .jumped(to: 30)])
    #expect(passages[mark - first] == .played(from: 5, to: 9) && passages[second - first] == .jumped(to: 30))
    let third = log.mark()
    log.jumped(to: 1)
    #expect(log.drain().first?.number == third)
  }

  @Test func theLogIsBoundedAndKeepsEvents() {
    var log = TimeLog()
    for n in 0..<5000 {
      log.jumped(to: Int64(n))
      log.played(to: Int64(n) + 1)
      if n % 100 == 0 { log.event(.rateChanged(Double(n))) }
    }
    let passages = log.drain().map(\.passage)
    #expect(passages.count <= 256)
    let events = passages.compactMap { if case .event(let event) = $0 { event } else { nil } }
    #expect(events == (0..<50).map { .rateChanged(Double($0) * 100) })
  }

  @Test func aLoneChangeOfWhatIsCachedIsToldOnce() {
    var log = TimeLog()
    log.event(.cachedTimeRangesChanged)
    log.event(.cachedTimeRangesChanged)
    log.event(.playedToEnd)
    log.event(.playedToEnd)
    log.event(.cachedTimeRangesChanged)
    let mark = log.mark()
    // Who looks from here on has not been told yet.
    log.event(.cachedTimeRangesChanged)
    let entries = log.drain()
    #expect(
      entries.map(\.passage) == [
        .event(.cachedTimeRangesChanged), .event(.playedToEnd), .event(.playedToEnd), .event(.cachedTimeRangesChanged),
        .event(.cachedTimeRangesChanged),
      ])
    #expect(entries[4].number == mark)
  }

  @Test func playingGoesOnFromWhereTheClockWasSetTo() {
    var log = TimeLog()
    log.played(to: 10)
    log.stopped(at: 10)
    log.started(at: 3)
    log.played(to: 4)
    log.played(to: 1)
    #expect(
      passages(&log) == [.played(from: 0, to: 10), .stopped(at: 10), .started(at: 3), .played(from: 3, to: 1)])
  }

  @Test func whatWasDrainedIsNotJoinedWithWhatComes() {
    var log = TimeLog()
    log.played(to: 10)
    #expect(log.drain().map(\.number) == [0])
    log.played(to: 20)
    #expect(log.drain() == [.init(number: 1, passage: .played(from: 10, to: 20))])
    log.jumped(to: 0)
    #expect(log.drain() == [.init(number: 2, passage: .jumped(to: 0))])
  }

  @Test func ofEventsAloneTheOldestGoFirst() {
    var log = TimeLog()
    for n in 0..<300 { log.event(.rateChanged(Double(n))) }
    let entries = log.drain()
    #expect(entries.count == 256 && entries.first == .init(number: 44, passage: .event(.rateChanged(44))))
    #expect(entries.last == .init(number: 299, passage: .event(.rateChanged(299))))
  }

  @Test func whatALaterEventSupersedesGoesBeforeWhatHappenedOnce() {
    var log = TimeLog()
    log.event(.itemReady)
    log.event(.rateChanged(1))
    log.event(.playedToEnd)
    for n in 0..<1000 {
      log.event(.timeJumped(PartFrame.time(n)))
      log.event(.statusChanged(n % 2 == 0 ? .playing : .paused))
    }
    let events = passages(&log)
    #expect(events.count == 256)
    #expect(events.prefix(3) == [.event(.itemReady), .event(.rateChanged(1)), .event(.playedToEnd)])
    #expect(events.suffix(2) == [.event(.timeJumped(PartFrame.time(999))), .event(.statusChanged(.paused))])
  }

  @Test func whatIsDroppedDoesNotChangeWhatCameBeforeAMark() {
    var log = TimeLog()
    log.event(.itemReady)
    let mark = log.mark()
    for n in 0..<300 { log.jumped(to: Int64(n)); log.played(to: Int64(n) + 1) }
    log.event(.playedToEnd)
    let entries = log.drain()
    #expect(entries.first?.passage == .event(.itemReady))
    #expect(entries.filter { $0.number < mark }.map(\.passage) == [.event(.itemReady)])
    #expect(entries.map(\.number) == entries.map(\.number).sorted())
  }
}
