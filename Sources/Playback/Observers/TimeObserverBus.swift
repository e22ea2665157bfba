import DecodePool
import Synchronization

/// Delivers times, boundaries and events to the observers of all players that share it.
///
/// The bus must be driven: by a run loop that calls `deliver()` when woken and at `nextDelivery()`, or by its own thread
/// (`startDelivering()`). Blocks run in order on each observer's executor.
///
/// Safe to use from any thread, except that only one thread at a time may call `deliver()`. Created by a context and
/// retained by its players.
public final class TimeObserverBus: Sendable {
  /// The host clock of all players on this bus.
  public let clock: any HostClock
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void
  private let driver = Monitor(Driver())
  private let startThread: ThreadStarter

  /// The thread of `startDelivering()`, and the signal that it waits for. Shared with the thread, which does not hold the bus.
  private struct Driver {
    /// The number of the thread that should run, from 1; nil if there is none.
    var thread: Int?
    var threadCount = 0
    /// True while a thread, possibly one that was asked to stop, may still be delivering.
    var isBusy = false
    var hasNews = false
  }

  private struct State {
    var players: [ObjectIdentifier: Entry] = [:]
    var nextID: UInt64 = 0
  }

  private struct Entry {
    weak var player: Player?
    var observers: [UInt64: Registration] = [:]
    /// The media time up to which observers have been called.
    var delivered: Int64?
  }

  private struct Registration {
    var kind: Kind
    var cell: ObserverCell
    /// The number of the first log entry for this observer; nil until it is known.
    var since: Int?
    /// The entries logged until then.
    var early: [TimeLog.Entry] = []

    enum Kind {
      /// Interval in nanoseconds of media time, and the time last reported.
      case periodic(interval: Int64, last: Int64?)
      /// Sorted times, in nanoseconds of media time.
      case boundary([Int64])
      case events
      /// Everything that happened, in order.
      case passages
    }
  }

  /// - Parameters:
  ///   - clock: the host clock of all players on this bus.
  ///   - wake: called from any thread when `deliver()` should be called soon; must be quick.
  package convenience init(clock: any HostClock = MonotonicClock(), wake: @escaping @Sendable () -> Void = {}) {
    self.init(clock: clock, wake: wake, startThread: detachThread)
  }

  init(clock: any HostClock, wake: @escaping @Sendable () -> Void = {}, startThread: @escaping ThreadStarter) {
    self.clock = clock
    self.wake = wake
    self.startThread = startThread
  }

  deinit { stopDelivering() }

  // MARK: - Players

  /// All players on this bus.
  var players: [Player] { state.withLock { $0.players.values.compactMap(\.player) } }

  func register(_ player: Player) {
    let id = ObjectIdentifier(player)
    state.withLock { $0.players[id] = Entry(player: player) }
  }

  func unregister(_ id: ObjectIdentifier) {
    _ = state.withLock { $0.players.removeValue(forKey: id) }
  }

  /// Notes that a player has something to deliver.
  func noteChange() {
    wake()
    driver.withLock { $0.hasNews = true }
    driver.signal()
  }

  // MARK: - A thread of its own

  /// Starts a thread that calls `deliver()`, for programs without a run loop.
  ///
  /// Requires a clock that runs at the rate of the host's monotonic clock. The thread ends with `stopDelivering()`, or with
  /// the bus: when its context and all players of it have been freed. Has no effect if the thread is already running.
  ///
  /// - Throws: `PlaybackError` if the thread cannot be started.
  public func startDelivering() throws(PlaybackError) {
    let thread: Int? = driver.withLock { driver in
      guard driver.thread == nil else { return nil }
      driver.threadCount += 1
      driver.thread = driver.threadCount
      return driver.threadCount
    }
    guard let thread else { return }
    do throws(ThreadError) {
      try startThread { [driver, clock, weak self] in
        Self.deliver(asThread: thread, driver, clock) {
          self?.deliver()
          return self?.nextDelivery()
        }
      }
    } catch {
      driver.withLock { if $0.thread == thread { $0.thread = nil } }
      throw PlaybackError(error)
    }
  }

  /// Ends the thread of `startDelivering()` after any delivery in progress.
  public func stopDelivering() {
    driver.withLock { $0.thread = nil }
    driver.broadcast()
  }

  /// Delivers until asked to stop, even if another thread has been started since.
  ///
  /// - Parameter deliver: delivers what is due; returns when to call it next if nothing changes.
  private static func deliver(
    asThread thread: Int, _ driver: Monitor<Driver>, _ clock: any HostClock, deliver: () -> HostTime?
  ) {
    driver.wait { driver -> Void? in
      guard !driver.isBusy else { return nil }
      driver.isBusy = true
      return ()
    }
    defer {
      driver.withLock { $0.isBusy = false }
      driver.broadcast()
    }
    while driver.withLock({ $0.thread == thread }) {
      let host = deliver() ?? clock.time + 60_000_000_000
      driver.wait(until: UInt64(max(0, host))) { driver -> Void? in
        guard driver.hasNews || driver.thread != thread else { return nil }
        driver.hasNews = false
        return ()
      }
    }
  }

  // MARK: - Observers

  func add(
    _ player: Player, periodic interval: MediaTime, executor: any CallbackExecutor,
    block: @escaping @Sendable (MediaTime) -> Void
  ) -> TimeObserver {
    let nanoseconds = max(1_000_000, interval.clockNanoseconds ?? HostTime.reach)
    return add(player, .periodic(interval: nanoseconds, last: nil), executor, coalesces: true) {
      if case .time(let time) = $0 { block(time) }
    }
  }

  func add(
    _ player: Player, boundaries: [MediaTime], executor: any CallbackExecutor,
    block: @escaping @Sendable (MediaTime) -> Void
  ) -> TimeObserver {
    add(player, .boundary(boundaries.compactMap(\.nanoseconds).sorted()), executor, coalesces: false) {
      if case .time(let time) = $0 { block(time) }
    }
  }

  /// - Parameter includesState: true to begin with the events that tell the present state.
  func add(
    _ player: Player, eventsOn executor: any CallbackExecutor, includesState: Bool, block: @escaping @Sendable (PlayerEvent) -> Void
  ) -> TimeObserver {
    add(player, .events, executor, coalesces: false, includesState: includesState) {
      if case .event(let event) = $0 { block(event) }
    }
  }

  func add(
    _ player: Player, passagesOn executor: any CallbackExecutor, block: @escaping @Sendable (Passage) -> Void
  ) -> TimeObserver {
    add(player, .passages, executor, coalesces: false) {
      if case .passage(let passage) = $0 { block(passage) }
    }
  }

  private func add(
    _ player: Player, _ kind: Registration.Kind, _ executor: any CallbackExecutor, coalesces: Bool, includesState: Bool = false,
    block: @escaping @Sendable (ObserverCell.Call) -> Void
  ) -> TimeObserver {
    let cell = ObserverCell(executor: executor, coalesces: coalesces, block: block)
    let key = ObjectIdentifier(player)
    let id = state.withLock { state in
      state.nextID += 1
      state.players[key, default: Entry(player: player)].observers[state.nextID] = Registration(kind: kind, cell: cell)
      return state.nextID
    }
    let now = clock.time
    // Entries delivered meanwhile are kept for it.
    let (since, present) = player.update { core, _ in
      core.advance(to: now)
      return (core.markLog(), includesState ? core.presentState : [])
    }
    for event in present { cell.post(.event(event)) }
    state.withLock { $0.players[key]?.observers[id]?.since = since }
    noteChange()
    return TimeObserver(cell) { [weak self] in
      _ = self?.state.withLock { $0.players[key]?.observers.removeValue(forKey: id) }
    }
  }

  // MARK: - Delivery

  /// Delivers everything that is due. Call from one thread at a time, and not while the thread of `startDelivering()` runs.
  public func deliver() {
    let now = clock.time
    for player in players {
      let (log, media, isShown) = player.update { core, _ in
        core.advance(to: now)
        return (core.drainLog(), core.clock.media(at: now), core.outputs.isVisible)
      }
      // Otherwise its outputs do, for each frame.
      if !isShown { player.followSound(at: now.withinReach) }
      let calls = state.withLock { state in
        state.players[ObjectIdentifier(player)]?.delivered = media
        return Self.calls(&state.players[ObjectIdentifier(player)], log)
      }
      for (cell, call) in calls { cell.post(call) }
    }
  }

  private static func calls(
    _ entry: inout Entry?, _ log: [TimeLog.Entry]
  ) -> [(ObserverCell, ObserverCell.Call)] {
    guard entry != nil else { return [] }
    var result: [(ObserverCell, ObserverCell.Call)] = []
    for id in (entry?.observers.keys.sorted() ?? []) {
      guard var registration = entry?.observers[id] else { continue }
      guard let since = registration.since else {
        entry?.observers[id]?.early += log
        continue
      }
      let cell = registration.cell
      let passages = (registration.early + log).drop { $0.number < since }.map(\.passage)
      if !registration.early.isEmpty {
        registration.early = []
        entry?.observers[id]?.early = []
      }
      switch registration.kind {
      case .events:
        for case .event(let event) in passages { result.append((cell, .event(event))) }
      case .passages:
        for passage in passages { result.append((cell, .passage(passage))) }
      case .boundary(let times):
        for passage in passages {
          for time in crossed(times, in: passage) { result.append((cell, .time(MediaTime(nanoseconds: time)))) }
        }
      case .periodic(let interval, var last):
        for passage in passages {
          switch passage {
          case .played(_, let to):
            guard let l = last, abs(to - l) < interval, floorDivide(to, interval) == floorDivide(l, interval) else {
              result.append((cell, .time(MediaTime(nanoseconds: to))))
              last = to
              continue
            }
          case .jumped(let to), .started(let to), .stopped(let to):
            result.append((cell, .time(MediaTime(nanoseconds: to))))
            last = to
          case .event, .entered:
            break
          }
        }
        registration.kind = .periodic(interval: interval, last: last)
        entry?.observers[id] = registration
      }
    }
    return result
  }

  /// Returns the times that playback crosses, in that order: those in (from, to], or in [to, from) in reverse, and one at
  /// which it begins after a jump.
  private static func crossed(_ times: [Int64], in passage: Passage) -> [Int64] {
    switch passage {
    case .entered(let start): times.filter { $0 == start }
    case .played(let from, let to):
      from <= to ? times.filter { $0 > from && $0 <= to } : times.filter { $0 < from && $0 >= to }.reversed()
    case .jumped, .started, .stopped, .event: []
    }
  }

  /// Returns the host time of the next delivery if nothing changes; nil if no observed player is running.
  public func nextDelivery() -> HostTime? {
    let now = clock.time
    let entries = state.withLock { $0.players.values.map { $0 } }
    var next: HostTime?
    for entry in entries {
      guard let player = entry.player, !entry.observers.isEmpty else { continue }
      let (timebase, end, hasNews) = player.read { core, _ in
        (core.clock.timebase, core.playBound, !core.clock.log.isEmpty)
      }
      if hasNews && !timebase.isRunning { return now }
      guard timebase.isRunning else { continue }
      // From the last time reported: a time that has passed since is due now.
      let present = timebase.media(at: now)
      let isBack = timebase.rate < 0
      let media = isBack ? max(present, entry.delivered ?? .min) : min(present, entry.delivered ?? .max)
      var times: [Int64] = end.map { [$0] } ?? []
      for registration in entry.observers.values {
        switch registration.kind {
        case .periodic(let interval, _):
          // Backwards, a stretch is left one nanosecond below its start.
          times.append(
            isBack ? floorDivide(media, interval) * interval - 1 : (floorDivide(media, interval) + 1) * interval)
        case .boundary(let boundaries):
          let next = isBack ? boundaries.last { $0 < media } : boundaries.first { $0 > media }
          if let next { times.append(next) }
        case .events, .passages: break
        }
      }
      for time in times {
        if let host = timebase.host(for: time) { next = min(next ?? .max, max(now, host)) }
      }
    }
    return next
  }
}

private func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
  let quotient = a / b
  return a % b < 0 ? quotient - 1 : quotient
}

extension Player {
  /// Calls `block` about every `interval` of media time during playback, and at each jump, start and stop.
  ///
  /// Intervals that could not be met are skipped, not queued.
  ///
  /// - Parameters:
  ///   - interval: media time; values below a millisecond count as a millisecond.
  ///   - executor: runs `block`.
  ///   - block: receives the current media time.
  /// - Returns: the observer; freeing it ends the calls.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, on executor: any CallbackExecutor,
    using block: @escaping @Sendable (MediaTime) -> Void
  ) -> TimeObserver {
    bus.add(self, periodic: interval, executor: executor, block: block)
  }

  /// Calls `block` when playback crosses one of `times` in either direction, but not when a seek jumps over it. One at which
  /// playback begins, as at the item's start or after a seek to it, counts as crossed.
  ///
  /// If the bus is not driven for hundreds of seeks or loop passes, the oldest crossings are lost.
  ///
  /// - Parameters:
  ///   - times: media times; non-numeric times are ignored.
  ///   - executor: runs `block`.
  ///   - block: receives the time crossed.
  /// - Returns: the observer; freeing it ends the calls.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], on executor: any CallbackExecutor,
    using block: @escaping @Sendable (MediaTime) -> Void
  ) -> TimeObserver {
    bus.add(self, boundaries: times, executor: executor, block: block)
  }

  /// Calls `block` for each event from now on, in order.
  ///
  /// - Parameters:
  ///   - includesState: true to begin with the events that tell the present state: the rate, the status, whether the item is
  ///     ready or has failed, and the duration if it is known.
  ///   - executor: runs `block`. While a block is running, up to 1024 events wait for it; further ones are lost.
  ///   - block: receives the event.
  /// - Returns: the observer; freeing it ends the calls.
  public func addEventObserver(
    includesState: Bool = false, on executor: any CallbackExecutor, using block: @escaping @Sendable (PlayerEvent) -> Void
  ) -> TimeObserver {
    bus.add(self, eventsOn: executor, includesState: includesState, block: block)
  }

  /// Calls `block` for everything that happens, in order: stretches played, jumps, events.
  ///
  /// Does not make the bus deliver at particular times, as boundary observers do.
  package func addPassageObserver(
    on executor: any CallbackExecutor, using block: @escaping @Sendable (Passage) -> Void
  ) -> TimeObserver {
    bus.add(self, passagesOn: executor, block: block)
  }
}
