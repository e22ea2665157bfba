import Testing

@testable import DecodePool

/// Which lane comes next.
@Suite(.timeLimit(.minutes(20))) struct ScheduleTests {
  @Test func theEarliestDeadlineFirst() {
    var schedule = Schedule()
    let a = schedule.addLane()
    let b = schedule.addLane()
    let c = schedule.addLane()
    #expect(schedule.take(now: 0) == nil && !schedule.hasReadyLane && schedule.isQuiet)
    #expect(
      schedule.wake(a, deadline: 300) && schedule.wake(b, deadline: 100) && schedule.wake(c, deadline: 200))
    #expect(schedule.hasReadyLane)
    #expect(schedule.take(now: 0) == b && schedule.take(now: 0) == c && schedule.take(now: 0) == a)
    #expect(schedule.take(now: 0) == nil && !schedule.hasReadyLane && !schedule.isQuiet)
  }

  @Test func wakesAddUpToTheEarliest() {
    var schedule = Schedule()
    let a = schedule.addLane()
    let b = schedule.addLane()
    #expect(schedule.wake(a, deadline: 500) == true)
    #expect(!schedule.wake(a, deadline: 100) && !schedule.wake(a, deadline: 900))
    #expect(schedule.wake(b, deadline: 200) == true)
    #expect(schedule.take(now: 0) == a && schedule.take(now: 0) == b)
    #expect(!schedule.finish(a, next: nil) && !schedule.finish(b, next: nil))
    #expect(schedule.take(now: 0) == nil && schedule.isQuiet)
  }

  @Test func aWakeDuringAStepIsNotLost() {
    var schedule = Schedule()
    let a = schedule.addLane()
    _ = schedule.wake(a, deadline: 10)
    #expect(schedule.take(now: 0) == a)
    #expect(schedule.wake(a, deadline: 50) == false)
    // It runs already: nobody else may have it.
    #expect(schedule.take(now: 0) == nil)
    #expect(schedule.finish(a, next: nil) == true)
    #expect(schedule.take(now: 0) == a)
    // Used up.
    #expect(!schedule.finish(a, next: nil) && schedule.take(now: 0) == nil)
  }

  @Test func theEarlierOfAWakeAndTheStepsOwnWish() {
    for (own, woken) in [(UInt64(100), UInt64(300)), (300, 100)] {
      var schedule = Schedule()
      let a = schedule.addLane()
      let b = schedule.addLane()
      _ = schedule.wake(a, deadline: 0)
      _ = schedule.take(now: 0)
      _ = schedule.wake(a, deadline: woken)
      #expect(schedule.finish(a, next: own) == true)
      _ = schedule.wake(b, deadline: 200)
      #expect(schedule.take(now: 0) == a)
    }
  }

  @Test func lateLanesTakeTurnsEvenly() {
    var schedule = Schedule()
    let lanes = (0..<5).map { _ in schedule.addLane() }
    // All late, by very different amounts; each always wants another step.
    for (i, lane) in lanes.enumerated() { _ = schedule.wake(lane, deadline: UInt64(i) * 1000) }
    var counts: [Schedule.LaneID: Int] = [:]
    for turn in 0..<1000 {
      let now = 1_000_000_000 + UInt64(turn)
      guard let lane = schedule.take(now: now) else { break }
      counts[lane, default: 0] += 1
      _ = schedule.finish(lane, next: UInt64(lane) * 1000)
    }
    #expect(lanes.allSatisfy { counts[$0] == 200 }, "\(counts)")
  }

  /// One that has fallen behind the others a little catches up with them, instead of staying behind for good.
  @Test func thoseThatAreALittleLateComeByTheirDeadlines() {
    var schedule = Schedule()
    let lanes = (0..<3).map { _ in schedule.addLane() }
    var deadlines: [Schedule.LaneID: UInt64] = [:]
    for (i, lane) in lanes.enumerated() {
      deadlines[lane] = 10_000_000_000 - UInt64(i) * 60_000_000
      _ = schedule.wake(lane, deadline: deadlines[lane] ?? 0)
    }
    // Each step takes as long as it buys: nobody gets ahead of time.
    for turn in 0..<60 {
      guard let lane = schedule.take(now: 10_000_000_000 + UInt64(turn) * 5_000_000) else { break }
      deadlines[lane, default: 0] += 15_000_000
      _ = schedule.finish(lane, next: deadlines[lane])
    }
    let last = deadlines.values
    #expect((last.max() ?? 0) - (last.min() ?? 0) <= 15_000_000, "\(deadlines)")
  }

  /// One that can never be in time neither takes the time of others nor is left out by them.
  @Test func hopelessOnesGetWhatIsLeft() {
    var schedule = Schedule()
    let hopeless = schedule.addLane(), good = schedule.addLane()
    var now: UInt64 = 10_000_000_000
    var deadline = now
    _ = schedule.wake(hopeless, deadline: 0)
    _ = schedule.wake(good, deadline: deadline)
    var counts = (hopeless: 0, good: 0)
    // The good one needs nine tenths of the time.
    for _ in 0..<2000 {
      guard let lane = schedule.take(now: now) else { break }
      now += 9_000_000
      if lane == good {
        deadline += 10_000_000
        counts.good += 1
        _ = schedule.finish(good, next: deadline)
      } else {
        counts.hopeless += 1
        _ = schedule.finish(hopeless, next: 0)
      }
    }
    #expect(counts.hopeless > 150 && counts.good > 1700, "\(counts)")
    #expect(now - deadline < 250_000_000 || deadline > now)
  }

  @Test func oneThatIsOnTimeWaitsForThoseThatAreLate() {
    var schedule = Schedule()
    let late = schedule.addLane()
    let early = schedule.addLane()
    _ = schedule.wake(late, deadline: 10)
    _ = schedule.wake(early, deadline: 2000)
    for _ in 0..<10 {
      #expect(schedule.take(now: 1000) == late)
      _ = schedule.finish(late, next: 20)
    }
    #expect(schedule.take(now: 1000) == late)
    _ = schedule.finish(late, next: nil)
    #expect(schedule.take(now: 1000) == early)
  }

  @Test func aNewLaneDoesNotCatchUpOnOldTurns() {
    var schedule = Schedule()
    let old = schedule.addLane()
    _ = schedule.wake(old, deadline: 0)
    for _ in 0..<100 {
      _ = schedule.take(now: 10)
      _ = schedule.finish(old, next: 0)
    }
    let new = schedule.addLane()
    _ = schedule.wake(new, deadline: 0)
    var order: [Schedule.LaneID] = []
    for _ in 0..<6 {
      guard let lane = schedule.take(now: 10) else { break }
      order.append(lane)
      _ = schedule.finish(lane, next: 0)
    }
    #expect(order.count { $0 == new } == 3)
  }

  @Test func closing() {
    var schedule = Schedule()
    let a = schedule.addLane()
    let b = schedule.addLane()
    _ = schedule.wake(a, deadline: 0)
    #expect(!schedule.close(a) && !schedule.close(a))
    #expect(schedule.take(now: 0) == nil && !schedule.wake(a, deadline: 0))
    _ = schedule.wake(b, deadline: 0)
    _ = schedule.take(now: 0)
    #expect(schedule.close(b) && !schedule.wake(b, deadline: 0))
    #expect(!schedule.finish(b, next: 5) && schedule.take(now: 0) == nil && schedule.isQuiet)
    // Numbers are not used again.
    #expect(schedule.addLane() > b)
  }

  @Test func stuckSteps() {
    var schedule = Schedule()
    let a = schedule.addLane()
    let b = schedule.addLane()
    _ = schedule.wake(a, deadline: 0)
    _ = schedule.wake(b, deadline: 0)
    _ = schedule.take(now: 100)
    _ = schedule.take(now: 500)
    #expect(schedule.stuckCount(now: 600, limit: 500) == 0 && schedule.stuckCount(now: 601, limit: 500) == 1)
    #expect(schedule.stuckCount(now: 5000, limit: 500) == 2)
    _ = schedule.close(a)
    #expect(schedule.stuckCount(now: 5000, limit: 500) == 2)
    _ = schedule.finish(a, next: nil)
    #expect(schedule.stuckCount(now: 5000, limit: 500) == 1)
  }
}

extension ScheduleTests {
  /// A step that waits for data needs no processor.
  @Test func blockedStepsAreReplacedAtOnce() {
    var schedule = Schedule()
    let a = schedule.addLane(), b = schedule.addLane()
    #expect(schedule.wake(a, deadline: 0) && schedule.wake(b, deadline: 0))
    let first = schedule.take(now: 0)
    #expect(schedule.stuckCount(now: 1, limit: 1_000_000) == 0 && schedule.dueCount(by: 0) == 2)
    schedule.setBlocked(first ?? a, true)
    #expect(schedule.stuckCount(now: 1, limit: 1_000_000) == 1 && schedule.dueCount(by: 0) == 1)
    schedule.setBlocked(first ?? a, false)
    #expect(schedule.stuckCount(now: 1, limit: 1_000_000) == 0)
    schedule.setBlocked(first ?? a, true)
    _ = schedule.finish(first ?? a, next: nil)
    #expect(schedule.stuckCount(now: 1, limit: 1_000_000) == 0)
  }
}
