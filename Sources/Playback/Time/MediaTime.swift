/// A point or a length in media time: an exact fraction of a second, or a value that is no number.
///
/// A numeric time is `value / timescale` seconds, so 25 frames a second is 1/25 and NTSC is 1001/30000, never
/// a floating-point number. Operations are exact across timescales while the result fits; otherwise they
/// round to a coarser timescale and set `hasBeenRounded`, and at last give an infinity. Nothing traps.
///
/// The order is total: −∞ < every number < indefinite < +∞ < invalid. Two times that are the same number are
/// equal and hash alike whatever their timescales and whether or not they have been rounded.
public struct MediaTime: Sendable {
  /// What a time is beside its number.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// One bit for each flag.
    public let rawValue: UInt8
    /// Makes flags of bits as `rawValue` has them.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Absent from `.invalid` only.
    public static let valid = Flags(rawValue: 1 << 0)
    /// Some step on the way to this number was not exact.
    public static let hasBeenRounded = Flags(rawValue: 1 << 1)
    /// Later than every number.
    public static let positiveInfinity = Flags(rawValue: 1 << 2)
    /// Earlier than every number.
    public static let negativeInfinity = Flags(rawValue: 1 << 3)
    /// A time that exists but is not known, such as the duration of a live stream.
    public static let indefinite = Flags(rawValue: 1 << 4)
  }

  /// The number of `1 / timescale` seconds; 0 when the time is not numeric.
  public let value: Int64
  /// Units in a second: positive when the time is numeric, else 0.
  public let timescale: Int32
  /// Whether the time is a number, and whether some step on the way to it was not exact.
  public let flags: Flags

  init(unchecked value: Int64, _ timescale: Int32, _ flags: Flags) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
  }

  /// Makes `value / timescale` seconds; `.invalid` when the timescale is not positive.
  public init(value: Int64, timescale: Int32) {
    if timescale > 0 {
      self.init(unchecked: value, timescale, .valid)
    } else {
      self = .invalid
    }
  }

  /// 0 seconds.
  public static let zero = MediaTime(unchecked: 0, 1, .valid)
  /// What came of an impossible operation; after every other time in the order.
  public static let invalid = MediaTime(unchecked: 0, 0, [])
  /// A time that is not known; after every number in the order.
  public static let indefinite = MediaTime(unchecked: 0, 0, [.valid, .indefinite])
  /// Later than every number.
  public static let positiveInfinity = MediaTime(unchecked: 0, 0, [.valid, .positiveInfinity])
  /// Earlier than every number.
  public static let negativeInfinity = MediaTime(unchecked: 0, 0, [.valid, .negativeInfinity])

  /// True when the time is a number (neither invalid nor indefinite nor infinite).
  public var isNumeric: Bool { timescale > 0 }
  /// True for all but `.invalid`, also for infinities and indefinite times.
  public var isValid: Bool { flags.contains(.valid) }
  /// True for a time that is not known.
  public var isIndefinite: Bool { flags.contains(.indefinite) }
  /// True for +∞.
  public var isPositiveInfinity: Bool { flags.contains(.positiveInfinity) }
  /// True for −∞.
  public var isNegativeInfinity: Bool { flags.contains(.negativeInfinity) }
  /// True when some step on the way to this number was not exact.
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }

  /// The largest timescale: results that need a larger one are rounded to it.
  public static let maximumTimescale = Int32.max
}

extension MediaTime: Comparable {
  /// The place of the kind in the total order; all numbers share one.
  private var rank: Int {
    if isNumeric { return 1 }
    if flags.contains(.negativeInfinity) { return 0 }
    if flags.contains(.indefinite) { return 2 }
    return flags.contains(.positiveInfinity) ? 3 : 4
  }

  /// Whether both are the same time, at whichever timescale; what is no number equals its own kind.
  public static func == (a: MediaTime, b: MediaTime) -> Bool {
    if a.timescale == b.timescale {
      return a.value == b.value && (a.timescale > 0 || a.rank == b.rank)
    }
    guard a.isNumeric, b.isNumeric else { return false }
    return a.value.multipliedFullWidth(by: Int64(b.timescale))
      == b.value.multipliedFullWidth(by: Int64(a.timescale))
  }

  /// The total order: −∞, numbers, indefinite, +∞, invalid.
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    guard a.isNumeric, b.isNumeric else { return a.rank < b.rank }
    if a.timescale == b.timescale { return a.value < b.value }
    let left = a.value.multipliedFullWidth(by: Int64(b.timescale))
    let right = b.value.multipliedFullWidth(by: Int64(a.timescale))
    return left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension MediaTime: Hashable {
  /// Hashes the time: what is equal has one hash, at whichever timescale.
  public func hash(into hasher: inout Hasher) {
    guard isNumeric else { return hasher.combine(rank) }
    let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    // The divisor is at most the timescale, so it fits; the quotients are those of the lowest terms.
    hasher.combine(value / Int64(divisor))
    hasher.combine(Int64(timescale) / Int64(divisor))
  }
}

/// The greatest common divisor; the other number when one is 0.
func greatestCommonDivisor<T: UnsignedInteger & FixedWidthInteger>(_ a: T, _ b: T) -> T {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
