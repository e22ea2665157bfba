/// Dates as playlists write them, in ISO 8601.
enum HLSDate {
  /// Parses a date and time such as "2010-02-19T14:54:23.031+08:00" into nanoseconds since 1970; nil for anything else.
  ///
  /// Separators may be missing, the zone may be "Z", "+08", "+0800" or "+08:00", and without one the time is UTC. The year
  /// must be between 1700 and 2261, which is what 64 bits can count in nanoseconds.
  static func nanoseconds(_ text: ArraySlice<UInt8>) -> Int64? {
    var rest = text
    guard let year = number(&rest, digits: 4), (1700...2261).contains(year) else { return nil }
    skip(&rest, "-")
    guard let month = number(&rest, digits: 2), (1...12).contains(month) else { return nil }
    skip(&rest, "-")
    guard let day = number(&rest, digits: 2), (1...31).contains(day), skip(&rest, "T", "t", " ") else { return nil }
    guard let hour = number(&rest, digits: 2), hour <= 24 else { return nil }
    skip(&rest, ":")
    guard let minute = number(&rest, digits: 2), minute < 60 else { return nil }
    skip(&rest, ":")
    // A leap second is the first one of the next minute.
    let second = number(&rest, digits: 2) ?? 0
    guard second <= 60, let fraction = fraction(&rest), let zone = zone(&rest), rest.isEmpty else { return nil }
    let minutes = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) - zone
    return Int64(minutes * 60 + second) * 1_000_000_000 + fraction
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
    guard rest.count >= digits, let number = HLSNumber.integer(rest.prefix(digits)) else { return nil }
    rest = rest.dropFirst(digits)
    return number
  }

  @discardableResult private static func skip(_ rest: inout ArraySlice<UInt8>, _ characters: Unicode.Scalar...) -> Bool {
    guard let first = rest.first, characters.contains(Unicode.Scalar(first)) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads decimals of a second, as nanoseconds.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard skip(&rest, ".", ",") else { return 0 }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return HLSNumber.nanoseconds([UInt8(ascii: ".")] + digits)
  }

  /// Reads a time zone, as minutes east of UTC.
  private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if rest.isEmpty || skip(&rest, "Z", "z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip(&rest, "+", "-"), let hours = number(&rest, digits: 2), hours < 24 else { return nil }
    skip(&rest, ":")
    guard let minutes = rest.isEmpty ? 0 : number(&rest, digits: 2), minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  /// Counts days in the Gregorian calendar, in years that begin in March, so that the leap day is the last one.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
