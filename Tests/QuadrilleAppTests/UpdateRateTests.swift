import CellGraphics
import Playback
@testable import QuadrilleApp
import Testing

/// Fewer updates where much of each is lost.
@Suite(.timeLimit(.minutes(20))) struct UpdateRateTests {
  private func loss(_ decibels: Double) -> ImageLoss {
    var loss = ImageLoss()
    guard decibels.isFinite else { return loss }
    loss.cells = 1000
    var power = 1.0
    for _ in 0..<Int(decibels) { power *= 1.258925411794167 }
    loss.squaredError = Int(255 * 255 * 6000 / power)
    return loss
  }

  private func rate(_ decibels: Double, of frames: Double) -> Double {
    var rate = UpdateRate()
    for n in 0..<100 { rate.add(loss(decibels), at: HostTime(n) * 33_000_000) }
    return rate.rate(of: .playing(frames))
  }

  @Test func clearFramesHaveEveryFrame() {
    #expect(abs(rate(.infinity, of: 30) - 30) < 0.1)
    #expect(abs(rate(40, of: 60) - 60) < 0.1)
    #expect(UpdateRate().rate(of: .playing(24)) == 24)
  }

  @Test func whatIsLostMakesFewerOfThem() {
    let rates = [34.0, 30, 26, 22, 18].map { rate($0, of: 30) }
    #expect(rates == rates.sorted(by: >), "\(rates)")
    #expect((20...26).contains(rates[1]), "\(rates)")
    #expect(abs(rate(10, of: 30) - 8) < 0.1)
  }

  /// Never more than the clip has.
  @Test func slowClipsStaySlow() {
    #expect(rate(10, of: 6) == 6)
    #expect(rate(10, of: 8) == 8)
  }

  /// A hand that scrubs wants each place soon, however coarse it is.
  @Test func scrubbingHasManyWhateverIsLost() {
    var rate = UpdateRate()
    for n in 0..<100 { rate.add(loss(12), at: HostTime(n) * 33_000_000) }
    #expect(rate.rate(of: .scrubbing) == 30)
  }

  /// A key's frame does not wait long for what is being refined.
  @Test func atRestUpdatesAreSmallWhateverIsLost() {
    var rate = UpdateRate()
    for n in 0..<100 { rate.add(loss(12), at: HostTime(n) * 33_000_000) }
    #expect(rate.rate(of: .resting) == 20)
  }

  /// A cut does not stop the next second's frames.
  @Test func oneBadUpdateCountsLittle() {
    var rate = UpdateRate()
    for n in 0..<30 { rate.add(loss(.infinity), at: HostTime(n) * 33_000_000) }
    rate.add(loss(12), at: 1_023_000_000)
    #expect(rate.rate(of: .playing(30)) > 26)
  }
}
