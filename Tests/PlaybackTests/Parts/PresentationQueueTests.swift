import Testing

@testable import Playback

/// Frames that wait, the displayed one, and the one on the way to another.
@Suite(.timeLimit(.minutes(20))) struct PresentationQueueTests {
  /// A queue in which frames wait for a pass.
  private func waiting(_ numbers: Range<Int>, pass: Int = 0) throws -> PresentationQueue {
    var queue = PresentationQueue()
    for n in numbers { queue.append(try PartFrame.images(n), successor: nil, pass: pass) }
    return queue
  }

  private func numbers(_ queue: PresentationQueue) -> [Int] { queue.waiting.map(\.timing.number) }

  // MARK: - Waiting frames

  @Test func itIsFullBySixteenFramesOrByBytes() throws {
    var queue = try waiting(0..<15)
    #expect(!queue.isFull)
    queue.append(try PartFrame.images(15), successor: nil, pass: 0)
    #expect(queue.isFull)
    // One that is too large for the memory is taken all the same, and another to follow it.
    let large = 9 << 20
    var few = PresentationQueue()
    few.append(try PartFrame.images(0, bytes: large / 3 * 3), successor: nil, pass: 0)
    #expect(!few.isFull)
    few.append(try PartFrame.images(1), successor: nil, pass: 0)
    #expect(few.isFull && few.waitingByteCount == large / 3 * 3 + 30)
    _ = few.popFirst()
    #expect(!few.isFull)
  }

  @Test func framesLeaveInTheOrderInWhichTheyCame() throws {
    var queue = try waiting(0..<8)
    #expect(queue.popFirst()?.timing.number == 0)
    queue.removeFirst(2)
    queue.removeWaiting { $0.timing.number == 5 }
    queue.truncate(to: 9)
    #expect(numbers(queue) == [3, 4, 6, 7])
    queue.truncate(to: 2)
    #expect(numbers(queue) == [3, 4])
    queue.truncate(to: 0)
    #expect(queue.isEmpty && queue.popFirst() == nil)
  }

  @Test func theFirstOfAPassIsFoundBehindThoseOfAnother() throws {
    var queue = try waiting(8..<10, pass: 0)
    queue.append(try PartFrame.images(0), successor: nil, pass: 1)
    #expect(queue.first(of: 0)?.timing.number == 8 && queue.first(of: 1)?.timing.number == 0 && queue.first(of: 2) == nil)
  }

  @Test func theSuccessorIsOfTheLastFrameThatWaitsInItsPass() throws {
    var queue = try waiting(3..<6)
    queue.noteSuccessor(PartFrame.time(5), of: PartFrame.time(4), pass: 0)
    queue.noteSuccessor(PartFrame.time(6), of: PartFrame.time(5), pass: 1)
    #expect(queue.waiting.allSatisfy { $0.successor == nil }, "not the last one, or of another pass")
    queue.noteSuccessor(PartFrame.time(7), of: PartFrame.time(5), pass: 0)
    #expect(queue.waiting.last?.successor == PartFrame.time(7))
  }

  @Test func theSuccessorIsOfTheDisplayedFrameWhereNoneOfThePassWaits() throws {
    var queue = PresentationQueue()
    queue.present(try PartFrame.images(4), successor: nil, decoded: nil)
    #expect(queue.displayed?.end == PartFrame.time(5), "as long as it says")
    queue.noteSuccessor(PartFrame.time(6), of: PartFrame.time(3), pass: 0)
    #expect(queue.displayed?.successor == nil)
    queue.noteSuccessor(PartFrame.time(7), of: PartFrame.time(4), pass: 0)
    #expect(queue.displayed?.end == PartFrame.time(7))
    queue.append(try PartFrame.images(5), successor: nil, pass: 0)
    queue.noteSuccessor(PartFrame.time(9), of: PartFrame.time(4), pass: 0)
    #expect(queue.displayed?.successor == PartFrame.time(7), "the one that waits was decoded after it")
  }

  // MARK: - The display

  @Test func eachChangeOfWhatIsSeenHasAHigherNumber() throws {
    var queue = PresentationQueue()
    #expect(queue.visible == nil)
    var serials: [Int] = []
    func note() { serials.append(queue.visible?.serial ?? -1) }
    queue.present(try PartFrame.images(1), successor: nil, decoded: nil)
    note()
    queue.present(try PartFrame.images(1), successor: nil, decoded: nil)
    note()
    queue.replaceDisplayed(by: try PartFrame.images(1))
    note()
    queue.showPreview(try PartFrame.images(5))
    note()
    queue.showPreview(try PartFrame.images(6))
    note()
    // Another item.
    queue.removeAll()
    #expect(queue.visible == nil && queue.isEmpty)
    queue.present(try PartFrame.images(0), successor: nil, decoded: nil)
    note()
    #expect(serials == serials.sorted() && Set(serials).count == 6)
  }

  @Test func aPreviewIsSeenInPlaceOfTheDisplayedFrame() throws {
    var queue = PresentationQueue()
    queue.present(try PartFrame.images(1), successor: nil, decoded: nil)
    let serial = queue.visible?.serial
    queue.showPreview(try PartFrame.images(5))
    #expect(queue.previewTime == PartFrame.time(5) && queue.displayed?.timing.number == 1)
    #expect(queue.visible?.frame.timing.number == 5 && queue.visible?.frame.frames[0].isApproximate == true)
    queue.dropPreview()
    #expect(queue.previewTime == nil && queue.visible?.frame.timing.number == 1)
    // Whoever took the preview takes this one again.
    #expect(queue.visible?.serial == serial && queue.visible?.frame.frames[0].isApproximate == false)
    queue.showPreview(try PartFrame.images(5))
    queue.present(try PartFrame.images(6), successor: nil, decoded: nil)
    #expect(queue.previewTime == nil && queue.visible?.frame.timing.number == 6)
  }

  @Test func onlyTheDisplayedFrameIsReplaced() throws {
    var queue = PresentationQueue()
    queue.replaceDisplayed(by: try PartFrame.images(1))
    #expect(queue.displayed == nil)
    queue.present(try PartFrame.images(1), successor: PartFrame.time(3), decoded: PartFrame.Decoded(1))
    let serial = queue.visible?.serial
    queue.replaceDisplayed(by: try PartFrame.images(2, bytes: 60))
    #expect(queue.displayed?.frame.byteCount == 30 && queue.visible?.serial == serial)
    queue.replaceDisplayed(by: try PartFrame.images(1, bytes: 60))
    #expect(queue.displayed?.frame.byteCount == 60 && queue.visible?.serial != serial)
    #expect(queue.displayed?.decoded != nil && queue.displayed?.successor == PartFrame.time(3))
  }

  @Test func ofTheDisplayedFrameTheDecodedOneIsKept() throws {
    var queue = PresentationQueue()
    queue.present(try PartFrame.images(1), successor: nil, decoded: nil)
    let serial = queue.visible?.serial
    queue.keepDecoded(PartFrame.Decoded(2))
    #expect(queue.displayed?.decoded == nil, "another frame")
    let decoded = PartFrame.Decoded(1)
    queue.keepDecoded(decoded)
    #expect(queue.displayed?.decoded === decoded && queue.visible?.serial == serial)
    queue.present(try PartFrame.images(1), successor: nil, decoded: nil)
    #expect(queue.displayed?.decoded == nil, "it came from the cache")
  }

  @Test func whatIsLearntOfTheDisplayedFrameIsNoChange() throws {
    var queue = PresentationQueue()
    queue.setDisplayedTiming(PartFrame.timing(3))
    #expect(queue.displayed == nil)
    queue.present(try PartFrame.images(1), successor: nil, decoded: nil)
    let serial = queue.visible?.serial
    var timing = PartFrame.timing(1)
    timing.number = 41
    queue.setDisplayedTiming(timing)
    #expect(queue.displayed?.timing.number == 41 && queue.visible?.serial == serial)
  }
}
