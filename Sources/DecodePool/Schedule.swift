/// A scheduler that picks the lane to run next: a plain value without threads, with times in nanoseconds.
///
/// The earliest deadline comes first, even among lanes that are slightly late, so that a lane that has fallen behind
/// catches up. Lanes that are later than that count as due now and take turns, least recently served first: one that can
/// never be in time must not take the time of all others, nor be left out for long.
struct Schedule {
  typealias LaneID = UInt64

  private enum Phase {
    case idle
    case ready(deadline: UInt64)
    /// Running; with a deadline if it was woken meanwhile.
    case running(since: UInt64, woken: UInt64?)
  }

  private struct Lane {
    var phase = Phase.idle
    /// The number of its last turn.
    var lastTurn: UInt64 = 0
    /// The time of its last turn.
    var lastTaken: UInt64 = 0
    var isClosed = false
    /// True while its step waits for something else than a processor.
    var isBlocked = false
  }

  /// The maximum lateness at which a lane keeps its place by deadline.
  private static let grace: UInt64 = 250_000_000
  /// The time without a turn after which a late lane is served first.
  private static let longestWait: UInt64 = 100_000_000

  private var lanes: [LaneID: Lane] = [:]
  private var nextID: LaneID = 0
  private var turns: UInt64 = 0

  mutating func addLane() -> LaneID {
    nextID += 1
    lanes[nextID] = Lane(lastTurn: turns)
    return nextID
  }

  /// Makes a lane ready, or keeps the earlier of two deadlines. Returns true if a worker may be needed.
  mutating func wake(_ id: LaneID, deadline: UInt64) -> Bool {
    guard var lane = lanes[id], !lane.isClosed else { return false }
    defer { lanes[id] = lane }
    switch lane.phase {
    case .idle:
      lane.phase = .ready(deadline: deadline)
      return true
    case .ready(let present):
      lane.phase = .ready(deadline: min(present, deadline))
      return false
    case .running(let since, let woken):
      lane.phase = .running(since: since, woken: min(woken ?? .max, deadline))
      return false
    }
  }

  /// Takes the lane to run now, if any is ready.
  mutating func take(now: UInt64) -> LaneID? {
    var best: (id: LaneID, due: UInt64, turn: UInt64)?
    for (id, lane) in lanes {
      guard case .ready(let deadline) = lane.phase else { continue }
      let hasPlace = deadline &+ Self.grace >= now || lane.lastTaken &+ Self.longestWait < now
      let due = hasPlace ? deadline : now
      if let b = best, (b.due, b.turn, b.id) <= (due, lane.lastTurn, id) { continue }
      best = (id, due, lane.lastTurn)
    }
    guard let best else { return nil }
    turns += 1
    lanes[best.id]?.lastTurn = turns
    lanes[best.id]?.lastTaken = now
    lanes[best.id]?.phase = .running(since: now, woken: nil)
    return best.id
  }

  /// Puts a lane back after a step; `next` is its next deadline. Returns true if it is ready.
  mutating func finish(_ id: LaneID, next: UInt64?) -> Bool {
    guard var lane = lanes[id], case .running(_, let woken) = lane.phase else { return false }
    lane.isBlocked = false
    if lane.isClosed {
      lanes[id] = nil
      return false
    }
    switch (next, woken) {
    case (nil, nil): lane.phase = .idle
    case (let a, let b): lane.phase = .ready(deadline: min(a ?? .max, b ?? .max))
    }
    lanes[id] = lane
    if case .ready = lane.phase { return true }
    return false
  }

  /// Notes that a running step begins or ends to wait for something else than a processor.
  mutating func setBlocked(_ id: LaneID, _ isBlocked: Bool) {
    guard case .running = lanes[id]?.phase else { return }
    lanes[id]?.isBlocked = isBlocked
  }

  /// Removes a lane; one that is running is removed when its step returns. Returns true if it is running.
  mutating func close(_ id: LaneID) -> Bool {
    guard var lane = lanes[id] else { return false }
    if case .running = lane.phase {
      lane.isClosed = true
      lanes[id] = lane
      return true
    }
    lanes[id] = nil
    return false
  }

  var hasReadyLane: Bool {
    lanes.values.contains { if case .ready = $0.phase { true } else { false } }
  }

  /// Returns the number of lanes that are running or due by a time.
  func dueCount(by time: UInt64) -> Int {
    lanes.values.count {
      switch $0.phase {
      case .idle: false
      case .ready(let deadline): deadline <= time
      case .running: !$0.isBlocked
      }
    }
  }

  /// True if no lane is ready or running.
  var isQuiet: Bool {
    lanes.values.allSatisfy { if case .idle = $0.phase { true } else { false } }
  }

  /// Returns the number of lanes whose step is blocked, or has lasted longer than `limit`.
  func stuckCount(now: UInt64, limit: UInt64) -> Int {
    lanes.values.count {
      if case .running(let since, _) = $0.phase { $0.isBlocked || now > since &+ limit } else { false }
    }
  }
}
