import Testing

@testable import Playback

/// The use of a lane's time: at work, or waiting for a worker.
@Suite(.timeLimit(.minutes(20))) struct LaneLoadTests {
  /// Returns the load of a lane that did `count` steps of `work`, each of which began `wait` after it was ready.
  private func load(_ count: Int, work: HostTime, wait: HostTime, into load: LaneLoad = LaneLoad()) -> LaneLoad {
    var load = load
    var host: HostTime = 0
    load.begin(at: host)
    for _ in 0..<count {
      host += work
      load.end(at: host, next: 0)
      host += wait
      load.begin(at: host)
    }
    return load
  }

  @Test func aLaneIsHeldUpWhereItWaitsMoreThanTwoFifthsOfItsWork() {
    #expect(!LaneLoad().isHeldUp)
    #expect(!load(1, work: 10, wait: 4).isHeldUp && load(1, work: 10, wait: 5).isHeldUp)
    #expect(!load(100, work: 100, wait: 0).isHeldUp)
    #expect(load(1, work: 0, wait: 1).isHeldUp)
  }

  @Test func waitingForAMomentToComeIsNoWaitForAWorker() {
    var load = LaneLoad()
    load.begin(at: 0)
    load.end(at: 10, next: 1000)
    load.begin(at: 1004)
    #expect(!load.isHeldUp)
    load.end(at: 1010, next: 2000)
    load.begin(at: 2003)
    #expect(load.isHeldUp, "7 of 16")
  }

  @Test func aStepThatBeginsBeforeItIsDueHasNotWaited() {
    var load = LaneLoad()
    load.begin(at: 0)
    load.end(at: 10, next: 1000)
    load.begin(at: 500)
    // Nor has work been done where a step ends before it began.
    load.end(at: 400, next: 400)
    load.begin(at: 405)
    #expect(load.isHeldUp, "5 of 10")
  }

  @Test func whatWasLongAgoCountsLittle() {
    let second: HostTime = 1_000_000_000
    let late = load(1, work: second, wait: second)
    #expect(late.isHeldUp)
    #expect(!load(8, work: second, wait: 0, into: late).isHeldUp)
    let idle = load(8, work: second, wait: 0)
    #expect(load(4, work: second, wait: second, into: idle).isHeldUp)
  }
}
