import Testing

@testable import Playback

/// How long an item is: announced, guessed, played to, decoded.
@Suite struct ItemExtentTests {
  private let second: Int64 = 1_000_000_000

  private func changed(_ seconds: Int) -> PlayerEvent { .durationChanged(PartFrame.time(seconds)) }

  @Test func anEndAsAnnouncedIsNoNews() {
    var extent = ItemExtent(announced: PartFrame.time(10))
    #expect(extent.note(end: 10 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.knownEnd == 10 * second && extent.duration == PartFrame.time(10))
    var unknown = ItemExtent()
    #expect(unknown.duration == .indefinite)
    #expect(unknown.note(end: 10 * second, isGuess: false, isCutOff: false) == [changed(10)])
    #expect(unknown.duration == PartFrame.time(10))
  }

  @Test func theEndThatWasPlayedToStays() {
    var extent = ItemExtent(announced: PartFrame.time(10))
    #expect(extent.note(end: 11 * second, isGuess: false, isCutOff: false) == [changed(11)])
    #expect(extent.note(end: 12 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.note(end: 9 * second, isGuess: true, isCutOff: false) == [])
    #expect(extent.knownEnd == 11 * second)
  }

  @Test func aGuessIsCorrectedByWhatIsCertainAndByNoOtherGuess() {
    var extent = ItemExtent(announced: PartFrame.time(10))
    #expect(extent.note(end: 12 * second, isGuess: true, isCutOff: false) == [changed(12)])
    #expect(extent.note(end: 13 * second, isGuess: true, isCutOff: false) == [])
    #expect(extent.knownEnd == 12 * second)
    // Also back to what was announced: it is another length than was told.
    #expect(extent.note(end: 10 * second, isGuess: false, isCutOff: false) == [changed(10)])
    #expect(extent.note(end: 11 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.knownEnd == 10 * second)
  }

  @Test func aGuessThatProvesRightStays() {
    var extent = ItemExtent()
    _ = extent.note(end: 5 * second, isGuess: true, isCutOff: false)
    #expect(extent.note(end: 5 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.note(end: 6 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.knownEnd == 5 * second)
  }

  /// More than a second and more than a twentieth have to be missing.
  @Test(arguments: [(10, 9_000, false), (10, 8_999, true), (100, 95_000, false), (100, 94_999, true)])
  func muchHasToBeMissing(announced: Int, end: Int64, isEarly: Bool) {
    var extent = ItemExtent(announced: PartFrame.time(announced))
    let events = extent.note(end: end * 1_000_000, isGuess: false, isCutOff: false)
    let told = PlayerEvent.endedEarly(at: MediaTime(value: end, timescale: 1000), announced: PartFrame.time(announced))
    #expect(events.contains(told) == isEarly)
    var estimate = ItemExtent(announced: PartFrame.time(announced), isEstimate: true)
    #expect(!estimate.note(end: end * 1_000_000, isGuess: false, isCutOff: false).contains(told))
  }

  @Test func anEarlyEndIsToldOnce() {
    var extent = ItemExtent(announced: PartFrame.time(10))
    let early = PlayerEvent.endedEarly(at: PartFrame.time(5), announced: PartFrame.time(10))
    #expect(extent.note(end: 5 * second, isGuess: false, isCutOff: false) == [changed(5), early])
    #expect(extent.note(end: 5 * second, isGuess: false, isCutOff: true) == [])
    // Found to be cut off only after the end was known; nothing announced lies behind it.
    var cut = ItemExtent(announced: PartFrame.time(10))
    #expect(cut.note(end: 10 * second, isGuess: false, isCutOff: false) == [])
    #expect(
      cut.note(end: 10 * second, isGuess: false, isCutOff: true)
        == [.endedEarly(at: PartFrame.time(10), announced: .indefinite)])
    #expect(cut.note(end: 4 * second, isGuess: false, isCutOff: true) == [], "another end than the known one")
  }

  @Test func aDecodeOfTheWholeClipTellsTheEnd() {
    var extent = ItemExtent(announced: PartFrame.time(10))
    #expect(extent.noteDecoded(end: 11 * second, isCutOff: false) == [changed(11)])
    #expect(extent.noteDecoded(end: 11 * second, isCutOff: false) == [])
    #expect(extent.note(end: 12 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.knownEnd == 11 * second)
    var announced = ItemExtent(announced: PartFrame.time(10))
    #expect(announced.noteDecoded(end: 10 * second, isCutOff: false) == [], "as long as was announced")
    #expect(announced.knownEnd == 10 * second)
  }

  @Test func aDecodeMakesAGuessCertain() {
    var extent = ItemExtent()
    _ = extent.note(end: 5 * second, isGuess: true, isCutOff: false)
    #expect(extent.noteDecoded(end: 5 * second, isCutOff: false) == [])
    #expect(extent.note(end: 6 * second, isGuess: false, isCutOff: false) == [])
    #expect(extent.knownEnd == 5 * second)
    _ = extent.noteDecoded(end: 4 * second, isCutOff: false)
    #expect(extent.knownEnd == 4 * second)
  }

  @Test func theLengthStaysAsAnnouncedUntilPlayingComesToWhereTheDataEnds() {
    var extent = ItemExtent(announced: PartFrame.time(10))
    let early = PlayerEvent.endedEarly(at: PartFrame.time(5), announced: PartFrame.time(10))
    #expect(extent.noteDecoded(end: 5 * second, isCutOff: false) == [early])
    #expect(extent.knownEnd == nil && extent.duration == PartFrame.time(10))
    // Told already.
    #expect(extent.note(end: 5 * second, isGuess: false, isCutOff: true) == [changed(5)])
    #expect(extent.duration == PartFrame.time(5))
  }
}
