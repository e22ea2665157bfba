import DecodePool
import Glibc
import TestSupport
import Testing

/// The pool, without threads and with real ones.
@Suite struct DecodePoolTests {
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
    }
    let states = (0..<3).map { _ in Monitor(LaneState()) }
    let lanes = states.map { state in
      pool.makeLane {
        state.withLock {
          $0.inside += 1
          if $0.inside > 1 { $0.overlaps += 1 }
        }
        for _ in 0..<50 { sched_yield() }
        state.withLock {
          $0.inside -= 1
          $0.steps += 1
        }
        state.broadcast()
        return .idle
      }
    }
    for _ in 0..<2000 { for lane in lanes { lane.wake(deadline: monotonicNanoseconds()) } }
    for state in states {
      let seen = state.withLock { $0.steps }
      lanes[0].wake(deadline: 0)
      _ = seen
      state.wait { $0.steps > 0 && $0.inside == 0 ? () : nil }
      #expect(state.withLock { $0.overlaps } == 0)
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
    for n in 1...5000 {
      state.withLock { $0.wanted = n }
      lane.wake(deadline: 0)
      if n % 7 == 0 { state.wait { $0.done == n ? () : nil } }
    }
    state.wait { $0.done == 5000 ? () : nil }
  }

  @Test(arguments: [1, 2]) func stuckStepsGetReplacements(threads: Int) {
    // As many steps hang as there are workers, and the others' work was there before.
    let clock = ManualClock()
    let pool = DecodePool(threads: threads, now: clock.unsignedNow)
    let hung = Monitor((inside: 0, isReleased: false))
    let stuck = (0..<threads).map { _ in
      pool.makeLane {
        hung.withLock { $0.inside += 1 }
        hung.broadcast()
        hung.wait { $0.isReleased ? () : nil }
        return .idle
      }
    }
    for lane in stuck { lane.wake(deadline: 0) }
    hung.wait { $0.inside == threads ? () : nil }
    let steps = Monitor(0)
    let good = pool.makeLane {
      let count = steps.withLock {
        $0 += 1
        return $0
      }
      steps.broadcast()
      return count % 10 == 0 ? .idle : .again(deadline: 0)
    }
    good.wake(deadline: 0)
    // Not before their time.
    #expect(steps.wait(until: monotonicNanoseconds() + 20_000_000) { $0 > 0 ? () : nil } == nil)
    clock.advance(bySeconds: 2)
    steps.wait { $0 == 10 ? () : nil }
    hung.withLock { $0.isReleased = true }
    hung.broadcast()
    good.wake(deadline: 0)
    steps.wait { $0 == 20 ? () : nil }
  }

  @Test func closingALaneAtWork() {
    let pool = DecodePool(threads: 1)
    let state = Monitor((inside: false, isReleased: false, steps: 0))
    let lane = pool.makeLane {
      state.withLock {
        $0.inside = true
        $0.steps += 1
      }
      state.broadcast()
      state.wait { $0.isReleased ? () : nil }
      return .again(deadline: 0)
    }
    lane.wake(deadline: 0)
    state.wait { $0.inside ? () : nil }
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
    for n in 1...20 {
      second.wake(deadline: 0)
      other.wait { $0 >= n ? () : nil }
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
        lane.wake(deadline: 0)
        steps.wait { $0 > 0 ? () : nil }
      }
      isFreed.wait { $0 ? () : nil }
    }
  }

  /// Tells when nobody holds it any more.
  private final class Held: Sendable {
    let time: UInt64 = 0
    private let whenFreed: @Sendable () -> Void

    init(_ whenFreed: @escaping @Sendable () -> Void) { self.whenFreed = whenFreed }

    deinit { whenFreed() }
  }

  @Test func lanesOutliveTheirPool() {
    let lane: Lane
    do { lane = DecodePool(threads: 1).makeLane { .idle } }
    lane.wake(deadline: 0)
    lane.close()
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
    for lane in lanes { lane.wake(deadline: 0) }
    total.wait { $0 == 50 ? () : nil }
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
      while true { withExtendedLifetime(pool) { _ = pause() } }
    }
  }
}

/// Calls itself until there is no stack left.
@inline(never)
private func depth(of number: Int32) -> Int32 {
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { room in
    room[0] = UInt8(truncatingIfNeeded: number)
    return number == 0 ? 0 : depth(of: number &+ Int32(room[0]) | 1) &+ Int32(room[0])
  }
}
