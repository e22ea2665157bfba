import Synchronization

/// Makes several players start, stop and resume after seeks at the same time on the shared host clock.
///
/// Members wait until all have their frame, but no longer than `patience`. Call `releaseIfReady()` whenever a member
/// changes, as its events report. Safe to use from any thread. Retains a player while it waits.
public final class PlayerGroup: Sendable {
  private struct State {
    /// The newest hold of each player. The player itself owns the state of being held, and is held before it is listed
    /// here; whoever takes a hold from here ends it, so no player remains held forever.
    var held: [(player: Player, hold: GroupHold)] = []
    var holdCount = 0
    /// The advance of each player's clock when the players were last started together.
    var started: [ObjectIdentifier: HostTime] = [:]
    /// The host time at which the first of the held players was ready.
    var firstReady: HostTime?
    var patience = Patience.short

    /// The time that ready players wait for the others.
    enum Patience {
      /// `PlayerGroup.patience`.
      case short
      /// As long as it takes.
      case unlimited
    }

    mutating func insert(_ player: Player, _ hold: GroupHold) {
      guard let i = held.firstIndex(where: { $0.player === player }) else { return held.append((player, hold)) }
      if held[i].hold.number < hold.number { held[i].hold = hold }
    }
  }

  /// The time that ready players wait for the others, in nanoseconds.
  public static let patience: HostTime = 1_500_000_000

  private let clock: any HostClock
  private let state = Mutex(State())

  /// - Parameter clock: the clock of the context of all players.
  public init(clock: any HostClock) { self.clock = clock }

  /// Plays `players` together, at one rate or each at its own default rate.
  ///
  /// - Parameter rate: as `Player.rate`; nil for each player's default rate.
  public func play(_ players: [Player], rate: Double? = nil) {
    hold(players)
    for player in players {
      if let rate { player.rate = rate } else { player.play() }
    }
    releaseIfReady()
  }

  /// Makes players that play wait for one of them whose data have run out, however long that takes, and go on together.
  public func wait(_ players: [Player]) {
    hold(players.filter { $0.rate != 0 }, .unlimited)
    releaseIfReady()
  }

  /// Pauses all players at the same time.
  public func pause(_ players: [Player]) {
    let now = clock.time
    release(players, at: now)
    align(players, at: now)
    for player in players { player.setRate(0, time: nil, atHostTime: now) }
  }

  /// Sets the rate of all players at the same time, as `Player.rate`. Waiting players keep waiting for the others.
  public func setRate(_ rate: Double, _ players: [Player]) {
    let now = clock.time
    for player in players { player.setRate(rate, time: nil, atHostTime: now) }
  }

  /// Seeks several players, like `Player.seek` but without results; playing ones resume together once all have finished.
  ///
  /// - Parameters:
  ///   - targets: a media time for each player.
  ///   - toleranceBefore: how much earlier each frame may be; zero is exact.
  ///   - toleranceAfter: how much later each frame may be.
  public func seek(_ targets: [(player: Player, time: MediaTime)], toleranceBefore: MediaTime, toleranceAfter: MediaTime) {
    if targets.count > 1 { hold(targets.map(\.player).filter { $0.rate != 0 }) }
    for (player, time) in targets {
      player.seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
    }
    releaseIfReady()
  }

  private func hold(_ players: [Player], _ patience: State.Patience = .short) {
    let hold = state.withLock { state in
      state.holdCount += 1
      return GroupHold(group: ObjectIdentifier(self), number: state.holdCount)
    }
    // At one common time, since running clocks would otherwise drift apart by the time between two calls.
    let now = clock.time
    for player in players { player.update { core, _ in core.beginGroupHold(hold, at: now) } }
    state.withLock { state in
      for player in players { state.insert(player, hold) }
      state.firstReady = nil
      state.patience = patience
    }
  }

  /// The longest time in nanoseconds by which a clock is set back: a longer one is no pause for want of data.
  private static let maxSetBack: HostTime = 250_000_000

  /// Sets clocks back that have run longer than another since they were started together, because that one had to wait for data.
  private func align(_ players: [Player], at host: HostTime) {
    let started = state.withLock { $0.started }
    let runs = players.compactMap { player -> (player: Player, time: HostTime)? in
      guard let start = started[ObjectIdentifier(player)] else { return nil }
      let (rate, played) = player.read { core, _ in (core.clock.rate, core.clock.advance(at: host)) }
      return rate != 0 ? (player, played - start) : nil
    }
    guard let shortest = runs.map(\.time).min() else { return }
    for (player, time) in runs where time > shortest && time - shortest <= Self.maxSetBack {
      player.update { core, _ in core.setBack(by: time - shortest, at: host) }
    }
  }

  /// Notes that players start together.
  private func noteStart(of players: [Player], at host: HostTime) {
    let advances = players.map { player in player.read { core, _ in core.clock.advance(at: host) } }
    state.withLock { state in
      state.started = [:]
      for (player, time) in zip(players, advances) { state.started[ObjectIdentifier(player)] = time }
    }
  }

  /// Releases players, with their clocks anchored at `host`.
  private func release(_ players: [Player], at host: HostTime) {
    let (released, wasWaiting) = state.withLock { state in
      let former = state.held
      state.held.removeAll { held in players.contains { $0 === held.player } }
      if state.held.isEmpty { state.firstReady = nil }
      return (former.filter { held in players.contains { $0 === held.player } }, state.patience == .unlimited)
    }
    guard !released.isEmpty else { return }
    if wasWaiting { align(released.map(\.player), at: host) }
    noteStart(of: released.map(\.player), at: host)
    for (player, hold) in released { player.update { core, _ in core.endGroupHold(hold, at: host) } }
  }

  /// Starts the waiting players if all are ready or have failed, or the ready ones if their patience has ended.
  ///
  /// - Returns: the latest host time at which to call again; nil if none waits or none is ready.
  @discardableResult
  public func releaseIfReady() -> HostTime? {
    let held = state.withLock { $0.held.map(\.player) }
    guard !held.isEmpty else { return nil }
    let now = clock.time
    let ready = held.filter { player in
      switch player.timeControlStatus {
      case .waiting(.opening), .waiting(.seeking), .waiting(.buffering): false
      case .paused, .playing, .waiting: true
      }
    }
    if ready.count == held.count {
      release(held, at: now)
      return nil
    }
    guard !ready.isEmpty, state.withLock({ $0.patience == .short }) else { return nil }
    let first = state.withLock { state in
      if state.firstReady == nil { state.firstReady = now }
      return state.firstReady ?? now
    }
    guard now >= first + Self.patience else { return first + Self.patience }
    // Late players start by themselves when they are ready.
    release(held, at: now)
    return nil
  }
}
