/// Lets more go out than the link is known to take, for a round trip from time to time: only so is it seen to take more.
///
/// A value with a hand-moved clock.
struct RateProbing {
  private enum State {
    case resting(until: UInt64)
    case probing(until: UInt64, rateBefore: Double)
  }

  private var state = State.resting(until: 0)

  private static let second: UInt64 = 1_000_000_000
  /// Longer than the round trip, so that the answers to what was sent meanwhile are seen.
  private static let margin: UInt64 = 50_000_000

  /// How many times the known rate may be sent.
  var gain: Double {
    switch state {
    case .resting: 1
    case .probing: 1.25
    }
  }

  /// Goes on to what is due now.
  mutating func advance(rate: Double, roundTrip: UInt64, at now: UInt64) {
    switch state {
    case .resting(let until):
      guard now >= until else { return }
      state = .probing(until: now + roundTrip + Self.margin, rateBefore: rate)
    case .probing(let until, let rateBefore):
      guard now >= until else { return }
      // A link that takes much more is asked for still more at once.
      let rest = rate < 1.1 * rateBefore ? max(Self.second, 8 * roundTrip) : 0
      state = .resting(until: now + rest)
    }
  }
}
