@testable import Terminal

/// A terminal at the end of a link: a buffer that drains at a rate, and half the round trip each way.
struct SimulatedLink {
  var rate: Double
  var roundTrip: UInt64
  let capacity: Int
  /// True if the terminal answers at all.
  var answers = true
  /// Number of terminals that answer each query.
  var terminals = 1
  /// Number of answers that get lost from now on.
  var losing = 0
  /// Number of bytes that reach the terminal together, as records of ssh or frames of a radio link do.
  var burst = 1
  private(set) var delivered = 0
  private var accepted = 0
  private var drained = 0.0
  /// Queries by the count of bytes before them, and their answers by the time they arrive.
  private var queries: [Int] = []
  private var replies: [UInt64] = []
  var isStopped = false

  init(rate: Double, roundTrip: UInt64, capacity: Int) {
    self.rate = rate
    self.roundTrip = roundTrip
    self.capacity = capacity
  }

  var queued: Int { accepted - Int(drained) }

  mutating func send(_ bytes: Int, asks: Bool) {
    accepted += bytes + (asks ? 4 : 0)
    if asks { queries.append(accepted) }
  }

  mutating func advance(from: UInt64, to now: UInt64) {
    if !isStopped { drained = min(Double(accepted), drained + rate * Double(now - from) / 1e9) }
    delivered = drained < Double(accepted) ? max(delivered, Int(drained) / burst * burst) : accepted
    while let first = queries.first, first <= delivered {
      queries.removeFirst()
      if losing > 0 { losing -= 1 } else if answers { replies += Array(repeating: now + roundTrip, count: terminals) }
    }
  }

  mutating func takeReplies(at now: UInt64) -> Int {
    let count = replies.prefix { $0 <= now }.count
    replies.removeFirst(count)
    return count
  }
}

/// The figures of a run over a link.
struct Outcome {
  var updates = 0
  var bytes = 0
  var worstDelay = 0.0
  var delays: [Double] = []
  var whole = 0
  var updateTimes: [UInt64] = []
  /// The times when queries were sent, and when answers came.
  var queryTimes: [UInt64] = []
  var answerTimes: [UInt64] = []

  /// Returns the part of a span of time in which a command of two keys `answer` seconds apart meets no answer.
  func share(without answer: Double, from start: UInt64, to end: UInt64) -> Double {
    let gap = UInt64(answer * 1e9)
    let times = [start] + answerTimes + [end]
    let free = zip(times, times.dropFirst()).reduce(0.0) { $0 + Double($1.1 - $1.0 > gap ? $1.1 - $1.0 - gap : 0) }
    return free / Double(end - start)
  }
}

/// Drives a window and a link in steps of half a millisecond; a frame of `offered` bytes is due at
/// `frameRate`.
func run(
  _ window: inout FlowWindow, _ link: inout SimulatedLink, from start: UInt64 = 0, seconds: Double,
  offered: Int, chromeRate: Double = 0,
  step: UInt64 = 500_000
) -> Outcome {
  var outcome = Outcome()
  var isIncomplete = false
  var chromeDue = chromeRate > 0 ? start : .max
  var now = start
  let end = start + UInt64(seconds * 1e9)
  let interval = UInt64(1e9 / window.frameRate)
  var due = start
  while now < end {
    link.advance(from: now, to: now + step)
    now += step
    for _ in 0..<link.takeReplies(at: now) {
      window.didAcknowledge(at: now)
      outcome.answerTimes.append(now)
    }
    if let deadline = window.deadline, now >= deadline, window.expire(at: now) {
      link.send(0, asks: true)
      outcome.queryTimes.append(now)
    }
    if now >= chromeDue {
      let asks = window.didSend(bytes: 60, hasFrames: false, at: now)
      if asks { outcome.queryTimes.append(now) }
      link.send(60, asks: asks)
      chromeDue += UInt64(1e9 / chromeRate)
    }
    // What an update had no room for goes into the next one, as soon as there may be one.
    if now >= due || isIncomplete,
      case .open(let budget) = window.allowance(at: now, isWriterEmpty: link.queued < link.capacity)
    {
      let bytes = min(budget ?? offered, offered)
      let asks = window.didSend(bytes: bytes, at: now)
      if asks { outcome.queryTimes.append(now) }
      link.send(bytes, asks: asks)
      outcome.updates += 1
      outcome.updateTimes.append(now)
      outcome.bytes += bytes
      if bytes == offered { outcome.whole += 1 }
      isIncomplete = bytes < offered
      due = max(due + interval, now)
    }
    let delay = Double(link.queued) / link.rate
    outcome.delays.append(delay)
    outcome.worstDelay = max(outcome.worstDelay, delay)
  }
  return outcome
}
