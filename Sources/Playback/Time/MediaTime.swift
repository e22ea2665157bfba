/// A time or duration in media time: an exact fraction of a second, or a special value.
///
/// A numeric time is `value / timescale` seconds: a frame at 25 frames per second lasts 1/25, and one of NTSC 1001/30000.
/// Operations are exact across timescales while the result fits. Otherwise they round to a coarser timescale and set
/// `hasBeenRounded`, and finally give an infinity. Nothing traps.
///
/// The order is total: −∞ < every number < indefinite < +∞ < invalid. Times that are the same number are equal and have the
/// same hash, whatever their timescales and whether or not they have been rounded.
public struct MediaTime: Sendable {
  /// The properties of a time other than its number.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The bits of all flags combined.
    public let rawValue: UInt8
    /// Creates flags from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Set for all times except `.invalid`.
    public static let valid = Flags(rawValue: 1 << 0)
    /// Set if the number is the result of rounding.
    public static let hasBeenRounded = Flags(rawValue: 1 << 1)
    /// Later than every number.
    public static let positiveInfinity = Flags(rawValue: 1 << 2)
    /// Earlier than every number.
    public static let negativeInfinity = Flags(rawValue: 1 << 3)
    /// A time that exists but is unknown, such as the duration of a live stream.
    public static let indefinite = Flags(rawValue: 1 << 4)
  }

  /// The number of units of `1 / timescale` seconds; 0 if the time is not numeric.
  public let value: Int64
  /// Units per second; positive if the time is numeric, else 0.
  public let timescale: Int32
  /// The kind of the time, and whether it has been rounded.
  public let flags: Flags

  init(unchecked value: Int64, _ timescale: Int32, _ flags: Flags) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
  }

  /// Creates a time of `value / timescale` seconds; `.invalid` if the timescale is not positive.
  public init(value: Int64, timescale: Int32) {
    if timescale > 0 {
      self.init(unchecked: value, timescale, .valid)
    } else {
      self = .invalid
    }
  }

  /// Zero seconds.
  public static let zero = MediaTime(unchecked: 0, 1, .valid)
  /// The result of an impossible operation; ordered after every other time.
  public static let invalid = MediaTime(unchecked: 0, 0, [])
  /// An unknown time; ordered after every number.
  public static let indefinite = MediaTime(unchecked: 0, 0, [.valid, .indefinite])
  /// Later than every number.
  public static let positiveInfinity = MediaTime(unchecked: 0, 0, [.valid, .positiveInfinity])
  /// Earlier than every number.
  public static let negativeInfinity = MediaTime(unchecked: 0, 0, [.valid, .negativeInfinity])

  /// True if the time is a number (not invalid, indefinite or infinite).
  public var isNumeric: Bool { timescale > 0 }
  /// True for all times except `.invalid`, including infinite and indefinite ones.
  public var isValid: Bool { flags.contains(.valid) }
  /// True if the time is unknown.
  public var isIndefinite: Bool { flags.contains(.indefinite) }
  /// True for +∞.
  public var isPositiveInfinity: Bool { flags.contains(.positiveInfinity) }
  /// True for −∞.
  public var isNegativeInfinity: Bool { flags.contains(.negativeInfinity) }
  /// True if the number is the result of rounding.
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }

  /// The largest timescale; results that would need a larger one are rounded to it.
  public static let maximumTimescale = Int32.max
}

extension MediaTime: Comparable {
  /// The rank of its kind in the total order; all numbers share one.
  private var rank: Int {
    if isNumeric { return 1 }
    if flags.contains(.negativeInfinity) { return 0 }
    if flags.contains(.indefinite) { return 2 }
    return flags.contains(.positiveInfinity) ? 3 : 4
  }

  /// Returns true if both are the same time, whatever their timescales; special values equal only their own kind.
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
  /// Hashes the time; equal times have equal hashes, whatever their timescales.
  public func hash(into hasher: inout Hasher) {
    guard isNumeric else { return hasher.combine(rank) }
    let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    // The divisor is at most the timescale, so it fits; the quotients are those of the lowest terms.
    hasher.combine(value / Int64(divisor))
    hasher.combine(Int64(timescale) / Int64(divisor))
  }
}

/// Returns the greatest common divisor; the other number if one is 0.
func greatestCommonDivisor<T: UnsignedInteger & FixedWidthInteger>(_ a: T, _ b: T) -> T {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
