import TestSupport
import Testing

@testable import Playback

/// Media time that runs with the host clock.
@Suite(.timeLimit(.minutes(20))) struct TimebaseTests {
  /// A clock that runs at a rate from somewhere, and the rate.
  private func timebase(_ direction: Double, _ random: inout SeededGenerator) -> (Timebase, rate: Double) {
    let speeds = [0.05, 0.1, 1, 1.5, 3.7, 16, Double.random(in: 0.05...16, using: &random)]
    let rate = direction * (speeds.randomElement(using: &random) ?? 1)
    var timebase = Timebase()
    timebase.set(
      media: .random(in: 0...100_000_000_000_000, using: &random),
      host: .random(in: 0...1_000_000_000_000_000, using: &random), rate: rate)
    return (timebase, rate)
  }

  @Test(arguments: [1.0, -1]) func timebaseGoesThereAndBack(direction: Double) throws {
    var random = SeededGenerator(seed: 20_000)
    for n in 0..<20_000 {
      let (timebase, rate) = timebase(direction, &random)
      let way = Int64.random(in: 0...36_000_000_000_000, using: &random)
      let media = timebase.anchorMedia + Int64(direction) * way
      let due = try #require(timebase.host(for: media), "\(n): \(rate)")
      // Not before it shows, and no more than a step too late.
      let passed = Int64(direction) * (timebase.media(at: due) - media)
      #expect(passed >= 0 && passed <= Int64(abs(rate).rounded(.up)) + 1, "\(n): \(rate)")
      #expect(timebase.media(at: timebase.anchorHost) == timebase.anchorMedia)
      // What lies on the other side was shown before.
      let other = try #require(timebase.host(for: timebase.anchorMedia - Int64(direction) * way), "\(n): \(rate)")
      #expect(other <= timebase.anchorHost + Int64((1 / abs(rate)).rounded(.up)), "\(n): \(rate)")
    }
  }

  /// A clock that turns round comes back to where it was after as much time as it took to go there.
  @Test(arguments: [1.0, -1]) func timebaseTurnsRound(direction: Double) {
    var random = SeededGenerator(seed: 1)
    for n in 0..<5000 {
      var (timebase, rate) = timebase(direction, &random)
      let (start, begin) = (timebase.anchorMedia, timebase.anchorHost)
      let passed = HostTime.random(in: 0...1_000_000_000_000, using: &random)
      let turn = begin + passed
      let there = timebase.media(at: turn)
      #expect(Int64(direction) * (there - start) >= 0 && abs(Double(there - start) - Double(passed) * rate) <= 1, "\(n)")
      timebase.set(media: there, host: turn, rate: -rate)
      #expect(timebase.isRunning && timebase.media(at: turn) == there, "\(n)")
      #expect(abs(timebase.media(at: turn + passed) - start) <= 1, "\(n): \(rate)")
      #expect(timebase.media(at: turn + passed / 2) != there || passed < 100, "\(n): \(rate)")
      timebase.set(media: timebase.media(at: turn + passed), host: turn + passed, rate: 0)
      #expect(!timebase.isRunning && timebase.media(at: turn) == timebase.media(at: turn + 2 * passed), "\(n)")
    }
  }

  @Test func aTimebaseThatStandsGoesNowhere() {
    var standing = Timebase()
    standing.set(media: 7, host: 1, rate: 0.05)
    #expect(standing.host(for: .max) == nil, "no host time is so far away")
    standing.set(media: 7, host: 1, rate: 0)
    #expect(standing.media(at: 100) == 7 && standing.host(for: 8) == nil && !standing.isRunning)
  }

  @Test func whatIsDueAtAMomentIsShownAtIt() throws {
    var timebase = Timebase()
    timebase.set(media: 100, host: 1000, rate: 3)
    // 107 lies between what is shown at 1002 and at 1003.
    #expect(timebase.host(for: 107) == 1003 && timebase.media(at: 1002) == 106 && timebase.media(at: 1003) == 109)
    timebase.set(media: 100, host: 1000, rate: -3)
    #expect(timebase.host(for: 93) == 1003 && timebase.media(at: 1003) == 91)
    timebase.set(media: 100, host: 1000, rate: 0.25)
    let due = try #require(timebase.host(for: 101))
    #expect(timebase.media(at: due) == 101)
  }

  @Test func beforeItsAnchorAClockShowsWhatWasBefore() {
    var timebase = Timebase()
    timebase.set(media: 0, host: 500, rate: 1)
    #expect(timebase.media(at: 400) == -100 && timebase.host(for: -100) == 400)
    timebase.set(media: 0, host: 500, rate: -2)
    #expect(timebase.media(at: 400) == 200 && timebase.host(for: 200) == 400)
  }

  @Test(arguments: [1, -1, 0.05, -0.05, 2, -2, 16, -16])
  func noMomentIsGivenForTimesThatAreTooFarAway(rate: Double) throws {
    var timebase = Timebase()
    for host in [0, 1_000_000_000_000_000] as [HostTime] {
      for media in [0, -5, 86_400_000_000_000] as [Int64] {
        timebase.set(media: media, host: host, rate: rate)
        #expect(timebase.host(for: .max) == nil && timebase.host(for: .min) == nil)
        // A year.
        let far = try #require(timebase.host(for: 31_536_000_000_000_000))
        #expect((far > host) == (rate > 0))
      }
    }
  }
}
