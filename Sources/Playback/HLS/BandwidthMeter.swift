/// Measures a link by what all downloads together bring: a value.
struct BandwidthMeter {
  private var estimate = BandwidthEstimate()
  private var downloads = 0
  /// The time since which bytes are counted, in nanoseconds of the monotonic clock, and their number.
  private var start: UInt64 = 0
  private var bytes = 0

  /// The shortest time to measure, and the one after which a slow link counts at once, in nanoseconds.
  private static let interval: UInt64 = 500_000_000
  private static let patience: UInt64 = 1_000_000_000
  /// The least number of bytes to measure.
  private static let minimumBytes = 64_000

  /// Notes the beginning of a download.
  mutating func begin(at now: UInt64) {
    if downloads == 0 { (start, bytes) = (now, 0) }
    downloads += 1
  }

  /// Notes bytes that have arrived.
  mutating func note(_ count: Int, at now: UInt64) {
    bytes += count
    if bytes >= Self.minimumBytes, now >= start + Self.interval { add(at: now) }
  }

  /// Notes the end of a download.
  mutating func end(at now: UInt64) {
    downloads -= 1
    if downloads == 0 { add(at: now) }
  }

  private mutating func add(at now: UInt64) {
    estimate.add(bytes: bytes, from: HostTime(start), to: HostTime(now))
    (start, bytes) = (now, 0)
  }

  /// Returns the bandwidth in bits per second; nil if nothing has been measured.
  func bitsPerSecond(at now: UInt64) -> Double? {
    guard let known = estimate.bitsPerSecond else { return nil }
    guard downloads > 0, now >= start + Self.patience else { return known }
    return min(known, Double(bytes) * 8 / (Double(now - start) / 1e9))
  }
}
