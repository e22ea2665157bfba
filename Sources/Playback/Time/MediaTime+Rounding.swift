/// A rule for rounding a time to units of a new timescale.
public enum MediaTimeRounding: Sendable, CaseIterable {
  /// To the nearest unit; halves away from zero. The default.
  case halfAwayFromZero
  /// Toward zero.
  case towardZero
  /// Away from zero.
  case awayFromZero
  /// To the next later unit.
  case towardPositiveInfinity
  /// To the next earlier unit.
  case towardNegativeInfinity
  /// Toward zero to a coarser timescale, away from zero to a finer one; a negative time never becomes 0.
  case quickTime
}

extension MediaTime {
  /// Returns the time converted to another timescale.
  ///
  /// Sets `hasBeenRounded` if the result is not exact. A value that overflows 64 bits becomes an infinity of the same sign,
  /// rather than use another timescale. A time that is not numeric is unchanged. A timescale that is not positive gives
  /// `.invalid`.
  public func converted(
    toTimescale newTimescale: Int32, rounding: MediaTimeRounding = .halfAwayFromZero
  ) -> MediaTime {
    guard isNumeric else { return self }
    if newTimescale == timescale { return self }
    guard newTimescale > 0 else { return .invalid }
    let (quotient, exact) = MediaTime.divide(
      Int128(value) * Int128(newTimescale), by: Int128(timescale),
      rounding.resolved(toFiner: newTimescale > timescale))
    guard let converted = Int64(exactly: quotient) else {
      return quotient < 0 ? .negativeInfinity : .positiveInfinity
    }
    return MediaTime(
      unchecked: converted, newTimescale, exact ? flags : flags.union(.hasBeenRounded))
  }

  /// Returns the rounded quotient, and whether it is exact. `divisor` must be positive.
  static func divide(
    _ dividend: Int128, by divisor: Int128, _ rounding: ResolvedRounding
  ) -> (quotient: Int128, isExact: Bool) {
    // 64-bit division is several times faster than 128-bit, and nearly every time is small.
    if let dividend = Int64(exactly: dividend), let divisor = Int64(exactly: divisor) {
      let (quotient, isExact) = rounding.divide(dividend, by: divisor)
      return (Int128(quotient), isExact)
    }
    return rounding.divide(dividend, by: divisor)
  }

  /// A rounding rule whose direction no longer depends on the timescales.
  enum ResolvedRounding {
    case nearest, towardZero, awayFromZero, up, down
    /// Toward zero, but a negative number never becomes 0.
    case towardZeroKeepingSign

    @inline(__always)
    func divide<T: SignedInteger & FixedWidthInteger>(
      _ dividend: T, by divisor: T
    ) -> (quotient: T, isExact: Bool) {
      let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
      if remainder == 0 { return (quotient, true) }
      let negative = remainder < 0
      let grows =
        switch self {
        case .nearest: remainder.magnitude >= divisor.magnitude - remainder.magnitude
        case .towardZero: false
        case .awayFromZero: true
        case .up: !negative
        case .down: negative
        case .towardZeroKeepingSign: negative && quotient == 0
        }
      // A divisor above 1 leaves room for the step: the quotient is at most half of the type's range.
      return (grows ? (negative ? quotient - 1 : quotient + 1) : quotient, false)
    }
  }
}

extension MediaTimeRounding {
  func resolved(toFiner finer: Bool) -> MediaTime.ResolvedRounding {
    switch self {
    case .halfAwayFromZero: .nearest
    case .towardZero: .towardZero
    case .awayFromZero: .awayFromZero
    case .towardPositiveInfinity: .up
    case .towardNegativeInfinity: .down
    case .quickTime: finer ? .awayFromZero : .towardZeroKeepingSign
    }
  }
}
