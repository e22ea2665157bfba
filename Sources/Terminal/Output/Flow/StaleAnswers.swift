/// Outstanding replies to abandoned queries: a value with a manual clock.
struct StaleAnswers {
  private var count = 0
  /// Deadline of the wait if they may be lost; nil if they are certain to arrive, as after a stall of the
  /// link.
  private var until: UInt64?
  /// Number that have arrived since queries were abandoned.
  private var seen = 0

  /// True if one has arrived since queries were abandoned.
  var hasSeenAny: Bool { seen > 0 }

  /// True if some are certain to arrive.
  var isExpectingForCertain: Bool { count > 0 && until == nil }

  /// Expects one more reply.
  mutating func expectOne() { count = min(count + 1, FlowWindow.maxAsks) }

  /// Records one that has been recognised.
  mutating func forgetOne() { count = max(0, count - 1) }

  /// Records that every query not abandoned has been answered.
  mutating func allWereAnswered() { seen = 0 }

  /// Expects none any more.
  mutating func forget() { count = 0 }

  /// Abandons a number of queries.
  mutating func giveUp(_ queries: Int, until: UInt64?) {
    if queries > 0 {
      count = min(count + max(0, queries - seen), FlowWindow.maxAsks)
      self.until = until
    }
    seen = 0
  }

  /// Returns true if a reply is one of these, and counts it.
  ///
  /// Replies arrive in order; if some may be lost, it can only be one if no reply to a later query can be here yet.
  ///
  /// - Parameter sentAt: Time of the first query not abandoned.
  mutating func takes(answerAt now: UInt64, sentAt: UInt64?, minRoundTrip: UInt64?) -> Bool {
    guard count > 0 else {
      // All certain ones have arrived: later abandoned queries have their own.
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
