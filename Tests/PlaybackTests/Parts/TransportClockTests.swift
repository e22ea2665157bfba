import Testing

@testable import Playback

/// The player's clock: when it runs, where it stands, and what its log tells of it.
@Suite(.timeLimit(.minutes(20))) struct TransportClockTests {
  private let second: HostTime = 1_000_000_000

  /// A clock that runs from a media time in seconds at a rate since host time 0; its log is empty.
  private func running(from media: Int = 0, rate: Double = 1) -> TransportClock {
    var clock = TransportClock()
    clock.setRate(rate)
    _ = clock.jump(to: PartFrame.time(media), nil, at: 0)
    _ = clock.drainLog()
    return clock
  }

  private func log(_ clock: inout TransportClock) -> [Passage] { clock.drainLog().map(\.passage) }

  // MARK: - Going and standing

  @Test func theNewestHoldOfAGroupHoldsUntilItIsEnded() {
    let (group, other) = (ObjectIdentifier(Int.self), ObjectIdentifier(Bool.self))
    var clock = TransportClock()
    clock.beginGroupHold(GroupHold(group: group, number: 2))
    // A thread that was slower.
    clock.beginGroupHold(GroupHold(group: group, number: 1))
    var hasEnded = [clock.endGroupHold(GroupHold(group: group, number: 1))]
    #expect(clock.groupHold?.number == 2)
    clock.beginGroupHold(GroupHold(group: other, number: 1))
    hasEnded.append(clock.endGroupHold(GroupHold(group: group, number: 2)))
    hasEnded.append(clock.endGroupHold(GroupHold(group: other, number: 1)))
    #expect(clock.groupHold == nil)
    hasEnded.append(clock.endGroupHold(GroupHold(group: other, number: 1)))
    #expect(hasEnded == [false, false, true, false])
  }

  @Test func aRateIsGoneByFromTheNextUpdateOn() {
    var clock = TransportClock()
    clock.setRate(2)
    #expect(!clock.isRunning && clock.media(at: second) == 0)
    #expect(clock.update(nil, at: second).wakes == [.observers, .display])
    #expect(clock.isRunning && clock.media(at: 3 * second) == 4 * second)
    // What has been told is not told again.
    #expect(clock.update(nil, at: 2 * second).isEmpty)
    clock.setRate(-1)
    #expect(clock.media(at: 3 * second) == 4 * second)
    _ = clock.update(nil, at: 3 * second)
    #expect(clock.media(at: 4 * second) == 3 * second)
    #expect(
      log(&clock) == [
        .event(.rateChanged(2)), .started(at: 0), .entered(at: 0), .event(.statusChanged(.playing)), .played(from: 0, to: 2 * second),
        .event(.rateChanged(-1)), .played(from: 2 * second, to: 4 * second),
      ])
  }

  @Test func aHeldClockStandsWhereItIs() {
    var clock = running()
    #expect(clock.update(.seeking, at: 3 * second).wakes == [.observers, .display])
    #expect(!clock.isRunning && clock.media(at: 9 * second) == 3 * second)
    _ = clock.update(.opening, at: 5 * second)
    #expect(clock.media(at: 9 * second) == 3 * second)
    _ = clock.update(nil, at: 7 * second)
    #expect(clock.media(at: 8 * second) == 4 * second)
    #expect(
      log(&clock) == [
        .played(from: 0, to: 3 * second), .stopped(at: 3 * second), .event(.statusChanged(.waiting(.seeking))),
        .event(.statusChanged(.waiting(.opening))), .started(at: 3 * second), .event(.statusChanged(.playing)),
      ])
  }

  @Test func whileTheRateIsZeroNothingIsWaitedFor() {
    let clock = TransportClock()
    let holds: [ClockHold?] = [nil, .noItem, .opening, .failed, .seeking, .buffering, .othersInGroup, .untimed]
    for hold in holds { #expect(clock.status(hold) == .paused) }
    let playing = running()
    #expect(playing.status(.failed) == .paused)
    #expect(playing.status(.untimed) == .playing && playing.status(nil) == .playing)
    #expect(playing.status(.othersInGroup) == .waiting(.othersInGroup))
  }

  @Test func anotherRateBuffersNoMore() {
    var clock = running(from: 5, rate: -1)
    clock.setBuffering(.earlierFrames)
    clock.setRate(1)
    #expect(clock.buffering == nil)
  }

  // MARK: - Exact places

  @Test func aClockStandsExactlyWhereItWasSet() {
    let exact = MediaTime(value: 1001, timescale: 30_000)
    var clock = TransportClock()
    _ = clock.jump(to: exact, nil, at: 0)
    #expect(clock.exactStop == exact && clock.media(at: second) == 33_366_667)
    clock.setRate(1)
    _ = clock.update(nil, at: 0)
    #expect(clock.exactStop == nil)
    clock.setRate(0)
    _ = clock.update(nil, at: 5)
    #expect(clock.exactStop == nil, "it has gone on")
    clock.noteExactTime(exact)
    #expect(clock.exactStop == nil, "it stands elsewhere")
    _ = clock.jump(to: exact, nil, at: 9)
    #expect(clock.isJump(to: 7, host: 10))
    _ = clock.anchor(at: 7, host: 10, nil)
    #expect(clock.exactStop == nil)
  }

  @Test(arguments: [MediaTime.indefinite, .positiveInfinity, .invalid])
  func whatIsNoTimeIsTheBeginning(time: MediaTime) {
    var clock = running(from: 5)
    _ = clock.jump(to: time, .seeking, at: second)
    #expect(clock.media(at: 2 * second) == 0 && clock.exactStop == nil)
  }

  @Test func landingWhereItWasAskedToIsNoJump() {
    var clock = TransportClock()
    _ = clock.jump(to: PartFrame.time(5), .seeking, at: 0)
    _ = clock.drainLog()
    _ = clock.land(at: PartFrame.time(5), askedFor: PartFrame.time(5), nil, at: second)
    #expect(log(&clock) == [] && clock.exactStop == PartFrame.time(5))
    _ = clock.land(at: PartFrame.time(4), askedFor: PartFrame.time(5), nil, at: second)
    #expect(log(&clock) == [.jumped(to: 4 * second)] && clock.exactStop == PartFrame.time(4))
  }

  @Test func aClockInStepShowsATimeAtAnAnchor() {
    var clock = running()
    // Where it would have been anyway.
    #expect(!clock.isJump(to: 2 * second, host: 2 * second))
    _ = clock.anchor(at: 2 * second, host: 2 * second, nil)
    #expect(!clock.isJump(to: nil, host: 3 * second))
    _ = clock.anchor(at: nil, host: 3 * second, nil)
    #expect(log(&clock) == [.played(from: 0, to: 3 * second)])
    // The anchor may be yet to come, or long past.
    #expect(clock.isJump(to: 9 * second, host: 10 * second))
    _ = clock.anchor(at: 9 * second, host: 10 * second, nil)
    #expect(clock.media(at: 8 * second) == 7 * second)
    #expect(clock.isJump(to: 0, host: -second))
    _ = clock.anchor(at: 0, host: -second, nil)
    #expect(clock.media(at: second) == 2 * second)
  }

  // MARK: - Time that was played

  @Test func playedTimeIsHostTimeInWhichTheClockRan() {
    var clock = running(rate: 2)
    #expect(clock.playedNanoseconds(at: 3 * second) == 3 * second && clock.playedNanoseconds(at: -second) == 0)
    _ = clock.update(.seeking, at: 3 * second)
    _ = clock.update(nil, at: 5 * second)
    clock.turn(to: 0, at: 6 * second)
    #expect(clock.playedNanoseconds(at: 8 * second) == 6 * second)
    _ = clock.jump(to: PartFrame.time(1), nil, at: 8 * second)
    #expect(clock.playedNanoseconds(at: 9 * second) == 7 * second)
    _ = clock.reset(nil, at: 10 * second)
    #expect(clock.playedNanoseconds(at: 10 * second) == 0 && clock.playedNanoseconds(at: 11 * second) == second)
  }

  @Test func timeInWhichItRanPastWhatIsCachedCountsToo() {
    var clock = running(from: 10, rate: -1)
    clock.goBack(to: 8 * second, at: 3 * second)
    #expect(clock.isRunning && clock.media(at: 4 * second) == 7 * second)
    #expect(clock.playedNanoseconds(at: 4 * second) == 4 * second)
    _ = clock.update(.buffering, at: 3 * second)
    #expect(clock.playedNanoseconds(at: 9 * second) == 3 * second)
  }

  // MARK: - Moments out of order

  @Test(arguments: [1.0, -1]) func anEarlierMomentPlaysNothingBack(rate: Double) {
    var clock = running(from: 10, rate: rate)
    let there = 10 * second + Int64(rate) * 5 * second
    clock.notePassage(at: 5 * second)
    clock.notePassage(at: 4 * second)
    clock.notePassage(at: 5 * second)
    #expect(log(&clock) == [.played(from: 10 * second, to: there)])
    // Another thread stops it with a moment that it took before.
    clock.setRate(0)
    _ = clock.drainLog()
    _ = clock.update(nil, at: 4 * second)
    let here = 10 * second + Int64(rate) * 4 * second
    #expect(log(&clock) == [.stopped(at: here), .event(.statusChanged(.paused))])
    #expect(clock.media(at: 9 * second) == here)
  }

  // MARK: - Ends

  @Test func theItemsEndIsToldOnceForEachWayToIt() {
    var clock = running()
    func tells(_ clock: inout TransportClock, isItemEnd: Bool = true) -> Int {
      clock.didReach(end: 10 * second, isItemEnd: isItemEnd)
      return log(&clock).count { $0 == .event(.playedToEnd) }
    }
    #expect(tells(&clock, isItemEnd: false) == 0)
    #expect(tells(&clock) == 1)
    clock.setRate(0)
    _ = clock.stop(atEnd: 10 * second, isItemEnd: true, nil, at: 10 * second)
    #expect(clock.media(at: 99 * second) == 10 * second)
    clock.setRate(1)
    _ = clock.update(nil, at: 11 * second)
    #expect(tells(&clock) == 0, "it has not left the end")
    _ = clock.jump(to: PartFrame.time(3), nil, at: 12 * second)
    #expect(tells(&clock) == 1)
  }

  @Test func aPassOfALoopIsAnotherWayToTheEnd() {
    var clock = running()
    _ = clock.stop(atEnd: 10 * second, isItemEnd: true, nil, at: 10 * second)
    _ = clock.drainLog()
    clock.turn(to: 0, at: 11 * second)
    #expect(clock.media(at: 12 * second) == second && log(&clock) == [.jumped(to: 0), .entered(at: 0)])
    clock.didReach(end: 10 * second, isItemEnd: true)
    #expect(log(&clock) == [.played(from: 0, to: 10 * second), .event(.playedToEnd)])
  }

  @Test func whoGoesBackComesToTheEndAgain() {
    var clock = running()
    clock.setRate(0)
    _ = clock.stop(atEnd: 10 * second, isItemEnd: true, nil, at: 10 * second)
    clock.setRate(-1)
    _ = clock.update(nil, at: 10 * second)
    clock.setRate(1)
    _ = clock.update(nil, at: 12 * second)
    _ = clock.drainLog()
    clock.didReach(end: 10 * second, isItemEnd: true)
    #expect(log(&clock) == [.played(from: 8 * second, to: 10 * second), .event(.playedToEnd)])
  }

  @Test func anEndBehindThePresentIsGoneTo() {
    var clock = running()
    clock.notePassage(at: 8 * second)
    clock.didReach(end: 5 * second, isItemEnd: false)
    #expect(log(&clock) == [.played(from: 0, to: 8 * second), .jumped(to: 5 * second)])
    var back = running(from: 5, rate: -1)
    back.notePassage(at: second)
    back.didReach(start: 7 * second)
    #expect(log(&back) == [.played(from: 5 * second, to: 4 * second), .jumped(to: 7 * second)])
  }

  @Test func onlyTheItemsOwnBeginningIsToldOf() {
    var clock = running(from: 5, rate: -1)
    clock.didReach(start: second)
    clock.didReach(start: 0)
    #expect(log(&clock) == [.played(from: 5 * second, to: 0), .event(.playedToStart)])
    clock.setRate(0)
    _ = clock.stop(atStart: 0, nil, at: 5 * second)
    #expect(!clock.isRunning && clock.media(at: 9 * second) == 0)
  }

  @Test func whereTheNextItemFollowsTheMomentOfTheEndIsKnown() {
    var clock = running()
    // The wish goes on; the clock stands all the same.
    _ = clock.stop(atEnd: 10 * second, isItemEnd: true, nil, at: 9 * second)
    #expect(!clock.isRunning && clock.media(at: 20 * second) == 10 * second && clock.hostAtEnd == 9 * second)
    _ = clock.jump(to: .zero, .seeking, at: 12 * second)
    #expect(clock.hostAtEnd == nil)
    _ = clock.stop(atEnd: 10 * second, isItemEnd: false, nil, at: 9 * second)
    #expect(clock.hostAtEnd == 9 * second, "that of a range that is played no more, too")
    _ = clock.stop(atEnd: 10 * second, isItemEnd: true, nil, at: 9 * second)
    clock.setRate(0)
    #expect(clock.hostAtEnd == nil)
  }

  @Test func whatWasPassedBeforeTheAnchorWasPassedAtIt() {
    var clock = running(from: 5)
    #expect(clock.host(passing: 7 * second, by: 9 * second) == 2 * second)
    #expect(clock.host(passing: 3 * second, by: 9 * second) == 0)
    clock.setRate(0)
    _ = clock.update(nil, at: 4 * second)
    #expect(clock.host(passing: 3 * second, by: 6 * second) == 6 * second)
  }
}
