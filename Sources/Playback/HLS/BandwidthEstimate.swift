import Glibc

/// An estimate of a link's bandwidth from the downloads so far.
///
/// Two exponentially weighted averages over the time of downloads, of which the lower one counts: the fast one follows a link
/// that gets worse at once, and the slow one does not trust a short improvement.
struct BandwidthEstimate: Sendable {
  /// A weighted average of rates, which forgets half of what it knew in each half-life.
  private struct Average {
    let halfLife: Double
    private var weighted = 0.0
    private var weight = 0.0

    init(halfLife: Double) { self.halfLife = halfLife }

    mutating func add(_ rate: Double, seconds: Double) {
      let kept = pow(0.5, seconds / halfLife)
      weighted = weighted * kept + rate * (1 - kept)
      weight = weight * kept + 1 - kept
    }

    var value: Double? { weight > 0 ? weighted / weight : nil }
  }

  /// Smaller downloads measure the server's answer rather than the link.
  private static let minimumBytes = 16_000
  /// Faster downloads came from a cache, or are too short for the clock: a millisecond.
  private static let minimumDuration: Int64 = 1_000_000

  private var fast = Average(halfLife: 2)
  private var slow = Average(halfLife: 5)

  /// The bandwidth in bits per second; nil if nothing has been measured.
  var bitsPerSecond: Double? {
    guard let fast = fast.value, let slow = slow.value else { return nil }
    return min(fast, slow)
  }

  /// Adds a download, or a part of one.
  ///
  /// - Parameters:
  ///   - start: the host time before its first byte.
  ///   - end: the host time after its last byte.
  mutating func add(bytes: Int, from start: HostTime, to end: HostTime) {
    let duration = end.withinReach - start.withinReach
    guard bytes >= Self.minimumBytes, duration >= Self.minimumDuration else { return }
    let seconds = Double(duration) / 1e9
    let rate = Double(bytes) * 8 / seconds
    fast.add(rate, seconds: seconds)
    slow.add(rate, seconds: seconds)
  }
}
