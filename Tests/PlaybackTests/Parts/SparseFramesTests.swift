import Testing

@testable import Playback

/// Every n-th of the frames that did not fit.
@Suite(.timeLimit(.minutes(20))) struct SparseFramesTests {
  private func entry(_ number: Int, bytes: Int = 30) throws -> FrameCache.Entry {
    FrameCache.Entry(frame: try PartFrame.images(number, bytes: bytes), successor: PartFrame.time(number + 1))
  }

  private func cached(_ sparse: SparseFrames, below end: Int = 1000) -> [Int] {
    (-64..<end).filter { sparse.entry(holding: PartFrame.time($0)) != nil }
  }

  @Test func everyEighthIsWantedOnce() throws {
    var sparse = SparseFrames()
    for n in [3, 16, 8, -8, 9, 8, 0] { sparse.add(try entry(n), limit: 1000) }
    #expect(cached(sparse) == [-8, 0, 8, 16] && sparse.byteCount == 120)
    #expect(!sparse.wants(PartFrame.timing(8)) && sparse.wants(PartFrame.timing(24)))
    #expect(!sparse.wants(PartFrame.timing(25)))
  }

  @Test func whereTheyAreTooManyEveryOtherGoes() throws {
    var sparse = SparseFrames()
    for n in 0..<40 { sparse.add(try entry(n), limit: 120) }
    #expect(sparse.stride == 16 && cached(sparse) == [0, 16, 32] && sparse.byteCount == 90)
    sparse.shrink(to: 89)
    #expect(sparse.stride == 32 && cached(sparse) == [0, 32])
    sparse.shrink(to: 60)
    #expect(cached(sparse) == [0, 32], "just enough")
  }

  @Test func oneThatDoesNotFitIsNotKept() throws {
    var sparse = SparseFrames()
    sparse.add(try entry(8), limit: 100)
    sparse.add(try entry(16, bytes: 102), limit: 100)
    #expect(cached(sparse) == [8] && sparse.stride == 8)
    sparse.add(try entry(24), limit: 0)
    #expect(cached(sparse) == [8])
  }

  @Test(arguments: [0, 29, -1]) func whereNoneFitsNoneIsLeft(limit: Int) throws {
    var sparse = SparseFrames()
    for n in [0, 8, 24, 1 << 30] { sparse.add(try entry(n), limit: 1000) }
    sparse.shrink(to: max(0, limit))
    #expect(sparse.byteCount == 0 && cached(sparse).isEmpty)
    // As many as at first are wanted when there is room again.
    sparse.add(try entry(8), limit: 1000)
    #expect(cached(sparse) == [8])
  }

  @Test func oneThatIsTakenOutIsWantedAgain() throws {
    var sparse = SparseFrames()
    for n in [0, 8, 16] { sparse.add(try entry(n), limit: 1000) }
    sparse.remove(at: PartFrame.time(8))
    sparse.remove(at: PartFrame.time(9))
    #expect(cached(sparse) == [0, 16] && sparse.byteCount == 60 && sparse.wants(PartFrame.timing(8)))
  }

  @Test func theNearestIsFoundFromAnywhere() throws {
    var sparse = SparseFrames()
    #expect(sparse.entry(nearest: .zero) == nil)
    for n in [16, 0, 8] { sparse.add(try entry(n), limit: 1000) }
    let found = [-5, 3, 4, 5, 13, 500].map { sparse.entry(nearest: PartFrame.time($0))?.timing.number }
    #expect(found == [0, 0, 0, 8, 16, 16])
    #expect(sparse.entry(holding: PartFrame.time(9)) == nil, "it lasts until then only")
  }
}
