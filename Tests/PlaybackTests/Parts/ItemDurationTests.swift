import Testing

@testable import Playback

/// The duration of an item: announced, guessed, played to, decoded.
@Suite(.timeLimit(.minutes(20))) struct ItemDurationTests {
  private let second: Int64 = 1_000_000_000

  private func changed(_ seconds: Int) -> PlayerEvent { .durationChanged(PartFrame.time(seconds)) }

  @Test func anEndAsAnnouncedIsNoNews() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    #expect(duration.note(end: 10 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.knownEnd == 10 * second && duration.value == PartFrame.time(10))
    var unknown = ItemDuration()
    #expect(unknown.value == .indefinite)
    #expect(unknown.note(end: 10 * second, isGuess: false, isCutOff: false) == [changed(10)])
    #expect(unknown.value == PartFrame.time(10))
  }

  @Test func whatIsAtTheEnd() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    #expect(!duration.isAtEnd(PartFrame.time(11)) && duration.expectedEnd == 10 * second, "announced only")
    #expect(duration.isBehindAnnounced(10 * second) && !duration.isBehindAnnounced(9 * second))
    #expect(duration.lastTime(displaying: nil) == PartFrame.time(10))
    let behind = FrameTiming(pts: PartFrame.time(11), duration: PartFrame.time(1))
    #expect(duration.lastTime(displaying: behind) == PartFrame.time(12))
    _ = duration.note(end: 8 * second, isGuess: false, isCutOff: false)
    #expect(duration.isAtEnd(PartFrame.time(8)) && !duration.isAtEnd(MediaTime(value: 7999, timescale: 1000)))
    #expect(duration.expectedEnd == 8 * second && !duration.isBehindAnnounced(11 * second))
    #expect(duration.lastTime(displaying: behind) == PartFrame.time(8))
    #expect(ItemDuration().lastTime(displaying: behind) == .positiveInfinity && !ItemDuration().isAtEnd(.zero))
  }

  @Test func aGuessReachesToWhatIsAnnounced() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    #expect(duration.note(end: 9 * second, isGuess: true, isCutOff: false) == [])
    #expect(duration.knownEnd == 10 * second)
  }

  @Test func theEndThatWasPlayedToStays() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    #expect(duration.note(end: 11 * second, isGuess: false, isCutOff: false) == [changed(11)])
    #expect(duration.note(end: 12 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.note(end: 9 * second, isGuess: true, isCutOff: false) == [])
    #expect(duration.knownEnd == 11 * second)
  }

  @Test func aGuessIsCorrectedByWhatIsCertainAndByNoOtherGuess() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    #expect(duration.note(end: 12 * second, isGuess: true, isCutOff: false) == [changed(12)])
    #expect(duration.note(end: 13 * second, isGuess: true, isCutOff: false) == [])
    #expect(duration.knownEnd == 12 * second)
    // Also back to what was announced: it is another length than was told.
    #expect(duration.note(end: 10 * second, isGuess: false, isCutOff: false) == [changed(10)])
    #expect(duration.note(end: 11 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.knownEnd == 10 * second)
  }

  @Test func aGuessThatProvesRightStays() {
    var duration = ItemDuration()
    _ = duration.note(end: 5 * second, isGuess: true, isCutOff: false)
    #expect(duration.note(end: 5 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.note(end: 6 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.knownEnd == 5 * second)
  }

  /// More than a second and more than a twentieth have to be missing.
  @Test(arguments: [(10, 9_000, false), (10, 8_999, true), (100, 95_000, false), (100, 94_999, true)])
  func muchHasToBeMissing(announced: Int, end: Int64, isEarly: Bool) {
    var duration = ItemDuration(announced: PartFrame.time(announced))
    let events = duration.note(end: end * 1_000_000, isGuess: false, isCutOff: false)
    let told = PlayerEvent.endedEarly(at: MediaTime(value: end, timescale: 1000), announced: PartFrame.time(announced))
    #expect(events.contains(told) == isEarly)
    var estimate = ItemDuration(announced: PartFrame.time(announced), isEstimate: true)
    #expect(!estimate.note(end: end * 1_000_000, isGuess: false, isCutOff: false).contains(told))
  }

  @Test func anEarlyEndIsToldOnce() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    let early = PlayerEvent.endedEarly(at: PartFrame.time(5), announced: PartFrame.time(10))
    #expect(duration.note(end: 5 * second, isGuess: false, isCutOff: false) == [changed(5), early])
    #expect(duration.note(end: 5 * second, isGuess: false, isCutOff: true) == [])
    // Found to be cut off only after the end was known; nothing announced lies behind it.
    var cut = ItemDuration(announced: PartFrame.time(10))
    #expect(cut.note(end: 10 * second, isGuess: false, isCutOff: false) == [])
    #expect(
      cut.note(end: 10 * second, isGuess: false, isCutOff: true)
        == [.endedEarly(at: PartFrame.time(10), announced: .indefinite)])
    #expect(cut.note(end: 4 * second, isGuess: false, isCutOff: true) == [], "another end than the known one")
  }

  @Test func aDecodeOfTheWholeClipTellsTheEnd() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    #expect(duration.noteDecoded(end: 11 * second, isCutOff: false) == [changed(11)])
    #expect(duration.noteDecoded(end: 11 * second, isCutOff: false) == [])
    #expect(duration.note(end: 12 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.knownEnd == 11 * second)
    var announced = ItemDuration(announced: PartFrame.time(10))
    #expect(announced.noteDecoded(end: 10 * second, isCutOff: false) == [], "as long as was announced")
    #expect(announced.knownEnd == 10 * second)
  }

  @Test func aDecodeMakesAGuessCertain() {
    var duration = ItemDuration()
    _ = duration.note(end: 5 * second, isGuess: true, isCutOff: false)
    #expect(duration.noteDecoded(end: 5 * second, isCutOff: false) == [])
    #expect(duration.note(end: 6 * second, isGuess: false, isCutOff: false) == [])
    #expect(duration.knownEnd == 5 * second)
    _ = duration.noteDecoded(end: 4 * second, isCutOff: false)
    #expect(duration.knownEnd == 4 * second)
  }

  @Test func theLengthStaysAsAnnouncedUntilPlayingComesToWhereTheDataEnds() {
    var duration = ItemDuration(announced: PartFrame.time(10))
    let early = PlayerEvent.endedEarly(at: PartFrame.time(5), announced: PartFrame.time(10))
    #expect(duration.noteDecoded(end: 5 * second, isCutOff: false) == [early])
    #expect(duration.knownEnd == nil && duration.value == PartFrame.time(10))
    // Told already.
    #expect(duration.note(end: 5 * second, isGuess: false, isCutOff: true) == [changed(5)])
    #expect(duration.value == PartFrame.time(5))
  }
}
