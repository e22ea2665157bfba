/// Estimates delivered bytes per second from sent and acknowledged data: a value with a manual clock.
///
/// Samples rates like BBR: each piece records what had arrived when it was sent.
struct DeliveryRate {
  /// The state when a piece was sent.
  struct Departure {
    fileprivate var sentAt: UInt64
    fileprivate var delivered: Int
    fileprivate var deliveredAt: UInt64
    fileprivate var firstSentAt: UInt64
  }

  private var delivered = 0
  private var deliveredAt: UInt64 = 0
  private var firstSentAt: UInt64 = 0
  /// The largest samples of the last seconds, in decreasing size and increasing time.
  private var samples: [(at: UInt64, rate: Double)] = []

  private static let memory: UInt64 = 2_000_000_000
  /// Shortest interval measured.
  private static let minTime: UInt64 = 50_000

  /// The largest rate of the last seconds; nil before the first sample.
  var rate: Double? { samples.first?.rate }

  /// Restarts the clock when nothing is in flight.
  mutating func begin(at now: UInt64) {
    deliveredAt = now
    firstSentAt = now
  }

  /// The state to record with a piece sent now.
  func departure(at now: UInt64) -> Departure {
    Departure(sentAt: now, delivered: delivered, deliveredAt: deliveredAt, firstSentAt: firstSentAt)
  }

  /// Records the arrival of a piece.
  ///
  /// - Parameter isWhole: True if enough was sent to fill the link; otherwise the sample counts only if it is larger.
  mutating func didDeliver(_ bytes: Int, since departure: Departure, isWhole: Bool, at now: UInt64) {
    delivered += bytes
    deliveredAt = now
    firstSentAt = departure.sentAt
    // Use the longer of the two times, so that bunched replies do not look like a fast link.
    let elapsed = max(departure.sentAt &- departure.firstSentAt, now &- departure.deliveredAt, Self.minTime)
    let sample = Double(delivered - departure.delivered) * 1e9 / Double(elapsed)
    guard isWhole || sample >= rate ?? 0 else { return }
    samples.removeAll { $0.rate <= sample }
    samples.append((now, sample))
    while samples.count > 1, now &- samples[0].at > Self.memory { samples.removeFirst() }
  }
}
