extension MediaTime {
  /// The time in seconds, as the nearest double or one next to it.
  ///
  /// Infinite for infinities; NaN for indefinite and invalid times.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }

  /// Creates the time nearest to `seconds` in units of `1 / preferredTimescale` seconds.
  ///
  /// Sets `hasBeenRounded` unless `seconds` of the result is the same double. If the value overflows 64 bits, the timescale
  /// is halved until it fits; failing that, the result is an infinity. NaN or a timescale that is not positive gives
  /// `.invalid`.
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

  /// Creates a time of `ticks · numerator / denominator` seconds: a timestamp in the time base of a container or codec.
  ///
  /// `Int64.min`, which means "no timestamp", and a time base that is not positive give `.invalid`.
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

  /// Returns the time in units of `numerator / denominator` seconds; the inverse of the initializer with a time base.
  ///
  /// Nil if the time is not numeric, the result overflows 64 bits, or the time base is not positive.
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

  /// Creates a time from whole nanoseconds, the unit of the host clock.
  public init(nanoseconds: Int64) {
    self.init(unchecked: nanoseconds, 1_000_000_000, .valid)
  }

  /// The time in nanoseconds, rounded to the nearest; nil if it is not numeric or exceeds 292 years.
  public var nanoseconds: Int64? {
    guard isNumeric else { return nil }
    if timescale == 1_000_000_000 { return value }
    let (product, overflow) = value.multipliedReportingOverflow(by: 1_000_000_000)
    if !overflow { return MediaTime.ResolvedRounding.nearest.divide(product, by: Int64(timescale)).quotient }
    return ticks(timeBaseNumerator: 1, timeBaseDenominator: 1_000_000_000)
  }
}

extension MediaTime: CustomStringConvertible {
  /// A description for debugging: "1001/30000 (0.033366666666666664 s)", with "≈" if the time has been rounded.
  public var description: String {
    if isNumeric { return "\(hasBeenRounded ? "≈" : "")\(value)/\(timescale) (\(seconds) s)" }
    if isPositiveInfinity { return "+∞" }
    if isNegativeInfinity { return "−∞" }
    return isIndefinite ? "indefinite" : "invalid"
  }
}
