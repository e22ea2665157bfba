import TestSupport
import Testing

@testable import Playback

/// The small values inside a player: its clock, its log, its counts.
@Suite struct PlayerPartsTests {
  @Test func timebaseGoesThereAndBack() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var timebase = Timebase()
      let rate =
        [0.05, 0.1, 1, 1.5, 3.7, 16, Double.random(in: 0.05...16, using: &random)].randomElement(
          using: &random) ?? 1
      let host = HostTime.random(in: 0...1_000_000_000_000_000, using: &random)
      timebase.set(media: .random(in: 0...100_000_000_000_000, using: &random), host: host, rate: rate)
      let media = timebase.anchorMedia + .random(in: 0...36_000_000_000_000, using: &random)
      guard let due = timebase.host(for: media) else { continue }
      // Not before it shows, and no more than a step too late.
      let shown = timebase.media(at: due)
      #expect(shown >= media && shown <= media + Int64(rate.rounded(.up)) + 1, "\(rate)")
      #expect(timebase.media(at: host) == timebase.anchorMedia)
    }
    var standing = Timebase()
    standing.set(media: 7, host: 1, rate: 0)
    #expect(standing.media(at: 100) == 7 && standing.host(for: 8) == nil && !standing.isRunning)
  }

  @Test func theLogJoinsWhatBelongsTogether() {
    var log = TimeLog()
    log.started(at: 0)
    log.played(to: 5)
    log.played(to: 9)
    log.jumped(to: 50)
    log.jumped(to: 60)
    log.played(to: 70)
    log.event(.playedToEnd)
    log.played(to: 75)
    #expect(log.reportedUpTo == 75 && !log.isEmpty)
    #expect(
      log.drain().passages == [
        .started(at: 0), .played(from: 0, to: 9), .jumped(to: 60), .played(from: 60, to: 70),
        .event(.playedToEnd),
        .played(from: 70, to: 75),
      ])
    #expect(log.isEmpty && log.drain().passages.isEmpty)
    log.played(to: 75)
    #expect(log.isEmpty)
  }

  @Test func aMarkPartsWhatComesAfter() {
    var log = TimeLog()
    log.played(to: 5)
    let mark = log.mark()
    log.played(to: 9)
    log.jumped(to: 20)
    let second = log.mark()
    log.jumped(to: 30)
    let (first, passages) = log.drain()
    #expect(passages == [.played(from: 0, to: 5), .played(from: 5, to: 9), .jumped(to: 20), .jumped(to: 30)])
    #expect(passages[mark - first] == .played(from: 5, to: 9) && passages[second - first] == .jumped(to: 30))
    let third = log.mark()
    log.jumped(to: 1)
    #expect(log.drain().first == third)
  }

  @Test func theLogIsBoundedAndKeepsEvents() {
    var log = TimeLog()
    for n in 0..<5000 {
      log.jumped(to: Int64(n))
      log.played(to: Int64(n) + 1)
      if n % 100 == 0 { log.event(.rateChanged(Double(n))) }
    }
    let passages = log.drain().passages
    #expect(passages.count <= 256)
    let events = passages.compactMap { if case .event(let event) = $0 { event } else { nil } }
    #expect(events == (0..<50).map { .rateChanged(Double($0) * 100) })
  }

  @Test func percentilesAgainstASortedList() {
    var random = SystemRandomNumberGenerator()
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
