extension MediaTime: AdditiveArithmetic {
  /// Returns the sum of two times.
  ///
  /// Equal timescales are kept. Different ones give their least common multiple if it fits, else `maximumTimescale`. If the
  /// value overflows 64 bits, the timescale is halved until it fits; failing that, the result is an infinity. Invalid wins
  /// over everything, +∞ + −∞ is invalid, an infinity wins over indefinite, and indefinite over numbers.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    if a.timescale == b.timescale, a.isNumeric {
      let (sum, overflow) = a.value.addingReportingOverflow(b.value)
      if !overflow { return MediaTime(unchecked: sum, a.timescale, a.flags.union(b.flags)) }
    }
    guard a.isNumeric, b.isNumeric else { return combineNotNumeric(a, b) }
    return sum(a, b, sign: 1)
  }

  /// Returns the difference of two times, by the rules of addition.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    if a.timescale == b.timescale, a.isNumeric {
      let (difference, overflow) = a.value.subtractingReportingOverflow(b.value)
      if !overflow { return MediaTime(unchecked: difference, a.timescale, a.flags.union(b.flags)) }
    }
    guard a.isNumeric, b.isNumeric else { return combineNotNumeric(a, -b) }
    return sum(a, b, sign: -1)
  }

  /// Returns a + sign · b for two numbers.
  private static func sum(_ a: MediaTime, _ b: MediaTime, sign: Int128) -> MediaTime {
    let divisor = Int64(greatestCommonDivisor(UInt64(a.timescale), UInt64(b.timescale)))
    let scaleA = Int64(b.timescale) / divisor
    let scaleB = Int64(a.timescale) / divisor
    let common = Int64(a.timescale) * scaleA  // at most 62 bits
    // Each product has at most 94 bits, so the sum has at most 95.
    let numerator = Int128(a.value) * Int128(scaleA) + sign * Int128(b.value) * Int128(scaleB)
    return fitting(numerator, over: Int128(common), wanted: common, a.flags.union(b.flags))
  }

  /// Returns the negated time; infinities swap, indefinite and invalid are unchanged.
  public static prefix func - (time: MediaTime) -> MediaTime {
    if time.isNumeric {
      let (negated, overflow) = (0 as Int64).subtractingReportingOverflow(time.value)
      if !overflow { return MediaTime(unchecked: negated, time.timescale, time.flags) }
      return fitting(
        -Int128(time.value), over: Int128(time.timescale), wanted: Int64(time.timescale), time.flags)
    }
    if time.isPositiveInfinity { return .negativeInfinity }
    if time.isNegativeInfinity { return .positiveInfinity }
    return time
  }

  /// The distance from zero; −∞ becomes +∞, indefinite and invalid are unchanged.
  public var absoluteValue: MediaTime {
    isNegativeInfinity || value < 0 ? -self : self
  }

  private static func combineNotNumeric(_ a: MediaTime, _ b: MediaTime) -> MediaTime {
    guard a.isValid, b.isValid else { return .invalid }
    let either = a.flags.union(b.flags)
    switch (either.contains(.positiveInfinity), either.contains(.negativeInfinity)) {
    case (true, true): return .invalid
    case (true, false): return .positiveInfinity
    case (false, true): return .negativeInfinity
    case (false, false): return .indefinite
    }
  }
}

extension MediaTime {
  /// Returns the product with an integer. On overflow the timescale becomes coarser, as in a sum; 0 × ∞ is invalid.
  public static func * (time: MediaTime, factor: Int) -> MediaTime {
    guard time.isNumeric else { return time.scaledNotNumeric(sign: factor.signum()) }
    let (product, overflow) = time.value.multipliedReportingOverflow(by: Int64(factor))
    if !overflow { return MediaTime(unchecked: product, time.timescale, time.flags) }
    let numerator = Int128(time.value) * Int128(factor)
    // 2^96 of the finest units are more seconds than 64 bits hold.
    guard numerator.magnitude < 1 << 96 else {
      return numerator < 0 ? .negativeInfinity : .positiveInfinity
    }
    return fitting(
      numerator, over: Int128(time.timescale), wanted: Int64(time.timescale), time.flags)
  }

  /// Returns the product with an integer, as with the operands swapped.
  public static func * (factor: Int, time: MediaTime) -> MediaTime { time * factor }

  /// Returns the time multiplied by `multiplier / divisor`, exactly if a timescale for the result exists.
  ///
  /// Keeps the timescale if the result is exact, else uses a finer one, up to `maximumTimescale`. A divisor of 0 gives
  /// `.invalid`.
  public func multiplied(by multiplier: Int32, dividedBy divisor: Int32) -> MediaTime {
    guard divisor != 0 else { return .invalid }
    let negative = (multiplier < 0) != (divisor < 0)
    guard isNumeric else { return scaledNotNumeric(sign: multiplier == 0 ? 0 : negative ? -1 : 1) }
    if divisor == 1 { return self * Int(multiplier) }
    let magnitude = Int128(value) * Int128(multiplier.magnitude)
    let numerator = negative ? -magnitude : magnitude
    let denominator = Int64(timescale) * Int64(divisor.magnitude)  // at most 63 bits
    // The timescale must grow by the part of the divisor that the numerator does not cancel, and no more.
    let cancelled = greatestCommonDivisor(magnitude.magnitude, UInt128(divisor.magnitude))
    let wanted = denominator / Int64(cancelled)
    return .fitting(numerator, over: Int128(denominator), wanted: wanted, flags)
  }

  /// Returns the product with a floating-point factor, rounded half away from zero.
  ///
  /// Keeps the timescale if the result is exact, else doubles it until it is at least 65536, for precision. NaN gives
  /// `.invalid`, and an infinite factor an infinity (0 × ∞ is invalid).
  public static func * (time: MediaTime, factor: Double) -> MediaTime {
    guard !factor.isNaN else { return .invalid }
    let sign = factor == 0 ? 0 : factor < 0 ? -1 : 1
    guard time.isNumeric else { return time.scaledNotNumeric(sign: sign) }
    guard factor.isFinite else {
      if time.value == 0 { return .invalid }
      return (time.value < 0) == (sign < 0) ? .positiveInfinity : .negativeInfinity
    }
    guard let product = dyadic(time.value, times: factor, over: time.timescale) else {
      return (time.value < 0) == (sign < 0) ? .positiveInfinity : .negativeInfinity
    }
    var wanted = Int64(time.timescale)
    if !divide(product.numerator * Int128(wanted), by: product.denominator, .nearest).isExact {
      while wanted < 65536 { wanted *= 2 }
    }
    return fitting(product.numerator, over: product.denominator, wanted: wanted, time.flags)
  }

  /// Returns the product with a floating-point factor, as with the operands swapped.
  public static func * (factor: Double, time: MediaTime) -> MediaTime { time * factor }

  private func scaledNotNumeric(sign: Int) -> MediaTime {
    guard isPositiveInfinity || isNegativeInfinity else { return self }
    if sign == 0 { return .invalid }
    return sign < 0 ? -self : self
  }
}

extension MediaTime {
  /// Returns `numerator / denominator` seconds in the wanted timescale, or in one that fits.
  ///
  /// Rounds half away from zero, and sets `hasBeenRounded` if the result is not exact. `wanted` is clamped to the maximum,
  /// and halved if the value overflows 64 bits, unless the lowest terms hold the number exactly. |numerator| must be below
  /// 2^96.
  static func fitting(
    _ numerator: Int128, over denominator: Int128, wanted: Int64, _ flags: Flags
  ) -> MediaTime {
    var scale = min(wanted, Int64(maximumTimescale))
    if scale == wanted, let time = attempt(numerator, denominator, scale, flags) { return time }
    let common = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let lowest = denominator.magnitude / common
    if lowest <= UInt128(maximumTimescale),
      let time = attempt(numerator, denominator, Int64(lowest), flags)
    {
      return time
    }
    while scale > 0 {
      if let time = attempt(numerator, denominator, scale, flags) { return time }
      scale /= 2
    }
    return numerator < 0 ? .negativeInfinity : .positiveInfinity
  }

  /// Returns the number in one timescale; nil if its value overflows 64 bits.
  private static func attempt(
    _ numerator: Int128, _ denominator: Int128, _ scale: Int64, _ flags: Flags
  ) -> MediaTime? {
    let (quotient, isExact) = divide(numerator * Int128(scale), by: denominator, .nearest)
    guard let value = Int64(exactly: quotient) else { return nil }
    return MediaTime(unchecked: value, Int32(scale), isExact ? flags : flags.union(.hasBeenRounded))
  }

  /// Returns `value · factor / timescale` as a fraction of integers; nil if it exceeds every `MediaTime`.
  ///
  /// The numerator is below 2^96. Bits that do not fit are folded into the lowest remaining one, so that rounding the
  /// fraction later rounds the exact product. `factor` must be finite.
  static func dyadic(
    _ value: Int64, times factor: Double, over timescale: Int32
  ) -> (numerator: Int128, denominator: Int128)? {
    guard factor != 0, value != 0 else { return (0, Int128(timescale)) }
    let limit = 95
    // A finite double is a whole significand times a power of two.
    let mantissa = Int64(factor.significand * 0x1p52)
    var exponent = Int(factor.exponent) - 52
    var magnitude = UInt128(value.magnitude) * UInt128(mantissa.magnitude)
    func drop(_ bits: Int) {
      guard bits > 0 else { return }
      let lost = bits >= 128 || magnitude & ((1 << UInt128(bits)) - 1) != 0
      magnitude = (bits >= 128 ? 0 : magnitude >> UInt128(bits)) | (lost ? 1 : 0)
      exponent += bits
    }
    let zeros = min(magnitude.trailingZeroBitCount, max(0, -exponent))
    drop(zeros)
    drop(128 - magnitude.leadingZeroBitCount - limit)
    // timescale · 2^limit is the largest denominator that is needed and fits.
    drop(-exponent - limit)
    if exponent > 0 {
      guard exponent < limit, magnitude.leadingZeroBitCount - exponent >= 128 - limit else { return nil }
      magnitude <<= UInt128(exponent)
      exponent = 0
    }
    let negative = (value < 0) != (factor < 0)
    let numerator = Int128(magnitude)
    return (negative ? -numerator : numerator, Int128(timescale) << Int128(-exponent))
  }
}
