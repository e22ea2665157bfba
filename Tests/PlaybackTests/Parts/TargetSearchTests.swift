import Testing

@testable import Playback

/// The way to one frame.
@Suite(.timeLimit(.minutes(20))) struct TargetSearchTests {
  @Test func aSearchBeginsEarlierWhereItCameTooLate() {
    var search = TargetSearch(.seek, to: seconds(10))
    #expect(search.move == .seek(seconds(10), []))
    search.didMove()
    #expect(search.move == nil)
    let late = FrameTiming(pts: seconds(11), duration: seconds(0.04))
    #expect(search.didDecode(late, isDiscarded: false, at: 0) == .again)
    #expect(search.move == .seek(seconds(9), .withFreshDecoder))
    search.moveDidFail()
    #expect(search.move == .rewind)
    search.didMove()
    // At the beginning there is nothing earlier.
    #expect(search.didDecode(late, isDiscarded: false, at: 0) == .found)
  }

  @Test func anExactSearchWaitsForTheFrameBehindItsTarget() {
    func frame(_ n: Int) -> FrameTiming { FrameTiming(pts: seconds(Double(n)), duration: seconds(1), number: n) }
    var exact = TargetSearch(.seek, to: seconds(2.5))
    exact.didMove()
    #expect(exact.didDecode(frame(1), isDiscarded: false, at: 0) == .onTheWay)
    #expect(exact.didDecode(frame(2), isDiscarded: false, at: 0) == .onTheWay)
    #expect(exact.didDecode(frame(3), isDiscarded: false, at: 0) == .foundBefore)
    var tolerant = TargetSearch(.seek, to: seconds(2.5), before: seconds(1), after: seconds(1))
    tolerant.didMove()
    #expect(tolerant.didDecode(frame(0), isDiscarded: false, at: 0) == .onTheWay)
    #expect(tolerant.didDecode(frame(1), isDiscarded: false, at: 0) == .found)
    var leftOut = TargetSearch(.seek, to: seconds(2.5))
    leftOut.didMove()
    _ = leftOut.didDecode(frame(1), isDiscarded: false, at: 0)
    #expect(leftOut.didDecode(frame(3), isDiscarded: true, at: 0) == .again && leftOut.mustBeWhole && leftOut.needsSeek)
  }

  @Test func theEndOfTheDataHoldsEveryTimeBehindIt() {
    var search = TargetSearch(.seek, to: seconds(9))
    search.didMove()
    _ = search.didDecode(FrameTiming(pts: seconds(1), duration: seconds(1)), isDiscarded: false, at: 0)
    #expect(search.didReachEnd(isDiscarded: false) == .found)
    var nothing = TargetSearch(.first, to: .zero)
    #expect(nothing.didReachEnd(isDiscarded: false) == nil)
    var empty = TargetSearch(.seek, to: seconds(9))
    var again = 0
    while empty.didReachEnd(isDiscarded: false) == .again { again += 1 }
    #expect(again == 5)
  }

  // MARK: - Where the source goes

  @Test func anItemsFirstFrameIsWhateverComes() {
    var search = TargetSearch(.first, to: .zero)
    #expect(search.move == nil)
    #expect(search.didDecode(PartFrame.timing(7), isDiscarded: false, at: 0) == .found)
  }

  @Test func eachRetryBeginsFurtherBackAndTheLastAtTheBeginning() {
    /// Where a search to so many seconds begins, again and again, until what comes is taken.
    func starts(to target: Int) -> [SourceMove?] {
      var search = TargetSearch(.seek, to: PartFrame.time(target))
      var result: [SourceMove?] = []
      repeat {
        result.append(search.move)
        search.didMove()
      } while search.didDecode(PartFrame.timing(target + 1), isDiscarded: false, at: 0) == .again && result.count < 99
      return result
    }
    let again: SeekOptions = .withFreshDecoder
    #expect(
      starts(to: 30) == [
        .seek(PartFrame.time(30), []), .seek(PartFrame.time(29), again), .seek(PartFrame.time(25), again),
        .seek(PartFrame.time(5), again), .rewind,
      ])
    #expect(starts(to: 1) == [.seek(PartFrame.time(1), []), .rewind])
    // Before everything the first frame is as good as it gets.
    #expect(starts(to: 0) == [.rewind] && starts(to: -5) == [.rewind])
  }

  @Test func aWayThatGoesOnNeedsNoSeekAndIsExact() {
    var search = TargetSearch(.seek, to: PartFrame.time(5), before: PartFrame.time(3))
    search.decodeOn(from: PartFrame.timing(2))
    #expect(search.move == nil && search.candidate == PartFrame.timing(2))
    #expect(search.didDecode(PartFrame.timing(4), isDiscarded: false, at: 0) == .onTheWay)
    #expect(search.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .foundBefore)
    // The frame before it may be the one already.
    var next = TargetSearch(.seek, to: PartFrame.time(5))
    next.decodeOn(from: PartFrame.timing(5))
    #expect(next.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .foundBefore)
    // Not one that lies behind the target.
    var behind = TargetSearch(.seek, to: PartFrame.time(5))
    behind.decodeOn(from: PartFrame.timing(6))
    #expect(behind.candidate == nil && behind.didDecode(PartFrame.timing(7), isDiscarded: false, at: 0) == .again)
    behind.didMove()
    #expect(behind.didDecode(PartFrame.timing(5), isDiscarded: false, at: 0) == .onTheWay)
  }

  @Test func whatWasSeenBeforeAMoveIsNotTheFrameBefore() {
    var search = TargetSearch(.seek, to: PartFrame.time(5))
    search.didMove()
    _ = search.didDecode(PartFrame.timing(3), isDiscarded: false, at: 0)
    search.didMove()
    #expect(search.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .again)
  }

  // MARK: - What comes out

  @Test func aFrameThatBeginsAtTheTargetIsTheOneOnceTheNextHasCome() {
    var search = TargetSearch(.seek, to: PartFrame.time(2))
    search.didMove()
    #expect(search.didDecode(PartFrame.timing(2), isDiscarded: false, at: 0) == .onTheWay)
    #expect(search.didDecode(PartFrame.timing(3), isDiscarded: false, at: 0) == .foundBefore)
  }

  @Test func tolerancesReachSoFarAndNoFarther() {
    func verdict(_ number: Int) -> TargetSearch.Verdict {
      var search = TargetSearch(.seek, to: PartFrame.time(10), before: PartFrame.time(2), after: PartFrame.time(2))
      search.didMove()
      return search.didDecode(PartFrame.timing(number), isDiscarded: false, at: 0)
    }
    #expect(verdict(7) == .onTheWay, "it ends where the tolerance begins")
    #expect(verdict(8) == .found && verdict(10) == .found && verdict(12) == .found)
    #expect(verdict(13) == .again)
  }

  @Test func anotherTargetAheadIsGoneOnTo() {
    var search = TargetSearch(.seek, to: PartFrame.time(5))
    search.didMove()
    _ = search.didDecode(PartFrame.timing(4), isDiscarded: false, at: 0)
    search.retarget(to: SeekRequest(target: PartFrame.time(8), before: PartFrame.time(1), askedAt: 0))
    #expect(search.move == nil && search.target == PartFrame.time(8))
    #expect(search.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .onTheWay)
    #expect(search.didDecode(PartFrame.timing(7), isDiscarded: false, at: 0) == .found, "with the new tolerance")
    search.retarget(to: SeekRequest(target: PartFrame.time(9), askedAt: 0))
    #expect(search.didDecode(PartFrame.timing(10), isDiscarded: false, at: 0) == .foundBefore)
  }

  @Test func framesOnTheWayAreCountedFromTheFirst() {
    var search = TargetSearch(.seek, to: PartFrame.time(5))
    search.didMove()
    for n in 2..<7 { _ = search.didDecode(PartFrame.timing(n), isDiscarded: false, at: HostTime(n) * 10) }
    #expect(search.passed == 4 && search.firstAt == 20, "the one behind the target is not on the way")
  }

  @Test func aTargetThatWasLeftOutIsGoneToOnceMoreWithNothingLeftOut() {
    var search = TargetSearch(.seek, to: PartFrame.time(5))
    search.didMove()
    _ = search.didDecode(PartFrame.timing(3), isDiscarded: true, at: 0)
    #expect(!search.mustBeWhole, "it may still come")
    #expect(search.didReachEnd(isDiscarded: true) == .again && search.mustBeWhole)
    #expect(search.move == .seek(PartFrame.time(5), .withFreshDecoder))
    search.didMove()
    _ = search.didDecode(PartFrame.timing(3), isDiscarded: false, at: 0)
    #expect(search.didReachEnd(isDiscarded: false) == .found)
  }

  @Test func dataThatHasNothingAtItsBeginningIsReadOnceMore() {
    var search = TargetSearch(.refresh(), to: .zero)
    #expect(search.move == .rewind)
    search.didMove()
    #expect(search.didReachEnd(isDiscarded: false) == .again && search.move == .rewind)
    search.didMove()
    #expect(search.didReachEnd(isDiscarded: false) == nil)
  }
}
