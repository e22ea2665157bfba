import Testing

@testable import Playback

/// Who looks, at what, and what each has taken.
@Suite(.timeLimit(.minutes(20))) struct OutputSetTests {
  private let small = PartFrame.request(width: 10)
  private let large = PartFrame.request(width: 20)

  @Test func eachRequestIsMadeOnceInTheOrderOfOutputs() {
    var outputs = OutputSet()
    let ids = (0..<3).map { _ in outputs.add() }
    #expect(Set(ids).count == 3 && !outputs.isVisible)
    outputs.setRequest(large, of: ids[2])
    outputs.setRequest(small, of: ids[0])
    outputs.setRequest(large, of: ids[1])
    #expect(outputs.requests == [small, large] && outputs.isVisible)
    outputs.setRequest(small, of: ids[1])
    #expect(outputs.requests == [small, large])
    outputs.setRequest(nil, of: ids[2])
    #expect(outputs.requests == [small] && outputs.request(of: ids[2]) == nil && outputs.request(of: ids[1]) == small)
  }

  @Test func theLastRequestsStayWhenAllGoAway() {
    var outputs = OutputSet()
    let (first, second) = (outputs.add(), outputs.add())
    outputs.setRequest(small, of: first)
    outputs.setRequest(large, of: second)
    outputs.setRequest(nil, of: first)
    outputs.remove(second)
    #expect(outputs.requests.isEmpty && !outputs.isVisible && outputs.lastRequests == [large])
    outputs.setRequest(small, of: first)
    #expect(outputs.lastRequests == [small])
  }

  @Test func whoIsGoneAsksForNothing() {
    var outputs = OutputSet()
    let gone = outputs.add()
    outputs.remove(gone)
    outputs.setRequest(small, of: gone)
    outputs.didTake(1, by: gone)
    #expect(!outputs.isVisible && outputs.request(of: gone) == nil)
    #expect(!outputs.isNew(1, for: gone) && !outputs.hasBeenTaken(1))
    #expect(outputs.add() != gone, "a number is not given again")
  }

  @Test func eachTakesForItself() {
    var outputs = OutputSet()
    let (first, second) = (outputs.add(), outputs.add())
    #expect(outputs.isNew(1, for: first) && !outputs.hasBeenTaken(1))
    outputs.didTake(1, by: first)
    #expect(!outputs.isNew(1, for: first) && outputs.isNew(1, for: second) && outputs.hasBeenTaken(1))
    #expect(outputs.isNew(2, for: first) && !outputs.hasBeenTaken(2))
    outputs.didTake(2, by: second)
    // A preview that was dropped: what was taken before it is to be seen again.
    outputs.didTake(3, by: first)
    #expect(outputs.isNew(1, for: first))
  }

  @Test func ofAnotherItemNothingHasBeenTaken() {
    var outputs = OutputSet()
    let id = outputs.add()
    outputs.setRequest(small, of: id)
    outputs.didTake(1, by: id)
    outputs.forgetTaken()
    #expect(outputs.isNew(1, for: id) && !outputs.hasBeenTaken(1) && outputs.request(of: id) == small)
  }
}
