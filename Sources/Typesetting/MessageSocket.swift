import Glibc

/// Sends and receives messages through a stream socket, each after its length. Does not own the socket.
struct MessageSocket {
  let descriptor: Int32

  /// The maximum length of a font or a scene, with room to spare.
  private static let maxRequest = 32 << 20

  /// Sends a message; returns false if the other side is gone.
  func send(_ bytes: [UInt8]) -> Bool {
    var head = MessageWriter()
    head.put(bytes.count)
    return [head.bytes, bytes].allSatisfy { part in
      part.withUnsafeBytes { rest in
        var done = 0
        while done < rest.count {
          let count = Glibc.send(descriptor, rest.baseAddress.map { $0 + done }, rest.count - done, Int32(MSG_NOSIGNAL))
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          done += count
        }
        return true
      }
    }
  }

  /// Receives a message.
  ///
  /// - Parameters:
  ///   - deadline: how long to wait for all of it.
  ///   - maxLength: longer ones count as none.
  /// - Returns: nil if the other side is gone or too late.
  func receive(within deadline: Duration? = nil, maxLength: Int = Self.maxRequest) -> [UInt8]? {
    let end = deadline.map { ContinuousClock.now + $0 }
    guard let head = receive(count: 8, until: end) else { return nil }
    var reader = MessageReader(head)
    guard let length = reader.int(), (0...maxLength).contains(length) else { return nil }
    return receive(count: length, until: end)
  }

  private func receive(count: Int, until end: ContinuousClock.Instant?) -> [UInt8]? {
    var isComplete = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        guard waitForData(until: end) else { break }
        let got = recv(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, 0)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        filled += got
      }
      isComplete = filled == count
    }
    return isComplete ? bytes : nil
  }

  /// Waits until there is something to read, or the other side is gone; returns false if that takes too long.
  private func waitForData(until end: ContinuousClock.Instant?) -> Bool {
    guard let end else { return true }
    while true {
      let left = (end - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&entry, 1, Int32(min(left.rounded(.up), 1_000_000)))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }
}
