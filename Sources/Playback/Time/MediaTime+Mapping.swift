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
    // The last bits of a ratio that is too long are lost, which is less than the finest timescale can tell.
    let lost = max(0, own.numerator.bitCount + up.numerator.bitCount - 126, own.denominator.bitCount + up.denominator.bitCount - 95)
    let numerator = own.numerator * (up.numerator >> Int128(lost))
    let denominator = own.denominator * max(1, up.denominator >> Int128(lost))
    var flags = flags.union(factor.flags).union(divisor.flags)
    if lost == 0, numerator.bitCount <= 96 {
      return .fitting(numerator, over: denominator, wanted: Int64(exactly: denominator) ?? .max, flags)
    }
    // Whole seconds apart from the rest, so that neither product overflows.
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard whole.bitCount < 64 else { return whole < 0 ? .negativeInfinity : .positiveInfinity }
    flags.insert(.hasBeenRounded)
    return .fitting(whole, over: 1, wanted: 1, flags) + .fitting(rest, over: denominator, wanted: .max, flags)
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

extension Int128 {
  /// The number of bits that the magnitude takes.
  fileprivate var bitCount: Int { Self.bitWidth - magnitude.leadingZeroBitCount }
}
