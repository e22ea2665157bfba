import Pixels

extension Ratio {
  /// Creates a fraction in lowest terms, with the sign in the numerator; nil for 0, a divisor of 0, and overflow.
  package init?(reducing numerator: Int64, _ denominator: Int64) {
    guard numerator != 0, denominator != 0, numerator != .min, denominator != .min else { return nil }
    let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let sign: Int64 = (numerator < 0) != (denominator < 0) ? -1 : 1
    guard let above = Int32(exactly: sign * Int64(numerator.magnitude / divisor)),
      let below = Int32(exactly: Int64(denominator.magnitude / divisor))
    else { return nil }
    self.init(above, below)
  }
}
