import Glibc

extension TerminalSession {
  /// Waits until the terminal has processed and answered everything, so that no late reply reaches the
  /// shell.
  ///
  /// Call it between `leave` and `restore` or `suspend` if queries may be unanswered, so that a remote user need not wait
  /// for the screen meanwhile. A last query for the primary attributes marks the end; typed input is
  /// dropped. Gives up after `milliseconds`. Returns true if the mark arrived.
  ///
  /// - Parameters:
  ///   - owesAttributes: True if such a query is already unanswered; its reply is not the mark.
  ///   - statusesBehind: Number of status queries for a terminal behind a multiplexer; the multiplexer answers the
  ///     mark itself, possibly earlier.
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
