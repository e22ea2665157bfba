extension MediaTime {
  /// The time in seconds, the nearest double or one beside it.
  ///
  /// Infinities are infinite; indefinite and invalid are NaN.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }

  /// Makes the unit of `1 / preferredTimescale` seconds nearest to `seconds`.
  ///
  /// `hasBeenRounded` is set unless `seconds` of the result gives the same double back. A value that leaves
  /// 64 bits halves the timescale until it fits, at last an infinity; NaN or a timescale that is not positive
  /// gives `.invalid`.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard !seconds.isNaN, preferredTimescale > 0 else {
      self = .invalid
      return
    }
    guard seconds.isFinite, let exact = MediaTime.dyadic(1, times: seconds, over: 1) else {
      self = seconds < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    let nearest = MediaTime.fitting(
      exact.numerator, over: exact.denominator, wanted: Int64(preferredTimescale), .valid)
    guard nearest.isNumeric else {
      self = nearest
      return
    }
    self.init(
      unchecked: nearest.value, nearest.timescale,
      nearest.seconds == seconds ? .valid : [.valid, .hasBeenRounded])
  }

  /// Makes `ticks · numerator / denominator` seconds: a time stamp in a container's or codec's time base.
  ///
  /// `Int64.min`, which stands for "no time stamp" there, and a time base that is not positive give
  /// `.invalid`.
  public init(ticks: Int64, timeBaseNumerator numerator: Int32, timeBaseDenominator denominator: Int32) {
    guard ticks != .min, numerator > 0, denominator > 0 else {
      self = .invalid
      return
    }
    if numerator == 1 {
      self.init(unchecked: ticks, denominator, .valid)
    } else {
      let common = Int32(greatestCommonDivisor(UInt32(numerator), UInt32(denominator)))
      self = MediaTime.fitting(
        Int128(ticks) * Int128(numerator), over: Int128(denominator), wanted: Int64(denominator / common),
        .valid)
    }
  }

  /// The time in units of `numerator / denominator` seconds, the inverse of the initializer with a time base.
  ///
  /// Nil when the time is not numeric, leaves 64 bits, or the time base is not positive.
  public func ticks(
    timeBaseNumerator numerator: Int32, timeBaseDenominator denominator: Int32,
    rounding: MediaTimeRounding = .halfAwayFromZero
  ) -> Int64? {
    guard isNumeric, numerator > 0, denominator > 0 else { return nil }
    let unit = Int128(timescale) * Int128(numerator)
    let finer = Int64(denominator) > Int64(timescale) * Int64(numerator)
    let (ticks, _) = MediaTime.divide(
      Int128(value) * Int128(denominator), by: unit, rounding.resolved(toFiner: finer))
    return Int64(exactly: ticks)
  }

  /// Makes a whole number of nanoseconds, the unit of the host clock.
  public init(nanoseconds: Int64) {
    self.init(unchecked: nanoseconds, 1_000_000_000, .valid)
  }

  /// The time in nanoseconds, rounded to the nearest; nil when it is not numeric or above 292 years.
  public var nanoseconds: Int64? {
    guard isNumeric else { return nil }
    if timescale == 1_000_000_000 { return value }
    let (product, overflow) = value.multipliedReportingOverflow(by: 1_000_000_000)
    if !overflow { return MediaTime.ResolvedRounding.nearest.divide(product, by: Int64(timescale)).quotient }
    return ticks(timeBaseNumerator: 1, timeBaseDenominator: 1_000_000_000)
  }
}

extension MediaTime: CustomStringConvertible {
  /// For people who debug: "1001/30000 (0.033366666666666664 s)", with "≈" when it has been rounded.
  public var description: String {
    if isNumeric { return "\(hasBeenRounded ? "≈" : "")\(value)/\(timescale) (\(seconds) s)" }
    if isPositiveInfinity { return "+∞" }
    if isNegativeInfinity { return "−∞" }
    return isIndefinite ? "indefinite" : "invalid"
  }
}
