import Testing

@testable import Playback

/// Frames that are kept, within bytes, and how they are found.
@Suite(.timeLimit(.minutes(20))) struct FrameCacheTests {
  private func time(_ seconds: Int) -> MediaTime { PartFrame.time(seconds) }

  /// A cache for so many frames of 30 bytes, with some in it that follow each other as their numbers do.
  private func cache(room: Int, center: Int = 0, _ numbers: Int...) throws -> FrameCache {
    var cache = FrameCache()
    cache.select([PartFrame.request])
    cache.setBudget(room * 30)
    cache.moveCenter(to: time(center))
    for n in numbers { cache.insert(try PartFrame.images(n), successor: time(n + 1)) }
    return cache
  }

  private func numbers(_ cache: FrameCache) -> [Int] {
    cache.ranges.flatMap { range in Int(range.start.seconds)..<Int(range.end.seconds) }
  }

  // MARK: - What is kept

  @Test func withoutABudgetNothingIsKept() throws {
    var cache = try cache(room: 0, 1)
    #expect(cache.count == 0 && cache.byteCount == 0 && !cache.hasRoom(for: PartFrame.timing(1), bytes: 3))
    cache.setBudget(-100)
    #expect(cache.limit == 0 && !cache.hasRoom(for: PartFrame.timing(1), bytes: 3))
    #expect(!cache.hasRoom(for: PartFrame.timing(1), bytes: 0), "nothing is displayed yet that would tell a size")
    cache.insert(try PartFrame.images(1), successor: nil)
    #expect(cache.count == 0)
  }

  @Test func aFloorHoldsWhateverTheBudget() throws {
    var cache = try cache(room: 0)
    cache.setFloor(60)
    #expect(cache.limit == 60)
    cache.insert(try PartFrame.images(1), successor: nil)
    cache.setBudget(0)
    #expect(cache.count == 1)
    cache.setBudget(90)
    #expect(cache.limit == 90)
    cache.setBudget(0)
    cache.setFloor(0)
    #expect(cache.limit == 0 && cache.count == 0)
  }

  @Test func whatIsFarGoesFirst() throws {
    var cache = try cache(room: 3, center: 11, 9, 10, 11, 13)
    #expect(numbers(cache) == [10, 11, 13], "9 lies as far, but behind")
    cache.moveCenter(to: time(13))
    cache.insert(try PartFrame.images(12), successor: time(13))
    #expect(numbers(cache) == [11, 12, 13])
    cache.setBudget(60)
    #expect(numbers(cache) == [12, 13] && cache.byteCount == 60)
    cache.setBudget(0)
    #expect(cache.count == 0 && cache.byteCount == 0)
  }

  /// A run forward does not reach beyond frames that were left out to save time: they are still to be shown.
  @Test func aRunForwardEndsWhereFramesWereLeftOut() throws {
    var cache = try cache(room: 9, 0, 1, 4, 5)
    cache.insert(try PartFrame.images(2), successor: nil)
    cache.note(nextDecoded: time(4), of: time(2))
    let run = cache.contiguousFrames(from: time(0), limit: .max)
    #expect(run.map(\.timing.pts) == [time(0), time(1), time(2)])
    #expect(run.end == time(3) && run.knownEnd == time(2).nanoseconds)
  }

  @Test func againstTheDirectionOfTravelTwiceAsMuchCounts() throws {
    var on = try cache(room: 4, center: 20, 17, 20, 21, 23)
    on.insert(try PartFrame.images(25), successor: time(26))
    #expect(numbers(on) == [20, 21, 23, 25], "3 behind is farther than 5 ahead")
    var back = try cache(room: 4, center: 21, 17, 20, 21, 23)
    back.moveCenter(to: time(20))
    back.insert(try PartFrame.images(15), successor: time(16))
    #expect(numbers(back) == [15, 17, 20, 21])
    // The direction stays while the display does.
    back.moveCenter(to: time(20))
    #expect(back.isMovingBack)
    back.moveCenter(to: time(21))
    #expect(!back.isMovingBack)
    back.expectGoingBack()
    #expect(back.isMovingBack && back.center == time(21))
  }

  @Test func aFrameIsCachedOnce() throws {
    var cache = try cache(room: 10, 5)
    cache.insert(try PartFrame.images(5, bytes: 60), successor: nil)
    #expect(cache.count == 1 && cache.byteCount == 60)
    #expect(cache.entry(holding: time(5))?.successor == time(6), "what was known of it stays")
    cache.insert(try PartFrame.images(5), successor: time(9))
    #expect(cache.byteCount == 30 && cache.entry(holding: time(8))?.timing.number == 5)
    cache.removeAll()
    #expect(cache.count == 0 && cache.byteCount == 0 && cache.entry(nearest: .zero) == nil)
  }

  @Test func thereIsRoomForWhatWouldNotGoFirst() throws {
    let cache = try cache(room: 3, center: 11, 10, 11, 13)
    func hasRoom(_ number: Int, bytes: Int = 30) -> Bool { cache.hasRoom(for: PartFrame.timing(number), bytes: bytes) }
    #expect(hasRoom(12) && !hasRoom(14) && !hasRoom(9), "10 goes, or 13")
    // Every answer is what comes of it.
    for number in 9..<15 where number != 10 && number != 11 && number != 13 {
      var after = cache
      after.insert(try PartFrame.images(number), successor: nil)
      #expect((after.entry(before: time(number + 1)) != nil || after.entry(nearest: time(number))?.timing.number == number)
        == hasRoom(number), "\(number)")
    }
    #expect(!hasRoom(12, bytes: 93), "it is larger than all that is kept")
  }

  // MARK: - Requests

  private let small = PartFrame.request
  private let large = PartFrame.request(width: 100)

  /// A cache for so many images of 30 bytes, with the frames 0 to 3 for both sizes, of which the small one is selected last.
  private func cacheOfTwoSizes(room: Int) throws -> FrameCache {
    var cache = try cache(room: room)
    for request in [large, small] {
      cache.select([request])
      for n in 0..<4 { cache.insert(try PartFrame.images(PartFrame.timing(n), requests: [request]), successor: time(n + 1)) }
    }
    return cache
  }

  @Test func anotherSizeDoesNotDiscardTheFormerOne() throws {
    var cache = try cacheOfTwoSizes(room: 8)
    #expect(cache.count == 4 && cache.byteCount == 240)
    for request in [small, large] {
      cache.select([request])
      #expect(numbers(cache) == [0, 1, 2, 3])
      #expect(cache.entry(holding: time(2))?.frame.isMade(for: [request]) == true)
    }
    cache.select([small, large])
    #expect(numbers(cache) == [0, 1, 2, 3], "each has both")
    cache.select([PartFrame.request(width: 50)])
    #expect(cache.ranges.isEmpty && cache.entry(holding: time(2)) == nil && cache.entry(before: time(2)) == nil)
    #expect(cache.entry(nearest: time(2)) == nil && cache.contiguousFrames(from: time(0), limit: 9).isEmpty)
    #expect(cache.contiguousFrames(before: time(4)).count == 0 && cache.count(between: time(0), time(4)) == 0)
    cache.select([])
    #expect(cache.ranges.isEmpty)
  }

  @Test func aRunEndsAtAFrameWithoutTheSelectedSize() throws {
    var cache = try cacheOfTwoSizes(room: 20)
    cache.insert(try PartFrame.images(4), successor: time(5))
    #expect(cache.contiguousFrames(from: time(2), limit: 9).map(\.timing.number) == [2, 3, 4])
    cache.select([large])
    #expect(cache.contiguousFrames(from: time(2), limit: 9).map(\.timing.number) == [2, 3])
    #expect(cache.contiguousFrames(before: time(5)) == (0, time(5)) && cache.contiguousFrames(before: time(4)) == (4, time(0)))
  }

  @Test func imagesOfFormerSizesGoFirst() throws {
    var cache = try cacheOfTwoSizes(room: 8)
    #expect(cache.hasRoom(for: PartFrame.timing(100), bytes: 30))
    cache.insert(try PartFrame.images(100), successor: nil)
    #expect(cache.byteCount == 150)
    #expect(cache.entry(holding: time(0))?.frame.isMade(for: [small]) == true)
    cache.select([large])
    #expect(cache.ranges.isEmpty)
  }

  @Test func theSizeSelectedLongestAgoGoesBeforeOthers() throws {
    var cache = try cache(room: 4)
    let requests = [1, 2, 3].map { PartFrame.request(width: $0) }
    for request in requests + [requests[0]] {
      cache.select([request])
      cache.insert(try PartFrame.images(PartFrame.timing(0), requests: [request]), successor: time(1))
    }
    cache.setBudget(60)
    for (request, isKept) in zip(requests, [true, false, true]) {
      cache.select([request])
      #expect((cache.entry(at: time(0)) != nil) == isKept)
    }
  }

  @Test func whatLiesLongBeforeIsDropped() throws {
    var cache = try cache(room: 20, 1, 2, 3, 4, 5)
    cache.trim(before: time(5), seconds: 2)
    #expect(numbers(cache) == [3, 4, 5] && cache.byteCount == 90)
    cache.trim(before: time(1), seconds: 0)
    #expect(cache.count == 3)
    cache.trim(before: time(100), seconds: 0)
    #expect(cache.count == 0 && cache.byteCount == 0)
  }

  // MARK: - How it is found

  @Test func aTimeIsHeldByTheFrameBeforeItWhereItIsKnownToLastSoLong() throws {
    var cache = try cache(room: 20, 3, 5)
    cache.insert(try PartFrame.images(8), successor: nil)
    #expect(cache.entry(holding: MediaTime(value: 7, timescale: 2))?.timing.number == 3)
    #expect(cache.entry(holding: time(4)) == nil && cache.entry(holding: time(2)) == nil)
    #expect(cache.entry(holding: time(8))?.timing.number == 8, "it begins there")
    #expect(cache.entry(holding: MediaTime(value: 17, timescale: 2)) == nil, "who knows what follows")
    cache.note(nextDecoded: time(11), of: time(8))
    #expect(cache.entry(holding: time(9)) == nil && cache.entry(displayedAt: time(9))?.timing.number == 8)
    #expect(cache.entry(displayedAt: time(11)) == nil)
    cache.note(successor: time(9), of: time(8))
    #expect(cache.entry(displayedAt: time(9)) == nil, "what is certain comes first")
    // Of what is not cached nothing is learnt.
    cache.note(successor: time(50), of: time(4))
    cache.note(nextDecoded: time(50), of: time(4))
    #expect(cache.count == 3 && cache.entry(displayedAt: time(4)) == nil)
  }

  @Test func theNearestFrameIsNotOfOneSideOnly() throws {
    let cache = try cache(room: 20, 4, 8)
    let found = [-9, 4, 5, 6, 7, 8, 99].map { cache.entry(nearest: time($0))?.timing.number }
    #expect(found == [4, 4, 4, 4, 8, 8, 8])
  }

  @Test func contiguousFramesEndAtTheFirstGap() throws {
    var cache = try cache(room: 20, 1, 2, 3, 5, 6)
    func frames(from start: Int, limit: Int = .max) -> [Int] {
      cache.contiguousFrames(from: time(start), limit: limit).map(\.timing.number)
    }
    #expect(frames(from: 1) == [1, 2, 3] && frames(from: 2, limit: 1) == [2] && frames(from: 1, limit: 0) == [])
    #expect(frames(from: 4) == [] && frames(from: 9) == [] && frames(from: 0) == [] && frames(from: 5) == [5, 6])
    cache.note(successor: time(5), of: time(3))
    #expect(frames(from: 1) == [1, 2, 3, 5, 6] && frames(from: 1, limit: 4) == [1, 2, 3, 5])
    cache.insert(try PartFrame.images(10), successor: nil)
    cache.insert(try PartFrame.images(11), successor: nil)
    #expect(frames(from: 10) == [10], "it is not known what follows")
  }

  @Test func contiguousFramesBeforeOneEndAtTheFirstGap() throws {
    var cache = try cache(room: 20, 1, 2, 4, 5)
    for (time, expected) in [(6, (2, 4)), (3, (2, 1)), (4, (0, 4)), (1, (0, 1))] {
      let (count, start) = cache.contiguousFrames(before: self.time(time))
      #expect(count == expected.0 && start == self.time(expected.1))
    }
    // Frames between were left out to save time.
    cache.note(nextDecoded: time(4), of: time(2))
    #expect(cache.contiguousFrames(before: time(6)) == (2, time(4)), "its successor is known")
    cache.insert(try PartFrame.images(8), successor: nil)
    #expect(cache.contiguousFrames(before: time(11)).count == 0)
    cache.note(nextDecoded: time(11), of: time(8))
    #expect(cache.contiguousFrames(before: time(11)) == (1, time(8)))
  }

  @Test func theFrameBeforeIsTheOneThatTheStreamHasThere() throws {
    var cache = try cache(room: 20, 1, 2)
    #expect(cache.entry(before: time(3))?.timing.number == 2 && cache.entry(before: time(2))?.timing.number == 1)
    #expect(cache.entry(before: time(1)) == nil && cache.entry(before: time(4)) == nil)
    cache.insert(try PartFrame.images(5), successor: nil)
    cache.note(nextDecoded: time(9), of: time(5))
    #expect(cache.entry(before: time(9)) == nil, "others may lie between")
  }

  @Test func framesBetweenTwoAreCountedWhetherTheseAreCachedOrNot() throws {
    let cache = try cache(room: 20, 2, 3, 5, 6)
    func count(_ first: Int, _ second: Int) -> Int { cache.count(between: time(first), time(second)) }
    #expect(count(2, 6) == 2 && count(2, 3) == 0 && count(2, 9) == 3)
    #expect(count(1, 5) == 2 && count(4, 6) == 1 && count(0, 2) == 0)
    #expect(count(3, 3) == 0 && count(6, 2) == 0)
  }

  @Test func rangesJoinWhereFramesMeet() throws {
    var cache = try cache(room: 20, 1, 2, 5)
    #expect(cache.ranges == [TimeRange(start: time(1), end: time(3)), TimeRange(start: time(5), end: time(6))])
    // Where nothing is known of what follows a frame is as long as it says.
    cache.insert(try PartFrame.images(4), successor: nil)
    cache.note(successor: time(4), of: time(2))
    #expect(cache.ranges == [TimeRange(start: time(1), end: time(6))])
    cache.removeAll()
    #expect(cache.ranges.isEmpty)
  }
}
