@testable import Playback
@testable import QuadrilleApp
import Testing

@Suite(.timeLimit(.minutes(20))) struct SoundBarTests {
  private func heights(_ powers: [Float]) -> [Double] {
    var overview = SoundOverview()
    for power in powers { overview.add(SoundLevel(peak: power, power: power)) }
    overview.finish()
    let meter = PaneModel.Meter(overview: overview)
    return meter.heights(columns: powers.count, seconds: Double(powers.count) / Double(SoundLevel.perSecond))
  }

  /// A quiet clip looks like the same clip played louder.
  @Test func heightsAreSharesOfTheLoudestPart() {
    let loud = heights([0.8, 0.4, 0.1, 0]), quiet = heights([0.008, 0.004, 0.001, 0])
    #expect(loud.max() == 1 && loud.last == 0)
    for (a, b) in zip(loud, quiet) { #expect(abs(a - b) < 1e-6) }
    // Silence stays low.
    #expect(heights([0.00001, 0]).allSatisfy { $0 < 0.25 })
  }
}
