import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Times that streams have wrong come out right.
@Suite(.timeLimit(.minutes(20))) struct TimestampRepairTests {
  private func repair(
    start: MediaTime = .zero, rate: Double = 25, mayJump: Bool = false, base: Ratio = Ratio(1, 1000)
  ) -> TimestampRepair {
    TimestampRepair(timeBase: base, start: start, frameRate: rate, mayJump: mayJump)
  }

  private func times(_ repair: inout TimestampRepair, _ ticks: [Int64?], duration: Int64 = 40) -> [Double] {
    ticks.map { repair.takeTiming(ticks: $0, duration: duration).pts.seconds }
  }

  @Test func goodOnesStayAndCount() {
    var repair = repair()
    let timings = [0, 40, 80, 130].map { repair.takeTiming(ticks: $0, duration: 40) }
    #expect(timings.map(\.pts.seconds) == [0, 0.04, 0.08, 0.13])
    #expect(timings.map(\.number) == [0, 1, 2, 3] && timings.allSatisfy(\.numberIsExact))
    #expect(timings.map(\.originalPTS) == [0, 40, 80, 130] && timings[0].duration == seconds(0.04))
  }

  @Test func theStartIsTakenOff() {
    var late = repair(start: seconds(10))
    #expect(times(&late, [10_000, 10_040]) == [0, 0.04])
    #expect(late.ticks(forItemTime: seconds(1)) == 11_000)
    var early = repair(start: seconds(-0.08))
    #expect(times(&early, [-80, -40, 0]) == [0, 0.04, 0.08])
    #expect(early.ticks(forItemTime: .zero) == -80)
  }

  @Test func missingOnesFollowFromTheOneBefore() {
    var a = repair()
    #expect(times(&a, [nil, nil, nil, 200, nil]) == [0, 0.04, 0.08, 0.2, 0.24])
    // Without durations the frame rate says; without that 25 a second.
    var b = repair(rate: 50)
    #expect(times(&b, [nil, nil, nil], duration: 0) == [0, 0.02, 0.04])
    var c = repair(rate: 0)
    #expect(times(&c, [nil, nil], duration: 0) == [0, 0.04])
    var d = repair(start: seconds(3))
    #expect(times(&d, [nil, nil]) == [0, 0.04])
  }

  @Test func equalAndBackwardOnesGoForward() {
    var repair = repair()
    let found = times(&repair, [0, 40, 40, 40, 20, 80, 79, 200])
    #expect(found == found.sorted() && Set(found).count == found.count)
    #expect(found.last == 0.2)
    for value in found.dropLast() { #expect(value < 0.09) }
  }

  @Test func jumpsAreJoinedWhereTheFormatMayJump() {
    var stream = repair(mayJump: true)
    #expect(times(&stream, [0, 40, 95_000_000, 95_000_040, 0, 40]) == [0, 0.04, 0.08, 0.12, 0.16, 0.2])
    // Elsewhere a gap is a gap.
    var file = repair()
    #expect(times(&file, [0, 40, 95_000]) == [0, 0.04, 95])
    // And a short gap is one in both.
    var short = repair(mayJump: true)
    #expect(times(&short, [0, 40, 9_000]) == [0, 0.04, 9])
  }

  /// Recordings that are joined may be short.
  @Test func stepsBackAreJumpsSooner() {
    var stream = repair(mayJump: true)
    #expect(times(&stream, [0, 40, 2000, 2040, 0, 40, 80]) == [0, 0.04, 2, 2.04, 2.08, 2.12, 2.16])
    // The same again, one after the other.
    var parts = repair(mayJump: true)
    #expect(times(&parts, [0, 1500, 0, 1500, 0, 1500]) == [0, 1.5, 1.54, 3.04, 3.08, 4.58])
    // A single stamp that is wrong changes nothing of those behind it.
    var wrong = repair(mayJump: true)
    #expect(times(&wrong, [5000, 5040, 80, 5120, 5160]) == [5, 5.04, 5.08, 5.12, 5.16])
    var far = repair(mayJump: true)
    #expect(times(&far, [5000, 5040, 95_000_000, 5120, 5160]) == [5, 5.04, 5.08, 5.12, 5.16])
    // Less is a fault of the stream's, which has to be passed over.
    var small = repair(mayJump: true)
    #expect(times(&small, [2000, 2040, 1200, 2120]) == [2, 2.04, 2.041, 2.12])
  }

  @Test func afterASeekNumbersAreWorkedOut() {
    var repair = repair()
    _ = times(&repair, [0, 40])
    repair.didSeek()
    let timing = repair.takeTiming(ticks: 4000, duration: 40)
    #expect(timing.pts == seconds(4) && timing.number == 100 && !timing.numberIsExact)
    #expect(repair.takeTiming(ticks: 4040, duration: 40).number == 101)
    repair.didRewind()
    let first = repair.takeTiming(ticks: 0, duration: 40)
    #expect(first.number == 0 && first.numberIsExact && first.pts == .zero)
  }

  @Test func framesThatAreLeftOutCannotBeCounted() {
    var repair = repair(rate: 25)
    _ = times(&repair, [0, 40])
    repair.stopCounting()
    let timing = repair.takeTiming(ticks: 200, duration: 40)
    #expect(timing.number == 5 && !timing.numberIsExact)
  }

  @Test func aSeekBackIsNoJump() {
    var repair = repair(mayJump: true)
    _ = times(&repair, [100_000, 100_040])
    repair.didSeek()
    #expect(times(&repair, [40]) == [0.04])
  }

  @Test func theEdgesOfNumbers() {
    var repair = repair(mayJump: true, base: Ratio(1, 1))
    for ticks in [Int64.max, .min, .max - 1, 0, .min + 1, nil, .max] {
      let timing = repair.takeTiming(ticks: ticks, duration: .max)
      #expect(timing.duration > .zero)
    }
    var odd = self.repair(base: Ratio(0, 0))
    _ = odd.takeTiming(ticks: 5, duration: 5)
    #expect(odd.ticks(forItemTime: .positiveInfinity) == 0)
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 1 << 60, .max]) func whereverAStampLiesThereIsANumber(ticks: Int64) {
    var repair = repair(base: Ratio(1, 1))
    repair.didSeek()
    #expect(repair.takeTiming(ticks: ticks, duration: 1).number >= 0)
    #expect(repair.takeTiming(ticks: nil, duration: 1).number >= 0)
  }
}
