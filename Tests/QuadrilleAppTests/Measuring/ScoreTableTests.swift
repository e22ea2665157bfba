import Alignment
import Playback
import TestSupport
import Testing

@testable import Measuring

@Suite(.timeLimit(.minutes(20))) struct ScoreTableTests {
  private func clip(_ partners: [Int?]) -> AlignedClip {
    AlignedClip(
      map: AlignmentMap(frames: partners.map { .init(reference: $0, confidence: 1) }, referenceCount: partners.count),
      referenceTimes: partners.indices.map { Int64($0) * 40_000_000 }, candidateTimes: partners.indices.map { Int64($0) * 40_000_000 })
  }

  private func table(_ values: [Double?], metric: Metric = .ssim) -> ScoreTable {
    ScoreTable(metric, clip(values.map { $0.map { _ in 0 } }), values: values.map { $0 ?? .nan })
  }

  @Test func framesAreMeasuredFromThePlayheadOn() {
    var table = ScoreTable(.ssim, clip([0, 1, nil, 3, 4]))
    var order: [Int] = []
    while let next = table.next(from: 2) {
      order.append(next)
      table.set(0.5, ofFrame: next)
    }
    #expect(order == [3, 4, 0, 1] && table.isComplete && table.matchedCount == 4)
    // Frames without a partner have no score, and there are none beyond the clip.
    table.set(0.5, ofFrame: 2)
    table.set(0.5, ofFrame: 9)
    #expect(table.measuredCount == 4 && table.score(2) == nil && table.score(9) == nil)
  }

  @Test func figuresAreThoseOfTheFramesMeasured() throws {
    var table = ScoreTable(.psnr, clip([0, 1, 2]))
    #expect(table.figures == nil)
    table.set(0.01, ofFrame: 0)
    table.set(0.03, ofFrame: 2)
    let figures = try #require(table.figures)
    // That of the mean error.
    #expect(abs(figures.summary.mean - 16.98970) < 1e-4 && figures.summary.worst.first?.candidate == 2)
    #expect(figures.summary.count == 2 && figures.matchedCount == 3)
    #expect(abs(figures.summary.harmonicMean - (2 / (1 / 21 + 1 / (15.22879 + 1)) - 1)) < 1e-4)
    // Equal frames are infinitely good.
    table.set(0, ofFrame: 1)
    #expect(table.score(1) == .infinity && table.figures?.summary.worst.first?.candidate == 2)
  }

  @Test func valuesOfAnotherClipAreNotTaken() {
    #expect(ScoreTable(.ssim, clip([0, 1]), values: [1, 1, 1]).measuredCount == 0)
    #expect(ScoreTable(.ssim, clip([0, nil]), values: [0.5, 0.5]).values.map(\.isNaN) == [false, true])
  }

  @Test func localWorstAreThoseWorseThanAllAround() {
    let scores = [0.9, 0.5, 0.9, 0.95, 0.4, 0.45, 0.9, 0.99, 0.98, 0.99]
    #expect(table(scores).localWorst(radius: 1) == [1, 4])
    #expect(table(scores).localWorst(radius: 3) == [4])
    #expect(table([0.9, nil, 0.2, nil, 0.9]).localWorst(radius: 1) == [2])
    #expect(table([]).localWorst(radius: 3) == [] && table([nil, nil]).localWorst(radius: 3) == [])
    #expect(table([0.7, 0.7, 0.7, 0.7]).localWorst(radius: 1) == [])
  }

  /// Against a plain search.
  @Test(arguments: 0..<20) func localWorstAreFoundInOnePass(seed: Int) {
    var dice = SeededGenerator(seed: UInt64(seed))
    let scores = (0..<200).map { _ in Double(Int.random(in: 0..<1000, using: &dice)) }
    let median = scores.sorted()[100]
    for radius in [1, 2, 7, 50] {
      let plain = scores.indices.filter { index in
        let around = max(0, index - radius)...min(scores.count - 1, index + radius)
        return scores[index] < median && around.first { scores[$0] == scores[around].min() } == index
      }
      #expect(table(scores).localWorst(radius: radius) == plain)
    }
  }
}
