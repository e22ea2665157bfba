import Testing

@testable import Playback

/// The way to one frame.
@Suite(.timeLimit(.minutes(20))) struct ApproachTests {
  @Test func anApproachBeginsEarlierWhereItCameTooLate() {
    var approach = Approach(.seek, to: seconds(10))
    #expect(approach.move == .seek(seconds(10), []))
    approach.didMove()
    #expect(approach.move == nil)
    let late = FrameTiming(pts: seconds(11), duration: seconds(0.04))
    #expect(approach.didDecode(late, isDiscarded: false, at: 0) == .again)
    #expect(approach.move == .seek(seconds(9), .withFreshDecoder))
    approach.moveDidFail()
    #expect(approach.move == .rewind)
    approach.didMove()
    // At the beginning there is nothing earlier.
    #expect(approach.didDecode(late, isDiscarded: false, at: 0) == .found)
  }

  @Test func anExactApproachWaitsForTheFrameBehindItsTarget() {
    func frame(_ n: Int) -> FrameTiming { FrameTiming(pts: seconds(Double(n)), duration: seconds(1), number: n) }
    var exact = Approach(.seek, to: seconds(2.5))
    exact.didMove()
    #expect(exact.didDecode(frame(1), isDiscarded: false, at: 0) == .onTheWay)
    #expect(exact.didDecode(frame(2), isDiscarded: false, at: 0) == .onTheWay)
    #expect(exact.didDecode(frame(3), isDiscarded: false, at: 0) == .foundBefore)
    var tolerant = Approach(.seek, to: seconds(2.5), before: seconds(1), after: seconds(1))
    tolerant.didMove()
    #expect(tolerant.didDecode(frame(0), isDiscarded: false, at: 0) == .onTheWay)
    #expect(tolerant.didDecode(frame(1), isDiscarded: false, at: 0) == .found)
    var leftOut = Approach(.seek, to: seconds(2.5))
    leftOut.didMove()
    _ = leftOut.didDecode(frame(1), isDiscarded: false, at: 0)
    #expect(leftOut.didDecode(frame(3), isDiscarded: true, at: 0) == .again && leftOut.mustBeWhole && leftOut.needsSeek)
  }

  @Test func theEndOfTheDataHoldsEveryTimeBehindIt() {
    var approach = Approach(.seek, to: seconds(9))
    approach.didMove()
    _ = approach.didDecode(FrameTiming(pts: seconds(1), duration: seconds(1)), isDiscarded: false, at: 0)
    #expect(approach.didReachEnd(isDiscarded: false) == .found)
    var nothing = Approach(.first, to: .zero)
    #expect(nothing.didReachEnd(isDiscarded: false) == nil)
    var empty = Approach(.seek, to: seconds(9))
    var again = 0
    while empty.didReachEnd(isDiscarded: false) == .again { again += 1 }
    #expect(again == 5)
  }

  // MARK: - Where the source goes

  @Test func anItemsFirstFrameIsWhateverComes() {
    var approach = Approach(.first, to: .zero)
    #expect(approach.move == nil)
    #expect(approach.didDecode(PartFrame.timing(7), isDiscarded: false, at: 0) == .found)
  }

  @Test func eachRetryBeginsFurtherBackAndTheLastAtTheBeginning() {
    /// Where an approach to so many seconds begins, again and again, until what comes is taken.
    func starts(to target: Int) -> [SourceMove?] {
      var approach = Approach(.seek, to: PartFrame.time(target))
      var result: [SourceMove?] = []
      repeat {
        result.append(approach.move)
        approach.didMove()
      } while approach.didDecode(PartFrame.timing(target + 1), isDiscarded: false, at: 0) == .again && result.count < 99
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
    var approach = Approach(.seek, to: PartFrame.time(5), before: PartFrame.time(3))
    approach.decodeOn(from: PartFrame.timing(2))
    #expect(approach.move == nil && approach.candidate == PartFrame.timing(2))
    #expect(approach.didDecode(PartFrame.timing(4), isDiscarded: false, at: 0) == .onTheWay)
    #expect(approach.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .foundBefore)
    // The frame before it may be the one already.
    var next = Approach(.seek, to: PartFrame.time(5))
    next.decodeOn(from: PartFrame.timing(5))
    #expect(next.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .foundBefore)
    // Not one that lies behind the target.
    var behind = Approach(.seek, to: PartFrame.time(5))
    behind.decodeOn(from: PartFrame.timing(6))
    #expect(behind.candidate == nil && behind.didDecode(PartFrame.timing(7), isDiscarded: false, at: 0) == .again)
    behind.didMove()
    #expect(behind.didDecode(PartFrame.timing(5), isDiscarded: false, at: 0) == .onTheWay)
  }

  @Test func whatWasSeenBeforeAMoveIsNotTheFrameBefore() {
    var approach = Approach(.seek, to: PartFrame.time(5))
    approach.didMove()
    _ = approach.didDecode(PartFrame.timing(3), isDiscarded: false, at: 0)
    approach.didMove()
    #expect(approach.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .again)
  }

  // MARK: - What comes out

  @Test func aFrameThatBeginsAtTheTargetIsTheOneOnceTheNextHasCome() {
    var approach = Approach(.seek, to: PartFrame.time(2))
    approach.didMove()
    #expect(approach.didDecode(PartFrame.timing(2), isDiscarded: false, at: 0) == .onTheWay)
    #expect(approach.didDecode(PartFrame.timing(3), isDiscarded: false, at: 0) == .foundBefore)
  }

  @Test func tolerancesReachSoFarAndNoFarther() {
    func verdict(_ number: Int) -> Approach.Verdict {
      var approach = Approach(.seek, to: PartFrame.time(10), before: PartFrame.time(2), after: PartFrame.time(2))
      approach.didMove()
      return approach.didDecode(PartFrame.timing(number), isDiscarded: false, at: 0)
    }
    #expect(verdict(7) == .onTheWay, "it ends where the tolerance begins")
    #expect(verdict(8) == .found && verdict(10) == .found && verdict(12) == .found)
    #expect(verdict(13) == .again)
  }

  @Test func anotherTargetAheadIsGoneOnTo() {
    var approach = Approach(.seek, to: PartFrame.time(5))
    approach.didMove()
    _ = approach.didDecode(PartFrame.timing(4), isDiscarded: false, at: 0)
    approach.retarget(to: SeekRequest(target: PartFrame.time(8), before: PartFrame.time(1), askedAt: 0))
    #expect(approach.move == nil && approach.target == PartFrame.time(8))
    #expect(approach.didDecode(PartFrame.timing(6), isDiscarded: false, at: 0) == .onTheWay)
    #expect(approach.didDecode(PartFrame.timing(7), isDiscarded: false, at: 0) == .found, "with the new tolerance")
    approach.retarget(to: SeekRequest(target: PartFrame.time(9), askedAt: 0))
    #expect(approach.didDecode(PartFrame.timing(10), isDiscarded: false, at: 0) == .foundBefore)
  }

  @Test func framesOnTheWayAreCountedFromTheFirst() {
    var approach = Approach(.seek, to: PartFrame.time(5))
    approach.didMove()
    for n in 2..<7 { _ = approach.didDecode(PartFrame.timing(n), isDiscarded: false, at: HostTime(n) * 10) }
    #expect(approach.passed == 4 && approach.firstAt == 20, "the one behind the target is not on the way")
  }

  @Test func aTargetThatWasLeftOutIsGoneToOnceMoreWithNothingLeftOut() {
    var approach = Approach(.seek, to: PartFrame.time(5))
    approach.didMove()
    _ = approach.didDecode(PartFrame.timing(3), isDiscarded: true, at: 0)
    #expect(!approach.mustBeWhole, "it may still come")
    #expect(approach.didReachEnd(isDiscarded: true) == .again && approach.mustBeWhole)
    #expect(approach.move == .seek(PartFrame.time(5), .withFreshDecoder))
    approach.didMove()
    _ = approach.didDecode(PartFrame.timing(3), isDiscarded: false, at: 0)
    #expect(approach.didReachEnd(isDiscarded: false) == .found)
  }

  @Test func dataThatHasNothingAtItsBeginningIsReadOnceMore() {
    var approach = Approach(.refresh(), to: .zero)
    #expect(approach.move == .rewind)
    approach.didMove()
    #expect(approach.didReachEnd(isDiscarded: false) == .again && approach.move == .rewind)
    approach.didMove()
    #expect(approach.didReachEnd(isDiscarded: false) == nil)
  }
}
