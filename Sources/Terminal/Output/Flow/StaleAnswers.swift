/// Answers that are still to come to queries that were given up: a value with a hand-moved clock.
struct StaleAnswers {
  private var count = 0
  /// Until when they are waited for where they may be lost; nil where they come for certain, as over a link that stands
  /// still for a while.
  private var until: UInt64?
  /// Those that have come since queries were given up.
  private var seen = 0

  /// Whether one has come since queries were given up.
  var hasSeenAny: Bool { seen > 0 }

  /// Whether some come for certain.
  var isExpectingForCertain: Bool { count > 0 && until == nil }

  /// Expects one answer more.
  mutating func expectOne() { count = min(count + 1, FlowWindow.maxAsks) }

  /// One was taken for what it is.
  mutating func forgetOne() { count = max(0, count - 1) }

  /// Every query that was not given up has been answered.
  mutating func allWereAnswered() { seen = 0 }

  /// None is expected any more.
  mutating func forget() { count = 0 }

  /// So many queries are given up.
  mutating func giveUp(_ queries: Int, until: UInt64?) {
    if queries > 0 {
      count = min(count + max(0, queries - seen), FlowWindow.maxAsks)
      self.until = until
    }
    seen = 0
  }

  /// Whether an answer is one of these, which it then counts as.
  ///
  /// Answers come in order; where some may be lost, it can only be one if none to a later query can be here already.
  ///
  /// - Parameter sentAt: when the first query was sent that is not given up.
  mutating func takes(answerAt now: UInt64, sentAt: UInt64?, minRoundTrip: UInt64?) -> Bool {
    guard count > 0 else {
      // All that come for certain have: those to queries that are given up from now on are others.
      if until == nil { seen = 0 }
      return false
    }
    if let until {
      guard now < until else { return false }
      if let sentAt {
        guard let minRoundTrip, now &- sentAt < minRoundTrip - minRoundTrip / 8 else { return false }
      }
    }
    count -= 1
    seen += 1
    return true
  }
}
