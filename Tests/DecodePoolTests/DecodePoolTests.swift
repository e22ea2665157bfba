import DecodePool
import Glibc
import TestSupport
import Testing

/// The pool, without threads and with real ones.
@Suite(.timeLimit(.minutes(20))) struct DecodePoolTests {
  @Test func withoutThreadsStepsRunWhereTheyAreAskedFor() {
    let pool = DecodePool(threads: 0)
    let order = Monitor([Int]())
    let lanes = (0..<3).map { n in
      pool.makeLane {
        order.withLock { $0.append(n) }
        return .idle
      }
    }
    #expect(!pool.runNextStep())
    defer { keep(lanes) }
    let far = monotonicNanoseconds() + 1_000_000_000_000
    for (n, lane) in lanes.enumerated() { lane.wake(deadline: far - UInt64(n)) }
    while pool.runNextStep() {}
    #expect(order.withLock { $0 } == [2, 1, 0])
  }

  @Test func againUntilIdle() {
    let pool = DecodePool(threads: 0)
    let count = Monitor(0)
    let lane = pool.makeLane {
      count.withLock {
        $0 += 1
        return $0 < 5 ? .again(deadline: 0) : .idle
      }
    }
    lane.wake(deadline: 0)
    while pool.runNextStep() {}
    #expect(count.withLock { $0 } == 5)
    lane.close()
    lane.wake(deadline: 0)
    #expect(!pool.runNextStep())
  }

  @Test func oneWorkerAtATimeInALane() {
    let pool = DecodePool(threads: 6)
    struct LaneState {
      var inside = 0
      var steps = 0
      var overlaps = 0
      /// Wakes asked for, and those that the last step to end had seen when it began.
      var wakes = 0
      var served = 0
    }
    let states = (0..<3).map { _ in Monitor(LaneState()) }
    let lanes = states.map { state in
      pool.makeLane {
        let wakes = state.withLock {
          $0.inside += 1
          if $0.inside > 1 { $0.overlaps += 1 }
          return $0.wakes
        }
        for _ in 0..<50 { sched_yield() }
        state.withLock {
          $0.inside -= 1
          $0.steps += 1
          $0.served = wakes
        }
        state.broadcast()
        return .idle
      }
    }
    defer { keep(lanes) }
    for round in 1...2000 {
      for (lane, state) in zip(lanes, states) {
        state.withLock { $0.wakes += 1 }
        lane.wake(deadline: monotonicNanoseconds())
      }
      // Now and then all of them come to rest, so that there is more than one step.
      guard round % 100 == 0 else { continue }
      for state in states {
        #expect(state.becomes { $0.served == round && $0.inside == 0 }, "a lane is not served after \(round) wakes")
      }
    }
    for state in states {
      let lane = state.withLock { $0 }
      #expect(lane.overlaps == 0 && lane.steps >= 20 && lane.steps <= 2000, "\(lane)")
    }
  }

  @Test func everyWakeIsFollowedByAStep() {
    // A wake that comes at any moment of a step must lead to one that begins later.
    let pool = DecodePool(threads: 2)
    let state = Monitor((wanted: 0, done: 0))
    let lane = pool.makeLane {
      let wanted = state.withLock { $0.wanted }
      state.withLock { $0.done = wanted }
      state.broadcast()
      return .idle
    }
    defer { keep([lane]) }
    for n in 1...5000 {
      state.withLock { $0.wanted = n }
      lane.wake(deadline: 0)
      guard n % 7 == 0 || n == 5000 else { continue }
      #expect(state.becomes { $0.done == n }, "wake \(n) is not followed by a step: \(state.withLock { $0 })")
    }
  }

  @Test(arguments: [1, 2]) func stuckStepsGetReplacements(threads: Int) throws {
    // As many steps hang as there are workers, and the others' work was there before.
    let clock = ManualClock()
    let pool = DecodePool(threads: threads, now: clock.unsignedNow)
    let hung = Monitor((inside: 0, isReleased: false))
    let stuck = (0..<threads).map { _ in
      pool.makeLane {
        hung.withLock { $0.inside += 1 }
        hung.broadcast()
        #expect(hung.becomes { $0.isReleased }, "the stuck steps are not released")
        return .idle
      }
    }
    defer { keep(stuck) }
    for lane in stuck { lane.wake(deadline: 0) }
    try #require(hung.becomes { $0.inside == threads }, "the steps to be stuck do not begin")
    let steps = Monitor(0)
    let good = pool.makeLane {
      let count = steps.withLock {
        $0 += 1
        return $0
      }
      steps.broadcast()
      return count % 10 == 0 ? .idle : .again(deadline: 0)
    }
    defer { keep([good]) }
    good.wake(deadline: 0)
    // Not before their time.
    #expect(!steps.becomes(within: 0.02) { $0 > 0 })
    clock.advance(bySeconds: 2)
    #expect(steps.becomes { $0 == 10 }, "nobody takes the place of the stuck workers")
    hung.withLock { $0.isReleased = true }
    hung.broadcast()
    good.wake(deadline: 0)
    #expect(steps.becomes { $0 == 20 }, "the lane is not served after the stuck workers have come back")
  }

  @Test func closingALaneAtWork() throws {
    let pool = DecodePool(threads: 1)
    let state = Monitor((inside: false, isReleased: false, steps: 0))
    let lane = pool.makeLane {
      state.withLock {
        $0.inside = true
        $0.steps += 1
      }
      state.broadcast()
      #expect(state.becomes { $0.isReleased }, "the step is not released")
      return .again(deadline: 0)
    }
    lane.wake(deadline: 0)
    try #require(state.becomes { $0.inside }, "the step does not begin")
    lane.close()
    state.withLock { $0.isReleased = true }
    state.broadcast()
    // The only worker goes on with another lane, and not with this one.
    let other = Monitor(0)
    let second = pool.makeLane {
      other.withLock { $0 += 1 }
      other.broadcast()
      return .idle
    }
    defer { keep([second]) }
    for n in 1...20 {
      second.wake(deadline: 0)
      #expect(other.becomes { $0 >= n }, "wake \(n) of the other lane is not followed by a step")
    }
    #expect(state.withLock { $0.steps } == 1)
  }

  private final class Payload: Sendable {}

  @Test func closingFreesWhatTheStepHolds() {
    let pool = DecodePool(threads: 0)
    weak var weakPayload: Payload?
    do {
      let payload = Payload()
      weakPayload = payload
      let lane = pool.makeLane {
        withExtendedLifetime(payload) {}
        return .idle
      }
      lane.wake(deadline: 0)
      pool.runNextStep()
      lane.close()
    }
    #expect(weakPayload == nil)
    do {
      let payload = Payload()
      weakPayload = payload
      _ = pool.makeLane {
        withExtendedLifetime(payload) {}
        return .idle
      }
    }
    #expect(weakPayload == nil)
  }

  @Test func aPoolThatGoesEndsItsThreads() {
    // Each thread holds the clock's closure; when the last one has left, it is freed.
    for threads in [1, 8] {
      let isFreed = Monitor(false)
      do {
        let held = Held {
          isFreed.withLock { $0 = true }
          isFreed.broadcast()
        }
        let pool = DecodePool(threads: threads, now: { held.time })
        let steps = Monitor(0)
        let lane = pool.makeLane {
          steps.withLock { $0 += 1 }
          steps.broadcast()
          return .idle
        }
        defer { keep([lane]) }
        lane.wake(deadline: 0)
        #expect(steps.becomes { $0 > 0 }, "the lane is not served")
        #expect(!isFreed.withLock { $0 })
      }
      #expect(isFreed.becomes { $0 }, "threads are left of \(threads)")
    }
  }

  /// Tells when nobody holds it any more.
  private final class Held: Sendable {
    let time: UInt64 = 0
    private let whenFreed: @Sendable () -> Void

    init(_ whenFreed: @escaping @Sendable () -> Void) { self.whenFreed = whenFreed }

    deinit { whenFreed() }
  }

  /// A lane whose pool has gone does nothing more, and lets go of all it holds.
  @Test(arguments: [0, 1, 4]) func lanesOutliveTheirPool(threads: Int) {
    let (isPoolFreed, isStepFreed, steps) = (Monitor(false), Monitor(false), Monitor(0))
    do {
      let lane: Lane
      do {
        let clock = Held {
          isPoolFreed.withLock { $0 = true }
          isPoolFreed.broadcast()
        }
        let payload = Held {
          isStepFreed.withLock { $0 = true }
          isStepFreed.broadcast()
        }
        lane = DecodePool(threads: threads, now: { clock.time }).makeLane {
          steps.withLock { $0 += 1 }
          return .again(deadline: payload.time)
        }
      }
      lane.wake(deadline: 0)
      #expect(!isStepFreed.withLock { $0 })
      lane.close()
      #expect(isStepFreed.becomes { $0 }, "the step is held")
      // After the end neither does anything.
      lane.close()
      lane.wake(deadline: 0)
    }
    #expect(isPoolFreed.becomes { $0 }, "threads are left of \(threads)")
    #expect(steps.withLock { $0 } == 0)
  }

  @Test func manyLanesAndThreads() {
    let pool = DecodePool(threads: 4)
    let total = Monitor(0)
    let lanes = (0..<50).map { n in
      let left = Monitor(100)
      return pool.makeLane {
        let rest = left.withLock {
          $0 -= 1
          return $0
        }
        if rest == 0 {
          total.withLock { $0 += 1 }
          total.broadcast()
        }
        return rest > 0 ? .again(deadline: UInt64(n)) : .idle
      }
    }
    defer { keep(lanes) }
    for lane in lanes { lane.wake(deadline: 0) }
    #expect(total.becomes { $0 == 50 }, "only \(total.withLock { $0 }) of 50 lanes did all their steps")
  }

  /// A worker whose stack is full can still run a handler of signals.
  @Test func aStackOverflowIsHandledOnAnotherStack() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in _exit(7) }
      action.sa_flags = SA_ONSTACK
      sigaction(SIGSEGV, &action, nil)
      let pool = DecodePool(threads: 1)
      let lane = pool.makeLane {
        _ = depth(of: getpid())
        return .idle
      }
      lane.wake(deadline: 0)
      while true { withExtendedLifetime((pool, lane)) { _ = pause() } }
    }
  }
}

/// Keeps lanes up to here: one that nobody keeps is closed.
private func keep(_ lanes: [Lane]) { withExtendedLifetime(lanes) {} }

/// Calls itself until there is no stack left.
@inline(never)
private func depth(of number: Int32) -> Int32 {
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { room in
    room[0] = UInt8(truncatingIfNeeded: number)
    return number == 0 ? 0 : depth(of: number &+ Int32(room[0]) | 1) &+ Int32(room[0])
  }
}
