import PlainText

/// An exact fraction, the number type of a storyboard's variables and scores.
///
/// Numerator and denominator have 64 bits, in lowest terms. Nothing is rounded: operations fail if the result does not fit.
public struct StoryNumber: Hashable, Sendable {
  /// The numerator, with the sign.
  public let numerator: Int64
  /// The denominator: 1 or more, in lowest terms.
  public let denominator: Int64

  /// Creates a whole number.
  public init(_ whole: Int) {
    numerator = Int64(whole)
    denominator = 1
  }

  /// Creates a fraction; nil for a denominator of 0, or if it does not fit in 64 bits in lowest terms.
  public init?(_ numerator: Int64, over denominator: Int64) {
    self.init(wide: Int128(numerator), over: Int128(denominator))
  }

  private init?(wide numerator: Int128, over denominator: Int128) {
    guard denominator != 0 else { return nil }
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let common = Int128(a) * (denominator < 0 ? -1 : 1)
    guard let upper = Int64(exactly: numerator / common), let lower = Int64(exactly: denominator / common) else {
      return nil
    }
    self.numerator = upper
    self.denominator = lower
  }

  /// The maximum number of digits after the point.
  static let maxDecimals = 9

  /// Reads "12", "-0.25" or "1/3"; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let upper = Self.whole(parts[0], signed: true), let lower = Self.whole(parts[1], signed: false) else {
        return nil
      }
      self.init(upper, over: lower)
      return
    }
    let fields = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let first = fields.first, fields.count <= 2, let whole = Self.whole(first, signed: true) else { return nil }
    guard fields.count == 2 else {
      self.init(whole, over: 1)
      return
    }
    guard (1...Self.maxDecimals).contains(fields[1].count), let decimals = Self.whole(fields[1], signed: false) else {
      return nil
    }
    let unit = (0..<fields[1].count).reduce(Int128(1)) { unit, _ in unit * 10 }
    let isNegative = first.first == UInt8(ascii: "-")
    self.init(wide: Int128(whole) * unit + Int128(isNegative ? -decimals : decimals), over: unit)
  }

  /// Parses digits only: `Int64.init` would accept a "+", too.
  private static func whole(_ digits: Substring.UTF8View, signed: Bool) -> Int64? {
    let body = signed && digits.first == UInt8(ascii: "-") ? digits.dropFirst() : digits
    guard !body.isEmpty, body.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return Int64(Substring(digits))
  }

  /// The sum; nil if it does not fit in 64 bits.
  static func sum(_ a: StoryNumber, _ b: StoryNumber) -> StoryNumber? {
    // Two products of 126 bits each: their sum has 127.
    StoryNumber(
      wide: Int128(a.numerator) * Int128(b.denominator) + Int128(b.numerator) * Int128(a.denominator),
      over: Int128(a.denominator) * Int128(b.denominator))
  }

  /// The difference; nil if it does not fit in 64 bits.
  static func difference(_ a: StoryNumber, _ b: StoryNumber) -> StoryNumber? {
    StoryNumber(
      wide: Int128(a.numerator) * Int128(b.denominator) - Int128(b.numerator) * Int128(a.denominator),
      over: Int128(a.denominator) * Int128(b.denominator))
  }

  /// The product; nil if it does not fit in 64 bits.
  static func product(_ a: StoryNumber, _ b: StoryNumber) -> StoryNumber? {
    StoryNumber(
      wide: Int128(a.numerator) * Int128(b.numerator), over: Int128(a.denominator) * Int128(b.denominator))
  }

  /// The quotient; nil for a divisor of 0, or if it does not fit in 64 bits.
  static func quotient(_ a: StoryNumber, _ b: StoryNumber) -> StoryNumber? {
    StoryNumber(
      wide: Int128(a.numerator) * Int128(b.denominator), over: Int128(a.denominator) * Int128(b.numerator))
  }
}

extension StoryNumber: Comparable {
  public static func < (a: StoryNumber, b: StoryNumber) -> Bool {
    Int128(a.numerator) * Int128(b.denominator) < Int128(b.numerator) * Int128(a.denominator)
  }
}

extension StoryNumber: CustomStringConvertible {
  /// The number as decimals if up to nine are exact, else as a fraction such as "1/3".
  public var description: String {
    if denominator == 1 { return "\(numerator)" }
    var unit: Int128 = 1
    for digits in 1...Self.maxDecimals {
      unit *= 10
      guard unit % Int128(denominator) == 0 else { continue }
      let scaled = (Int128(numerator) * (unit / Int128(denominator))).magnitude
      let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: UInt128(unit))
      return "\(numerator < 0 ? "-" : "")\(whole).\(String(fraction, digits: digits))"
    }
    return "\(numerator)/\(denominator)"
  }
}

/// The value of a storyboard's variable.
public enum StoryValue: Hashable, Sendable {
  /// An exact number.
  case number(StoryNumber)
  /// True or false.
  case flag(Bool)
  /// Text, which may come from a file: any characters.
  case text(String)

  /// The kinds of values.
  public enum Kind: String, Sendable {
    /// An exact fraction.
    case number
    /// True or false.
    case flag
    /// Any characters.
    case text

    /// The kind with its article, for messages: "a number".
    var phrase: String { self == .text ? rawValue : "a \(rawValue)" }
  }

  /// Its kind.
  public var kind: Kind {
    switch self {
    case .number: .number
    case .flag: .flag
    case .text: .text
    }
  }
}

extension StoryValue: CustomStringConvertible {
  /// The value as written in expressions, but text without quotes.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .text(let text): text
    }
  }
}
