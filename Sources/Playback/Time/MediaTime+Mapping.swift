extension MediaTime {
  /// Returns the time with the same relative position in `target` as this one has in `source`, extrapolating outside.
  ///
  /// Exact if a timescale for the result exists, else rounded. An empty source maps every time to the target's start.
  ///
  /// - Returns: `.invalid` if any of the times is not numeric.
  public func mapped(from source: TimeRange, to target: TimeRange) -> MediaTime {
    guard isNumeric, source.start.isNumeric, source.duration.isNumeric, target.start.isNumeric, target.duration.isNumeric
    else { return .invalid }
    guard source.duration > .zero else { return target.start }
    return target.start + (self - source.start).scaled(by: target.duration, over: source.duration)
  }

  /// Returns how many whole lengths fit in the time, from zero; nil if either is not numeric, or the length is not above 0.
  func count(of length: MediaTime) -> Int? {
    guard isNumeric, length.isNumeric, length > .zero else { return nil }
    let (quotient, remainder) = (Int128(value) * Int128(length.timescale))
      .quotientAndRemainder(dividingBy: Int128(timescale) * Int128(length.value))
    return Int(exactly: remainder < 0 ? quotient - 1 : quotient)
  }

  /// Returns the time multiplied by the ratio of two lengths, exactly if a timescale for the result exists.
  ///
  /// - Parameter divisor: above 0.
  func scaled(by factor: MediaTime, over divisor: MediaTime) -> MediaTime {
    if factor == divisor { return self }
    // Differences may have overflowed.
    guard isNumeric, factor.isNumeric, divisor.isNumeric, divisor > .zero else { return self * (factor.seconds / divisor.seconds) }
    var up = Fraction(Int128(factor.value) * Int128(divisor.timescale), Int128(factor.timescale) * Int128(divisor.value))
    var own = Fraction(Int128(value), Int128(timescale))
    Fraction.cancel(&up.numerator, &own.denominator)
    Fraction.cancel(&own.numerator, &up.denominator)
    let limit = Int128(1) << 62
    guard up.numerator.magnitude < limit.magnitude, up.denominator < limit else {
      return self * (factor.seconds / divisor.seconds)
    }
    let (numerator, overflow) = own.numerator.multipliedReportingOverflow(by: up.numerator)
    let denominator = own.denominator * up.denominator
    guard !overflow, numerator.magnitude < UInt128(1) << 96 else { return self * (factor.seconds / divisor.seconds) }
    let wanted = Int64(exactly: denominator) ?? .max
    return .fitting(numerator, over: denominator, wanted: wanted, flags.union(factor.flags).union(divisor.flags))
  }

  /// A number as two integers in lowest terms.
  private struct Fraction {
    var numerator: Int128
    var denominator: Int128

    init(_ numerator: Int128, _ denominator: Int128) {
      (self.numerator, self.denominator) = (numerator, denominator)
      Self.cancel(&self.numerator, &self.denominator)
    }

    static func cancel(_ a: inout Int128, _ b: inout Int128) {
      let common = Int128(greatestCommonDivisor(a.magnitude, b.magnitude))
      guard common > 1 else { return }
      a /= common
      b /= common
    }
  }
}
