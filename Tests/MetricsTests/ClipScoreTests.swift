import Foundation
import Metrics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ClipScoreTests {
  private func score(_ values: [Double], _ pooling: ClipScore.Pooling = .mean) -> ClipScore {
    values.enumerated().reduce(into: ClipScore(pooling)) { $0.add($1.element, frame: $1.offset) }
  }

  @Test func figures() throws {
    let summary = try #require(score((1...101).map(Double.init).reversed()).summary)
    #expect(summary.frameCount == 101 && summary.mean == 51 && summary.figure == 51)
    #expect(summary.p1 == 2 && summary.p5 == 6)
    #expect(summary.worst == 1 && summary.worstFrame == 100)
    // n / Σ 1/(v + 1) − 1
    let harmonic = try #require(score([1, 3]).harmonicMean), expected = 2 / 0.75 - 1
    #expect(abs(harmonic - expected) < 1e-12)
    #expect(score([]).summary == nil)
    #expect(score([1, 2]).percentile(0.5) == 1.5)
  }

  @Test func clipsHaveTheRatioOfTheMeanError() throws {
    let psnr = score([0, 4], .meanSquaredError(peak: 255))
    let ratio = 255.0 * 255 / 2
    #expect(psnr.figure == 10 * log10(ratio))
    #expect(psnr.mean == .infinity && psnr.score(ofFrame: 0) == .infinity)
    #expect(psnr.worst(5).map(\.frame) == [1, 0])
    #expect(psnr.percentile(0.5) == .infinity)
    let xpsnr = score([100, 300], .rootError(sampleCount: 1000, peak: 255))
    let meanRatio = 1000.0 * (255 * 255) / (200 * 200)
    #expect(xpsnr.figure == 10 * log10(meanRatio))
    #expect(score([0, 0], .rootError(sampleCount: 1000, peak: 255)).figure == .infinity)
  }

  @Test func partsMergeInAnyOrder() throws {
    var dice = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let values = (0..<Int.random(in: 1...60, using: &dice)).map { _ in Double.random(in: 0...100, using: &dice) }
      var parts = [ClipScore](repeating: ClipScore(.mean), count: 4)
      for (frame, value) in values.enumerated().shuffled(using: &dice) {
        parts[Int.random(in: 0..<4, using: &dice)].add(value, frame: frame)
      }
      var left = parts[0], right = parts[2]
      left.merge(parts[1])
      right.merge(parts[3])
      var other = right
      other.merge(left)
      left.merge(right)
      #expect(left == other && left == score(values))
      #expect(left.summary == score(values).summary)
    }
  }

  @Test func aFrameIsReplaced() {
    var score = score([1, 2, 3])
    score.add(9, frame: 1)
    score.add(.nan, frame: 2)
    #expect(score.scores.map(\.score) == [1, 9, 3])
  }

  @Test func coding() throws {
    let score = score([0, 4, 2], .meanSquaredError(peak: 1023))
    #expect(try JSONDecoder().decode(ClipScore.self, from: JSONEncoder().encode(score)) == score)
    let summary = try #require(score.summary)
    let data = try JSONEncoder().encode(summary)
    #expect(String(decoding: data, as: UTF8.self).contains("\"mean\":\"inf\""))
    #expect(try JSONDecoder().decode(ScoreSummary.self, from: data) == summary)
    for text in [
      #"{"pooling":{"mean":{}},"frames":[2,1],"values":[1,2]}"#, #"{"pooling":{"mean":{}},"frames":[1],"values":[1,2]}"#,
    ] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(ClipScore.self, from: Data(text.utf8)) }
    }
  }
}
