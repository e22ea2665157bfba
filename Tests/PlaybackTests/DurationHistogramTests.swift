import Playback
import TestSupport
import Testing

/// A player's count of durations.
@Suite(.timeLimit(.minutes(20))) struct DurationHistogramTests {
  @Test func percentilesAgainstASortedList() {
    var random = SeededGenerator(seed: 5000)
    var histogram = DurationHistogram()
    #expect(histogram.percentile(0.5) == 0 && histogram.maximum == 0)
    var values: [Int64] = []
    for _ in 0..<5000 {
      let value = Int64.random(in: 0..<499_000_000, using: &random)
      values.append(value)
      histogram.record(value)
    }
    values.sort()
    for fraction in [0.01, 0.5, 0.9, 0.95, 0.99, 1] {
      let exact = values[max(0, Int((5000 * fraction).rounded(.up)) - 1)]
      let found = histogram.percentile(fraction)
      #expect(found >= exact && found <= exact + 250_000)
    }
    #expect(histogram.count == 5000 && histogram.maximum == values.last)
  }

  @Test(arguments: [
    -5, 0, 1, 249_999, 250_000, 499_999_999, 500_000_000, 999_999_999, 3_600_000_000_000, .max,
  ])
  func anyDurationFits(value: Int64) {
    var histogram = DurationHistogram()
    histogram.record(value)
    #expect(histogram.count == 1 && histogram.maximum == max(0, value))
    let top = histogram.percentile(1)
    // Half a second fine above half a second, until a bucket takes all.
    #expect(top >= 0 && top <= histogram.maximum)
    #expect(top >= min(histogram.maximum, 32_000_000_000))
  }
}
