/// Numbers as playlists write them.
enum HLSNumber {
  /// Parses decimal digits; nil for anything else. Numbers beyond 64 bits become `Int.max`.
  static func integer(_ text: ArraySlice<UInt8>) -> Int? {
    guard !text.isEmpty else { return nil }
    var result = 0
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(digit)
      result = overflow || carry ? .max : sum
    }
    return result
  }

  /// Parses decimal seconds, "-6.006", into nanoseconds, rounded to the nearest; nil for anything else. Durations beyond the
  /// limit become `Int64.max`, or its negative.
  static func nanoseconds(_ text: ArraySlice<UInt8>) -> Int64? {
    var digits = text
    let sign = digits.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    let fraction = digits.dropFirst(whole.count + 1)
    guard !whole.isEmpty || !fraction.isEmpty, let seconds = whole.isEmpty ? 0 : integer(whole) else { return nil }
    var nanoseconds: Int64 = 0, unit: Int64 = 1_000_000_000, rounding: Int64 = 0
    for byte in fraction {
      guard let digit = digit(byte) else { return nil }
      if unit == 1, rounding == 0 { rounding = digit >= 5 ? 1 : -1 }
      unit = max(1, unit / 10)
      if rounding == 0 { nanoseconds += Int64(digit) * unit }
    }
    if rounding > 0 { nanoseconds += 1 }
    let magnitude = seconds > HLSLimits.duration / 1_000_000_000 ? Int64.max : Int64(seconds) * 1_000_000_000 + nanoseconds
    return sign == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// Parses a number in hexadecimal digits after "0x" into 16 bytes, padded with zeros; nil for anything else.
  static func block(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.dropFirst(2)
    guard text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8), (1...32).contains(digits.count) else { return nil }
    var result: UInt128 = 0
    for byte in digits {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      result = result << 4 | UInt128(digit)
    }
    return block(result)
  }

  /// Returns a number as 16 bytes, the most significant one first.
  static func block(_ number: UInt128) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(8 * (15 - $0))) }
  }

  /// Parses "length" or "length@offset", in bytes; nil for anything else, an empty range, and one beyond 64 bits.
  ///
  /// - Parameter next: the offset of a range that names none.
  static func byteRange(_ text: ArraySlice<UInt8>, next: Int64) -> Range<Int64>? {
    let length = text.prefix { $0 != UInt8(ascii: "@") }
    let offset = text.dropFirst(length.count + 1)
    guard let length = integer(length), length > 0, let start = offset.isEmpty ? Int(next) : integer(offset) else { return nil }
    let (end, overflow) = Int64(start).addingReportingOverflow(Int64(length))
    return overflow ? nil : Int64(start)..<end
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let digit = Int(byte) - Int(UInt8(ascii: "0"))
    return (0...9).contains(digit) ? digit : nil
  }
}
