import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct BandwidthEstimateTests {
  /// Adds downloads one after another, each of a second, at rates in megabits per second.
  private func estimate(_ rates: [Double], seconds: Int64 = 1) -> Double? {
    var estimate = BandwidthEstimate(), now: HostTime = 5
    for rate in rates {
      estimate.add(bytes: Int(rate * 1e6 / 8) * Int(seconds), from: now, to: now + seconds * 1_000_000_000)
      now += 10_000_000_000
    }
    return estimate.bitsPerSecond.map { $0 / 1e6 }
  }

  @Test func aSteadyRateIsExactFromTheFirstSample() throws {
    #expect(estimate([]) == nil)
    let first = try #require(estimate([3])), last = try #require(estimate(Array(repeating: 3, count: 50)))
    #expect(abs(first - 3) < 0.001 && abs(last - 3) < 0.001)
  }

  @Test func fallsQuicklyAndRisesSlowly() throws {
    let falling = try #require(estimate(Array(repeating: 8, count: 20) + [2, 2]))
    #expect(abs(falling - 5) < 0.05, "half of the way after the half-life of two seconds")
    let rising = try #require(estimate(Array(repeating: 2, count: 40) + Array(repeating: 8, count: 5)))
    #expect(abs(rising - 5) < 0.05, "half of the way after that of five seconds")
  }

  @Test func tinyAndImpossibleSamplesAreIgnored() {
    var estimate = BandwidthEstimate()
    estimate.add(bytes: 15_999, from: 0, to: 1_000_000_000)
    estimate.add(bytes: 1_000_000, from: 0, to: 999_999)
    estimate.add(bytes: 1_000_000, from: 10, to: 0)
    estimate.add(bytes: -1, from: 0, to: 1_000_000_000)
    #expect(estimate.bitsPerSecond == nil)
    estimate.add(bytes: .max, from: .min, to: .max)
    #expect(estimate.bitsPerSecond?.isFinite == true)
  }
}
