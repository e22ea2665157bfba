/// The link from a program to its terminal: a queue of bounded size that is drained at a fixed rate, then a delay.
///
/// A byte leaves the queue when all before it have left and the rate allows it, and arrives `delay` seconds later. Bytes
/// that have left take no room, as with a router's buffer and the wire behind it. A pure value; times are seconds of the
/// caller's clock.
package struct LinkQueue {
  /// Rate in bytes per second.
  let rate: Double
  /// The maximum number of bytes that wait to leave.
  let buffer: Int
  /// Seconds between leaving and arriving.
  let delay: Double

  /// The number of bytes that travel together, as in a packet.
  private let packetSize: Int
  private var packets: [(arrival: Double, bytes: [UInt8])] = []
  private var head = 0
  /// The time at which the last byte leaves.
  private var idleFrom = 0.0

  /// - Parameter buffer: capacity in bytes; nil for what passes in 20 ms.
  package init(rate: Double, buffer: Int?, delay: Double) {
    self.rate = rate
    self.buffer = buffer ?? max(1, Int(min(rate * 0.02, 1e9)))
    self.delay = delay
    packetSize = max(1, min(1400, Int(min(rate * 0.004, 1e9))))
  }

  /// True if no bytes are queued or on their way.
  package var isEmpty: Bool { head == packets.count }

  /// The time at which the next bytes arrive; nil if there are none.
  package var nextArrival: Double? { isEmpty ? nil : packets[head].arrival }

  /// Returns the number of bytes that fit now.
  package func room(at now: Double) -> Int { max(0, buffer - Int((max(0, idleFrom - now) * rate).rounded(.up))) }

  /// Returns the time at which there is room for a packet, or for as much as the queue can hold.
  package func roomTime(after now: Double) -> Double {
    max(now, idleFrom - Double(max(0, buffer - packetSize)) / rate)
  }

  /// Adds bytes, at most `room`.
  package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>, at now: Double) {
    var start = 0
    while start < bytes.count {
      let end = min(start + packetSize, bytes.count)
      idleFrom = max(idleFrom, now) + Double(end - start) / rate
      packets.append((idleFrom + delay, Array(bytes[start..<end])))
      start = end
    }
  }

  /// Removes and returns the next bytes that have arrived; nil if there are none.
  package mutating func take(at now: Double) -> [UInt8]? {
    guard head < packets.count, packets[head].arrival <= now else { return nil }
    defer {
      head += 1
      if head > 1024 && head > packets.count / 2 {
        packets.removeFirst(head)
        head = 0
      }
    }
    return packets[head].bytes
  }

  /// Delays everything by a number of seconds in which nothing has moved.
  mutating func postpone(by seconds: Double) {
    idleFrom += seconds
    for index in head..<packets.count { packets[index].arrival += seconds }
  }
}
