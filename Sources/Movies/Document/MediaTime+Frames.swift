import Playback

extension MediaTime {
  /// The time of a whole number of frames.
  init(frames: Int64, at rate: Ratio) {
    self.init(ticks: frames, timeBaseNumerator: rate.denominator, timeBaseDenominator: rate.numerator)
  }

  /// True if the time is numeric and small enough for many of them to be added up.
  var isWithinLimits: Bool {
    let most = MediaTime(value: MovieLimits.seconds, timescale: 1)
    return isNumeric && self <= most && self >= .zero - most
  }

  /// The number of frames that last exactly this long; nil if it is not whole.
  func frames(at rate: Ratio) -> Int64? {
    guard let count = roundedFrames(at: rate), MediaTime(frames: count, at: rate) == self else { return nil }
    return count
  }

  /// The nearest number of frames, or rounded as given; nil if there is none.
  func roundedFrames(at rate: Ratio, rounding: MediaTimeRounding = .halfAwayFromZero) -> Int64? {
    ticks(timeBaseNumerator: rate.denominator, timeBaseDenominator: rate.numerator, rounding: rounding)
  }

  /// The exact time as clock text if one of these numbers of decimals suffices, else as a fraction such as "1001/30000".
  func exactText(decimals: some Sequence<Int>) -> String {
    for digits in decimals {
      let text = clockText(fractionDigits: digits)
      if MediaTime(clockText: text) == self { return text }
    }
    return "\(value)/\(timescale)"
  }

  /// The media time shown during this time at a speed, in either direction.
  func media(at speed: Ratio) -> MediaTime {
    multiplied(by: speed.numerator, dividedBy: speed.denominator).turned(like: speed)
  }

  /// The time that this much media time takes at a speed, in either direction.
  func shown(at speed: Ratio) -> MediaTime {
    multiplied(by: speed.denominator, dividedBy: speed.numerator).turned(like: speed)
  }

  /// Removes the sign of the speed from the product; the speed itself may have no positive counterpart.
  private func turned(like speed: Ratio) -> MediaTime { speed.numerator < 0 ? -self : self }
}

extension Ratio {
  /// Creates the simplest fraction within `error` of a number; nil if there is none within the limits.
  init?(nearest number: Double, within error: Double, largestDenominator: Int64) {
    guard number.isFinite, abs(number) < 0x1p31, number != 0 else { return nil }
    let target = abs(number)
    // Convergents of the continued fraction: each is the best approximation of its size.
    var (lastAbove, lastBelow, above, below): (Int64, Int64, Int64, Int64) = (0, 1, 1, 0)
    var rest = target
    for _ in 0..<40 {
      let whole = rest.rounded(.down)
      guard whole < 0x1p31 else { return nil }
      let next = (Int64(whole).multipliedReportingOverflow(by: above), Int64(whole).multipliedReportingOverflow(by: below))
      guard !next.0.overflow, !next.1.overflow else { return nil }
      (lastAbove, above) = (above, next.0.partialValue &+ lastAbove)
      (lastBelow, below) = (below, next.1.partialValue &+ lastBelow)
      guard below <= largestDenominator else { return nil }
      if abs(Double(above) / Double(below) - target) <= error {
        self.init(reducing: number < 0 ? -above : above, below)
        return
      }
      guard rest > whole else { return nil }
      rest = 1 / (rest - whole)
    }
    return nil
  }
}
