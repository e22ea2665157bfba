import Glibc

/// A small pool of worker threads shared by all players: earliest deadline first, at most one worker per lane.
///
/// A lane's work comes in short steps. A step that blocks, as for data that have yet to arrive, holds only its own worker:
/// the pool adds a replacement until it returns, at once if the step says so, else after a second.
public final class DecodePool: Sendable {
  /// A lane's request after a step.
  public enum Next: Sendable {
    /// Nothing to do until `Lane.wake`.
    case idle
    /// Another step, due at this host time in nanoseconds.
    case again(deadline: UInt64)
  }

  /// The number of threads that may run at the same time.
  public let threadCount: Int
  /// The period in which a lane is behind because there are too few threads. All lanes should then do less, rather than
  /// leave one with next to nothing; the pool itself does not enforce it.
  public let relief = SharedPeriod()
  /// The period in which someone waits for frames from many places; lanes that only fill caches should then pause.
  public let scrubbing = SharedPeriod()
  private let shared: Shared

  /// - Parameters:
  ///   - threads: the number of workers; with 0, steps run only inside `runNextStep()`.
  ///   - now: the host clock in nanoseconds.
  public convenience init(threads: Int, now: @escaping @Sendable () -> UInt64 = monotonicNanoseconds) {
    self.init(threads: threads, now: now, startThread: detachThread)
  }

  /// - Parameter startThread: starts the workers.
  package init(
    threads: Int, now: @escaping @Sendable () -> UInt64 = monotonicNanoseconds, startThread: @escaping ThreadStarter
  ) {
    threadCount = max(0, threads)
    shared = Shared(threads: threadCount, now: now, startThread: startThread)
    // One worker is enough to serve all lanes; if there is none, lanes are notified when they are woken.
    for _ in 0..<threadCount { try? shared.startWorker() }
    if threadCount > 0 { shared.startWatching() }
  }

  deinit { shared.stop() }

  /// Runs the next due step on the calling thread. Returns true if there was one.
  @discardableResult
  public func runNextStep() -> Bool { shared.runNextStep() }

  /// True if more lanes are running or due than there are threads.
  public var isCrowded: Bool { shared.dueCount > max(1, threadCount) }

  /// Creates a lane, which is idle until it is woken.
  ///
  /// - Parameters:
  ///   - step: does one piece of work; called by one worker at a time, with no lock held.
  ///   - whenUnserved: called by `wake` if no worker could be started, so that no step will run unless somebody calls
  ///     `runNextStep()`; on the calling thread, with no lock held.
  public func makeLane(
    _ step: @escaping @Sendable () -> Next, whenUnserved: (@Sendable (ThreadError) -> Void)? = nil
  ) -> Lane {
    Lane(shared: shared, id: shared.addLane(step, whenUnserved))
  }
}

/// A sequence of steps in a `DecodePool`; closing or freeing it ends them. Safe to use from any thread.
public final class Lane: Sendable {
  private let shared: Shared
  private let id: Schedule.LaneID

  fileprivate init(shared: Shared, id: Schedule.LaneID) {
    self.shared = shared
    self.id = id
  }

  deinit { close() }

  /// Requests a step by `deadline` (host time in nanoseconds); pending requests are merged.
  public func wake(deadline: UInt64) { shared.wake(id, deadline: deadline) }

  /// Notes that the running step begins or ends to wait for something else than a processor, such as data: meanwhile another
  /// worker takes the place of its own. Called by the step.
  public func setBlocked(_ isBlocked: Bool) { shared.setBlocked(id, isBlocked) }

  /// Prevents further steps from starting; a step that is running ends by itself, later.
  public func close() { shared.close(id) }
}

/// The state shared by workers and lanes, so that a blocked worker keeps nothing else alive.
private final class Shared: Sendable {
  private struct State {
    var schedule = Schedule()
    var steps: [Schedule.LaneID: @Sendable () -> DecodePool.Next] = [:]
    var whenUnserved: [Schedule.LaneID: @Sendable (ThreadError) -> Void] = [:]
    var workers = 0
    var isStopped = false
  }

  /// The time after which a step counts as stuck, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000
  /// The maximum number of replacements for stuck workers, since each stuck step holds a thread.
  private static let maxReplacements = 8

  private let threads: Int
  private let now: @Sendable () -> UInt64
  private let monitor = Monitor(State())
  private let watch = Monitor(Watch())

  private struct Watch {
    var isWanted = false
    var isStopped = false
  }

  private let startThread: ThreadStarter

  init(threads: Int, now: @escaping @Sendable () -> UInt64, startThread: @escaping ThreadStarter) {
    self.threads = threads
    self.now = now
    self.startThread = startThread
  }

  func addLane(
    _ step: @escaping @Sendable () -> DecodePool.Next, _ whenUnserved: (@Sendable (ThreadError) -> Void)?
  ) -> Schedule.LaneID {
    monitor.withLock { state in
      let id = state.schedule.addLane()
      state.steps[id] = step
      state.whenUnserved[id] = whenUnserved
      return id
    }
  }

  func wake(_ id: Schedule.LaneID, deadline: UInt64) {
    let time = now()
    let (isNew, needsWorker, whenUnserved) = monitor.withLock { state in
      let isNew = state.schedule.wake(id, deadline: deadline)
      let needsWorker = isNew && (claimFirst(&state) || claimReplacement(&state, time))
      return (isNew, needsWorker, needsWorker ? state.whenUnserved[id] : nil)
    }
    if needsWorker {
      do throws(ThreadError) {
        try spawnWorker()
      } catch {
        if monitor.withLock({ $0.workers == 0 && !$0.isStopped }) { whenUnserved?(error) }
      }
    }
    guard isNew else { return }
    monitor.signal()
    let isAsleep = watch.withLock { watch in
      defer { watch.isWanted = true }
      return !watch.isWanted
    }
    if isAsleep { watch.signal() }
  }

  func setBlocked(_ id: Schedule.LaneID, _ isBlocked: Bool) {
    let time = now()
    let needsWorker = monitor.withLock { state in
      state.schedule.setBlocked(id, isBlocked)
      return isBlocked && claimReplacement(&state, time)
    }
    if needsWorker { try? spawnWorker() }
    // A replacement that waits for work may leave.
    if !isBlocked { monitor.signal() }
  }

  func close(_ id: Schedule.LaneID) {
    // The closure is freed outside the lock, since it may own anything.
    let closures = monitor.withLock { state in
      let closures = (state.steps.removeValue(forKey: id), state.whenUnserved.removeValue(forKey: id))
      _ = state.schedule.close(id)
      return closures
    }
    withExtendedLifetime(closures) {}
  }

  func stop() {
    monitor.withLock { $0.isStopped = true }
    monitor.broadcast()
    watch.withLock { $0.isStopped = true }
    watch.signal()
  }

  func startWorker() throws(ThreadError) {
    monitor.withLock { $0.workers += 1 }
    try spawnWorker()
  }

  /// Without it, stuck workers are replaced only when a lane is woken.
  func startWatching() { try? startThread { [self] in watchForStuckSteps() } }

  /// Replaces stuck workers while there is work, since nobody else would notice if all of them hang.
  private func watchForStuckSteps() {
    while watch.wait(for: { $0.isStopped ? false : $0.isWanted ? true : nil }) {
      let pause = monotonicNanoseconds() + Self.patience / 4
      if watch.wait(until: pause, for: { $0.isStopped ? () : nil }) != nil { return }
      let time = now()
      // Work that arrives from here on requests another look.
      watch.withLock { $0.isWanted = false }
      let (isQuiet, needsWorker) = monitor.withLock { state in
        (state.schedule.isQuiet, claimReplacement(&state, time))
      }
      if needsWorker { try? spawnWorker() }
      if !isQuiet { watch.withLock { $0.isWanted = true } }
    }
  }

  /// Claims a first worker if none could be started before, since a thread may be available by now.
  private func claimFirst(_ state: inout State) -> Bool {
    guard threads > 0, state.workers == 0, !state.isStopped else { return false }
    state.workers = 1
    return true
  }

  /// Claims a further worker if there is work and stuck steps hold too many of the others.
  private func claimReplacement(_ state: inout State, _ time: UInt64) -> Bool {
    guard state.schedule.hasReadyLane else { return false }
    let stuck = state.schedule.stuckCount(now: time, limit: Self.patience)
    guard stuck > 0, state.workers < threads + min(stuck, Self.maxReplacements) else { return false }
    state.workers += 1
    return true
  }

  private func spawnWorker() throws(ThreadError) {
    do throws(ThreadError) {
      try startThread { [self] in work() }
    } catch {
      monitor.withLock { $0.workers -= 1 }
      throw error
    }
  }

  private enum Order {
    case run(Schedule.LaneID, @Sendable () -> DecodePool.Next)
    case leave
  }

  /// The niceness of the workers, which lets other threads run first.
  private static let niceness: Int32 = 4

  private func work() {
    // Decoding a frame slightly later does less harm than making the display, or a terminal, wait for a core while several
    // frames are decoded ahead.
    lowerThreadPriority(to: Self.niceness)
    while true {
      let order: Order = monitor.wait { state in
        if state.isStopped || isSurplus(state) {
          state.workers -= 1
          return .leave
        }
        guard let id = state.schedule.take(now: now()), let step = state.steps[id] else { return nil }
        return .run(id, step)
      }
      guard case .run(let id, let step) = order else {
        // The wake-up that reached this worker may have been meant for work.
        monitor.signal()
        return
      }
      // This worker looks for work next, so nobody needs to be woken when the lane continues: it stays on one core for as
      // long as no other lane is due before it.
      // one core as long as no other lane is due before it.
      _ = run(id, step)
    }
  }

  /// Runs a step. Returns true if the lane is ready for another.
  private func run(_ id: Schedule.LaneID, _ step: @Sendable () -> DecodePool.Next) -> Bool {
    let next = step()
    return monitor.withLock { state in
      if case .again(let deadline) = next { return state.schedule.finish(id, next: deadline) }
      return state.schedule.finish(id, next: nil)
    }
  }

  var dueCount: Int {
    let time = now()
    return monitor.withLock { $0.schedule.dueCount(by: time) }
  }

  func runNextStep() -> Bool {
    let time = now()
    let found: (Schedule.LaneID, @Sendable () -> DecodePool.Next)? = monitor.withLock { state in
      guard let id = state.schedule.take(now: time), let step = state.steps[id] else { return nil }
      return (id, step)
    }
    guard let (id, step) = found else { return false }
    if run(id, step) { monitor.signal() }
    return true
  }

  /// Returns true if a replacement is no longer needed, because the stuck step has returned.
  private func isSurplus(_ state: State) -> Bool {
    state.workers > threads + state.schedule.stuckCount(now: now(), limit: Self.patience)
  }
}

/// Returns the time of the host's monotonic clock, in nanoseconds.
public func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
