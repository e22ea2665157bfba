/// When the terminal behind a multiplexer is asked through it: a value with a hand-moved clock.
///
/// Its answers come back as keys that the multiplexer does not know: they break a command that the user has begun there, and go
/// to whichever pane is active. So it is asked seldom, one query at a time, and not while its answers may go elsewhere.
struct MultiplexerPassage {
  /// Why it is not asked now.
  private enum Pause {
    /// An answer stays away: it may have gone to another pane. Any input, answers too, shows that this one is active.
    case silence
    /// This pane, or the terminal, has lost the keyboard.
    case noFocus
    /// The user gives a command to the multiplexer.
    case command(until: UInt64)
  }

  /// The query as the multiplexer passes it on.
  let query: [UInt8]
  private var pause: Pause?
  private var askedAt: UInt64?
  /// How long the latest answer waited in a queue, in nanoseconds; nil where an update went alone, which tells nothing of it.
  private var delay: UInt64?
  /// How many answers in a row waited in none.
  private var freeCount = 0
  /// Whether more answers than queries came since the latest query, and how many queries in a row had more than one.
  private var hasSurplus = false
  private var surplusCount = 0

  /// Between two queries, once it is known what the link takes.
  static let interval: UInt64 = 1_000_000_000
  /// More than this is a queue.
  private static let freeDelay: UInt64 = 30_000_000
  /// For so long a command may take after it was seen to be begun, a second try included.
  private static let commandTime: UInt64 = 3_000_000_000
  /// So many queries in a row that are answered twice are no chance.
  private static let maxSurplus = 3

  init(query: [UInt8]) { self.query = query }

  var isPaused: Bool { pause != nil }

  /// How many times the known rate is sent: only where more is sent than is known to be taken is it seen to be taken, and the more
  /// the longer there was no queue. What waits in a queue is to be gone by the next answer.
  var gain: Double {
    guard let delay else { return 1 }
    if !isQueue(delay) { return min(1.1 + 0.1 * Double(max(0, freeCount - 3)), 1.5) }
    return max(0.5, 1 - Double(delay - Self.freeDelay) / Double(Self.interval))
  }

  /// Notes how long an update alone, or another, was on its way beyond the least time.
  mutating func didMeasure(delay: UInt64, isAlone: Bool) {
    self.delay = isAlone ? nil : delay
    if !isAlone { freeCount = isQueue(delay) ? 0 : freeCount + 1 }
  }

  /// Whether an answer that is so late has waited in a queue.
  func isQueue(_ delay: UInt64) -> Bool { delay > Self.freeDelay }

  /// Whether the latest query was long enough ago.
  func isDue(at now: UInt64) -> Bool { askedAt.map { now &- $0 >= Self.interval } ?? true }

  mutating func didAsk(at now: UInt64) {
    askedAt = now
    if !hasSurplus { surplusCount = 0 }
    hasSurplus = false
  }

  /// Notes an answer that there was no query for.
  ///
  /// - Returns: whether there must be several terminals, each of which answers.
  mutating func didReceiveSurplus() -> Bool {
    if !hasSurplus { surplusCount += 1 }
    hasSurplus = true
    return surplusCount >= Self.maxSurplus
  }

  mutating func answerIsOverdue() { pause = .silence }

  mutating func didLoseFocus() { pause = .noFocus }

  mutating func commandWasBroken(at now: UInt64) { pause = .command(until: now + Self.commandTime) }

  /// Notes an answer. Returns whether it is asked again from now on.
  mutating func didAnswer() -> Bool {
    guard case .silence = pause else { return false }
    return resume()
  }

  /// Notes input from the user. Returns whether it is asked again from now on.
  mutating func didReceiveInput() -> Bool {
    switch pause {
    case .silence, .noFocus: resume()
    case .command, nil: false
    }
  }

  /// Notes the time. Returns whether it is asked again from now on.
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
