import PlainText

extension MediaTime {
  /// Returns the time as clock text: "0:01", "2:03.450", "1:02:03"; "--:--" if it is not numeric.
  ///
  /// Minutes and seconds, and hours if there are any, with `fractionDigits` decimals of a second, 0 to 9. A time that
  /// rounds to zero has no minus sign. For the time of a frame, use `FrameTiming.clockText` instead: this text may lie
  /// before the frame.
  ///
  /// - Parameter rounding: by default toward zero.
  public func clockText(fractionDigits: Int = 0, rounding: MediaTimeRounding = .towardZero) -> String {
    guard isNumeric else { return "--:--" }
    let digits = min(max(fractionDigits, 0), 9)
    let unit = powersOfTen[digits]
    // A value of 63 bits times 10^9 has 93 bits; the quotient may still need more than 64.
    let units = MediaTime.divide(
      Int128(value) * Int128(unit), by: Int128(timescale), rounding.resolved(toFiner: unit > timescale)
    ).quotient
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: UInt128(unit))
    let (hours, rest) = whole.quotientAndRemainder(dividingBy: 3600)
    var text = units < 0 ? "-" : ""
    if hours > 0 {
      text += "\(hours):\(String(rest / 60, digits: 2)):\(String(rest % 60, digits: 2))"
    } else {
      text += "\(rest / 60):\(String(rest % 60, digits: 2))"
    }
    return digits == 0 ? text : "\(text).\(String(fraction, digits: digits))"
  }

  /// Parses "12.5" (seconds), "m:s" or "h:m:s", with optional decimals of a second and a leading "-".
  ///
  /// The result is exact, with a timescale for the decimals given. Decimals after the ninth are dropped, which sets
  /// `hasBeenRounded` unless they are zeros. Minutes and seconds after another field must be below 60. Nil for anything
  /// else, including spaces and values that do not fit in 64 bits.
  public init?(clockText text: String) {
    var text = text[...]
    let negative = text.first == "-"
    if negative { text.removeFirst() }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let clock = parts.first else { return nil }
    var fraction = parts.count == 2 ? parts[1] : ""
    guard parts.count == 1 || !fraction.isEmpty, fraction.utf8.allSatisfy(isDigit) else { return nil }

    let fields = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3 else { return nil }
    var seconds: Int64 = 0
    for (index, field) in fields.enumerated() {
      // ".5" is half a second; no other field may be omitted.
      let isAbsent = field.isEmpty && fields.count == 1 && !fraction.isEmpty
      guard let number = isAbsent ? 0 : wholeNumber(field), index == 0 || number < 60 else { return nil }
      let (shifted, overflow) = seconds.multipliedReportingOverflow(by: 60)
      let (sum, carry) = shifted.addingReportingOverflow(number)
      guard !overflow, !carry else { return nil }
      seconds = sum
    }

    var flags = Flags.valid
    if fraction.utf8.count > 9 {
      if fraction.utf8.dropFirst(9).contains(where: { $0 != UInt8(ascii: "0") }) {
        flags.insert(.hasBeenRounded)
      }
      fraction = fraction.prefix(9)
    }
    let unit = powersOfTen[fraction.utf8.count]
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: unit)
    let (units, carry) = scaled.addingReportingOverflow(wholeNumber(fraction) ?? 0)
    guard !overflow, !carry else { return nil }
    self.init(unchecked: negative ? -units : units, Int32(unit), flags)
  }
}

private let powersOfTen: [Int64] = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
]

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

/// Parses ASCII digits only: `Int64.init` would also accept signs.
private func wholeNumber(_ digits: Substring) -> Int64? {
  guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
  return Int64(digits)
}
