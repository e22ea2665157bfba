/// Exceeds the known rate of the link for a round trip from time to time, to find out whether it takes more.
///
/// A value with a manual clock.
struct RateProbing {
  private enum State {
    case resting(until: UInt64)
    case probing(until: UInt64, rateBefore: Double)
  }

  private var state = State.resting(until: 0)

  private static let second: UInt64 = 1_000_000_000
  /// Longer than the round trip, so that the replies to the excess are seen.
  private static let margin: UInt64 = 50_000_000

  /// Multiple of the known rate that may be sent.
  var gain: Double {
    switch state {
    case .resting: 1
    case .probing: 1.25
    }
  }

  /// Advances to the current phase.
  mutating func advance(rate: Double, roundTrip: UInt64, at now: UInt64) {
    switch state {
    case .resting(let until):
      guard now >= until else { return }
      state = .probing(until: now + roundTrip + Self.margin, rateBefore: rate)
    case .probing(let until, let rateBefore):
      guard now >= until else { return }
      // If the link takes much more, try still more at once.
      let rest = rate < 1.1 * rateBefore ? max(Self.second, 8 * roundTrip) : 0
      state = .resting(until: now + rest)
    }
  }
}
