/// The way from a program to its terminal: a queue of bounded size that is drained at a rate, then a delay.
///
/// A byte that is put in leaves the queue when all before it have left and the rate allows, and arrives
/// `delay` seconds later. What has left takes no room any more, as with a router's buffer and the wire behind
/// it. A pure value; times are seconds of the caller's clock.
package struct LinkQueue {
  /// Bytes a second.
  let rate: Double
  /// The most bytes that wait to leave.
  let buffer: Int
  /// Seconds from leaving to arriving.
  let delay: Double

  /// Bytes that travel together, as in a packet.
  private let packetSize: Int
  private var packets: [(arrival: Double, bytes: [UInt8])] = []
  private var head = 0
  /// When the last byte that was put in leaves.
  private var idleFrom = 0.0

  /// - Parameter buffer: nil holds what passes in 20 ms.
  package init(rate: Double, buffer: Int?, delay: Double) {
    self.rate = rate
    self.buffer = buffer ?? max(1, Int(min(rate * 0.02, 1e9)))
    self.delay = delay
    packetSize = max(1, min(1400, Int(min(rate * 0.004, 1e9))))
  }

  /// Whether nothing is on its way.
  package var isEmpty: Bool { head == packets.count }

  /// When the next bytes arrive; nil when none are on their way.
  package var nextArrival: Double? { isEmpty ? nil : packets[head].arrival }

  /// Bytes that can be put in now.
  package func room(at now: Double) -> Int { max(0, buffer - Int((max(0, idleFrom - now) * rate).rounded(.up))) }

  /// When there will be room for a packet (or for all that the queue can hold).
  package func roomTime(after now: Double) -> Double {
    max(now, idleFrom - Double(max(0, buffer - packetSize)) / rate)
  }

  /// Puts bytes in, at most `room`.
  package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>, at now: Double) {
    var start = 0
    while start < bytes.count {
      let end = min(start + packetSize, bytes.count)
      idleFrom = max(idleFrom, now) + Double(end - start) / rate
      packets.append((idleFrom + delay, Array(bytes[start..<end])))
      start = end
    }
  }

  /// The next bytes that have arrived; nil when there are none.
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

  /// Lets everything happen later by so many seconds: nothing has moved meanwhile.
  mutating func postpone(by seconds: Double) {
    idleFrom += seconds
    for index in head..<packets.count { packets[index].arrival += seconds }
  }
}
