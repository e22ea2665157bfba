/// The rate at which bytes arrive, over the last seconds: a value.
struct ArrivalRate {
  /// The bytes of single seconds, oldest first.
  private var seconds: [(start: UInt64, bytes: Int)] = []
  private(set) var total: Int64 = 0

  /// The number of seconds to average over.
  private static let window: UInt64 = 3

  mutating func note(_ bytes: Int, at now: UInt64) {
    total += Int64(bytes)
    if let last = seconds.last, now < last.start + 1_000_000_000 {
      seconds[seconds.count - 1].bytes += bytes
    } else {
      seconds.append((now, bytes))
      if seconds.count > Int(Self.window) + 1 { seconds.removeFirst() }
    }
  }

  func bytesPerSecond(at now: UInt64) -> Double {
    let recent = seconds.filter { now < $0.start + (Self.window + 1) * 1_000_000_000 }
    guard let first = recent.first else { return 0 }
    let span = max(0.25, Double(now - min(now, first.start)) / 1e9)
    return Double(recent.reduce(0) { $0 + $1.bytes }) / span
  }
}
