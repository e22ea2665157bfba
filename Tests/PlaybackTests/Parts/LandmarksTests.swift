import Testing

@testable import Playback

/// Every n-th of the frames that did not fit.
@Suite struct LandmarksTests {
  private func entry(_ number: Int, bytes: Int = 30) throws -> FrameCache.Entry {
    FrameCache.Entry(frame: try PartFrame.images(number, bytes: bytes), successor: PartFrame.time(number + 1))
  }

  private func held(_ landmarks: Landmarks, below end: Int = 1000) -> [Int] {
    (-64..<end).filter { landmarks.entry(holding: PartFrame.time($0)) != nil }
  }

  @Test func everyEighthIsWantedOnce() throws {
    var landmarks = Landmarks()
    for n in [3, 16, 8, -8, 9, 8, 0] { landmarks.add(try entry(n), limit: 1000) }
    #expect(held(landmarks) == [-8, 0, 8, 16] && landmarks.byteCount == 120)
    #expect(!landmarks.wants(PartFrame.timing(8)) && landmarks.wants(PartFrame.timing(24)))
    #expect(!landmarks.wants(PartFrame.timing(25)))
  }

  @Test func whereTheyAreTooManyEveryOtherGoes() throws {
    var landmarks = Landmarks()
    for n in 0..<40 { landmarks.add(try entry(n), limit: 120) }
    #expect(landmarks.stride == 16 && held(landmarks) == [0, 16, 32] && landmarks.byteCount == 90)
    landmarks.shrink(to: 89)
    #expect(landmarks.stride == 32 && held(landmarks) == [0, 32])
    landmarks.shrink(to: 60)
    #expect(held(landmarks) == [0, 32], "just enough")
  }

  @Test func oneThatDoesNotFitIsNotKept() throws {
    var landmarks = Landmarks()
    landmarks.add(try entry(8), limit: 100)
    landmarks.add(try entry(16, bytes: 102), limit: 100)
    #expect(held(landmarks) == [8] && landmarks.stride == 8)
    landmarks.add(try entry(24), limit: 0)
    #expect(held(landmarks) == [8])
  }

  @Test(arguments: [0, 29, -1]) func whereNoneFitsNoneIsLeft(limit: Int) throws {
    var landmarks = Landmarks()
    for n in [0, 8, 24, 1 << 30] { landmarks.add(try entry(n), limit: 1000) }
    landmarks.shrink(to: max(0, limit))
    #expect(landmarks.byteCount == 0 && held(landmarks).isEmpty)
    // As many as at first are wanted when there is room again.
    landmarks.add(try entry(8), limit: 1000)
    #expect(held(landmarks) == [8])
  }

  @Test func oneThatIsTakenOutIsWantedAgain() throws {
    var landmarks = Landmarks()
    for n in [0, 8, 16] { landmarks.add(try entry(n), limit: 1000) }
    landmarks.remove(at: PartFrame.time(8))
    landmarks.remove(at: PartFrame.time(9))
    #expect(held(landmarks) == [0, 16] && landmarks.byteCount == 60 && landmarks.wants(PartFrame.timing(8)))
  }

  @Test func theNearestIsFoundFromAnywhere() throws {
    var landmarks = Landmarks()
    #expect(landmarks.entry(nearest: .zero) == nil)
    for n in [16, 0, 8] { landmarks.add(try entry(n), limit: 1000) }
    let found = [-5, 3, 4, 5, 13, 500].map { landmarks.entry(nearest: PartFrame.time($0))?.timing.number }
    #expect(found == [0, 0, 0, 8, 16, 16])
    #expect(landmarks.entry(holding: PartFrame.time(9)) == nil, "it lasts until then only")
  }
}
