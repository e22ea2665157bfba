import Glibc

extension TerminalSession {
  /// Waits until the terminal has taken and answered all that was sent, so that no late answer lands in the
  /// shell.
  ///
  /// Call it between `leave` and `restore` or `suspend` when queries may be unanswered: whoever is far away need not wait
  /// for the screen until they are. A last query for the primary attributes marks the end; what is typed meanwhile is
  /// dropped. Gives up after `milliseconds`. Returns whether the mark came.
  ///
  /// - Parameters:
  ///   - owesAttributes: whether such a query is unanswered already; its answer is not the mark.
  ///   - statusesBehind: queries for the status that a terminal behind a multiplexer is to answer: the multiplexer, which answers the
  ///     mark by itself, does so before.
  @discardableResult
  public func settle(owesAttributes: Bool = false, statusesBehind: Int = 0, milliseconds: Int = 500) -> Bool {
    let end = monotonicNanoseconds() + UInt64(max(0, milliseconds)) * 1_000_000
    writer.enqueue("\u{1B}[c".utf8)
    var parser = InputParser(keys: terminfo.keys)
    parser.expectsTornStatus = statusesBehind > 0
    var owed = owesAttributes ? 2 : 1
    var statuses = statusesBehind
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while true {
        if case .gone = writer.flush() { return false }
        switch read(into: buffer) {
        case .gone:
          return false
        case .bytes(let count):
          let events = parser.feed(Array(buffer[..<count]), at: monotonicNanoseconds())
          owed -= events.count { if case .reply(.primaryAttributes) = $0 { true } else { false } }
          statuses -= events.count { $0 == .reply(.operatingStatus) || $0 == .reply(.tornOperatingStatus) }
          if owed <= 0, statuses <= 0 { return true }
        case .empty:
          let now = monotonicNanoseconds()
          guard now < end else { return false }
          var requests = [
            pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: writer.hasPending ? writer.descriptor : -1, events: Int16(POLLOUT), revents: 0),
          ]
          poll(&requests, nfds_t(requests.count), Int32(clamping: (end - now) / 1_000_000 + 1))
        }
      }
    }
  }
}
