/// How many bytes a second arrive, from what was sent and answered: a value with a hand-moved clock.
///
/// Rates are sampled as BBR does: each piece remembers what had arrived when it left.
struct DeliveryRate {
  /// What was known when a piece was sent.
  struct Departure {
    fileprivate var sentAt: UInt64
    fileprivate var delivered: Int
    fileprivate var deliveredAt: UInt64
    fileprivate var firstSentAt: UInt64
  }

  private var delivered = 0
  private var deliveredAt: UInt64 = 0
  private var firstSentAt: UInt64 = 0
  /// The largest samples of the last seconds, from large to small and from old to new.
  private var samples: [(at: UInt64, rate: Double)] = []

  private static let memory: UInt64 = 2_000_000_000
  /// No shorter time is measured.
  private static let minTime: UInt64 = 50_000

  /// The largest rate of the last seconds; nil before the first sample.
  var rate: Double? { samples.first?.rate }

  /// Nothing is on its way: time begins anew.
  mutating func begin(at now: UInt64) {
    deliveredAt = now
    firstSentAt = now
  }

  /// What a piece that is sent now has to remember.
  func departure(at now: UInt64) -> Departure {
    Departure(sentAt: now, delivered: delivered, deliveredAt: deliveredAt, firstSentAt: firstSentAt)
  }

  /// Counts a piece that has arrived.
  ///
  /// - Parameter isWhole: whether as much was sent as may have arrived; else the sample counts only where it is larger.
  mutating func didDeliver(_ bytes: Int, since departure: Departure, isWhole: Bool, at now: UInt64) {
    delivered += bytes
    deliveredAt = now
    firstSentAt = departure.sentAt
    // The longer of the two times, so that answers that come in a bunch do not look like a fast link.
    let elapsed = max(departure.sentAt &- departure.firstSentAt, now &- departure.deliveredAt, Self.minTime)
    let sample = Double(delivered - departure.delivered) * 1e9 / Double(elapsed)
    guard isWhole || sample >= rate ?? 0 else { return }
    samples.removeAll { $0.rate <= sample }
    samples.append((now, sample))
    while samples.count > 1, now &- samples[0].at > Self.memory { samples.removeFirst() }
  }
}
