/// Decides when the terminal behind a multiplexer is queried: a value with a manual clock.
///
/// Its replies arrive as keys unknown to the multiplexer: they interrupt a command that the user has started there, and go
/// to whichever pane is active. So queries are rare, one at a time, and not sent while replies may go elsewhere.
struct MultiplexerPassage {
  /// The reason queries are paused.
  private enum Pause {
    /// A reply is missing and may have gone to another pane. Any input, including replies, shows that this one is active.
    case silence
    /// This pane, or the terminal, has lost the focus.
    case noFocus
    /// The user is giving a command to the multiplexer.
    case command(until: UInt64)
  }

  /// The query, wrapped for the multiplexer.
  let query: [UInt8]
  private var pause: Pause?
  private var askedAt: UInt64?
  /// Queueing time of the latest reply, in nanoseconds; nil for an update sent alone, which does not measure it.
  private var delay: UInt64?
  /// Number of consecutive replies without queueing.
  private var freeCount = 0
  /// True if there were more replies than queries since the latest query, and the number of consecutive queries with several.
  private var hasSurplus = false
  private var surplusCount = 0

  /// Interval between queries when the link's rate is known.
  static let interval: UInt64 = 1_000_000_000
  /// Longer than this is a queue.
  private static let freeDelay: UInt64 = 30_000_000
  /// Time allowed for a command after its start was noticed, including a second try.
  private static let commandTime: UInt64 = 3_000_000_000
  /// This many consecutive queries with two replies are no coincidence.
  private static let maxSurplus = 3

  init(query: [UInt8]) { self.query = query }

  var isPaused: Bool { pause != nil }

  /// Multiple of the known rate to send: a higher rate is noticed only by sending more than the known one, and the more
  /// the longer there was no queue. A queue must have drained by the next reply.
  var gain: Double {
    guard let delay else { return 1 }
    if !isQueue(delay) { return min(1.1 + 0.1 * Double(max(0, freeCount - 3)), 1.5) }
    return max(0.5, 1 - Double(delay - Self.freeDelay) / Double(Self.interval))
  }

  /// Records how long an update, alone or not, was in flight beyond the minimum.
  mutating func didMeasure(delay: UInt64, isAlone: Bool) {
    self.delay = isAlone ? nil : delay
    if !isAlone { freeCount = isQueue(delay) ? 0 : freeCount + 1 }
  }

  /// True if a reply this late has queued.
  func isQueue(_ delay: UInt64) -> Bool { delay > Self.freeDelay }

  /// True if the latest query is long enough ago.
  func isDue(at now: UInt64) -> Bool { askedAt.map { now &- $0 >= Self.interval } ?? true }

  mutating func didAsk(at now: UInt64) {
    askedAt = now
    if !hasSurplus { surplusCount = 0 }
    hasSurplus = false
  }

  /// Records a reply without a query.
  ///
  /// - Returns: True if several terminals must be replying.
  mutating func didReceiveSurplus() -> Bool {
    if !hasSurplus { surplusCount += 1 }
    hasSurplus = true
    return surplusCount >= Self.maxSurplus
  }

  mutating func answerIsOverdue() { pause = .silence }

  mutating func didLoseFocus() { pause = .noFocus }

  mutating func commandWasBroken(at now: UInt64) { pause = .command(until: now + Self.commandTime) }

  /// Records a reply. Returns true if queries resume.
  mutating func didAnswer() -> Bool {
    guard case .silence = pause else { return false }
    return resume()
  }

  /// Records user input. Returns true if queries resume.
  mutating func didReceiveInput() -> Bool {
    switch pause {
    case .silence, .noFocus: resume()
    case .command, nil: false
    }
  }

  /// Records the time. Returns true if queries resume.
  mutating func advance(to now: UInt64) -> Bool {
    guard case .command(let until) = pause, now >= until else { return false }
    return resume()
  }

  private mutating func resume() -> Bool {
    pause = nil
    askedAt = nil
    return true
  }
}
