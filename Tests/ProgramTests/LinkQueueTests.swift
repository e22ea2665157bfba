import Testing

@testable import TerminalHarness

/// The model of a link, with a hand-moved clock.
@Suite(.timeLimit(.minutes(10))) struct LinkQueueTests {
  private func put(_ count: Int, into link: inout LinkQueue, at now: Double) {
    [UInt8](repeating: 0x61, count: count).withUnsafeBufferPointer { link.put($0, at: now) }
  }

  private func arrived(_ link: inout LinkQueue, at now: Double) -> Int {
    var count = 0
    while let bytes = link.take(at: now) { count += bytes.count }
    return count
  }

  @Test func bytesArriveAtTheRateAndAfterTheDelay() {
    var link = LinkQueue(rate: 1000, buffer: 5000, delay: 0.05)
    put(1000, into: &link, at: 10)
    #expect(arrived(&link, at: 10.05) == 0)
    let half = arrived(&link, at: 10.55)
    #expect((490...500).contains(half))
    #expect(arrived(&link, at: 11.051) == 1000 - half)
    #expect(link.isEmpty && link.nextArrival == nil)
  }

  @Test func theBufferIsBoundedAndDrains() {
    var link = LinkQueue(rate: 1000, buffer: 500, delay: 1)
    #expect(link.room(at: 0) == 500)
    put(500, into: &link, at: 0)
    #expect(link.room(at: 0) == 0)
    // What has left takes no room, though nothing has arrived yet.
    #expect((249...250).contains(link.room(at: 0.25)) && arrived(&link, at: 0.25) == 0)
    #expect(link.roomTime(after: 0) > 0 && link.room(at: link.roomTime(after: 0) + 0.001) > 0)
    #expect(link.room(at: 3) == 500)
  }

  @Test func anIdleLinkSavesNothingUp() {
    var link = LinkQueue(rate: 1000, buffer: 5000, delay: 0)
    put(10, into: &link, at: 0)
    put(1000, into: &link, at: 100)
    #expect(arrived(&link, at: 100) == 10)
    #expect((490...500).contains(arrived(&link, at: 100.5)))
  }

  @Test func postponingMovesEverything() {
    var link = LinkQueue(rate: 1000, buffer: 5000, delay: 0)
    put(100, into: &link, at: 0)
    link.postpone(by: 5)
    #expect(arrived(&link, at: 5) == 0 && link.room(at: 5) == 4900)
    #expect(arrived(&link, at: 5.11) == 100)
  }
}
