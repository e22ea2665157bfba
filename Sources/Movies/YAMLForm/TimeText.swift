import Playback

/// The text forms of times, rates and speeds in files of Quadrille's own.
package enum TimeText {
  static let lengthExpected = "a duration above 0 such as 2.5, 0:02.5, 1001/30000 (seconds) or 48f (frames, if rate is set)"
  static let timeExpected = "a time such as 0:03.2, 1001/30000 (seconds) or 48f (frames, if rate is set)"
  static let positionExpected = "a time such as 0:03.2, a frame such as \"#96\" (in quotes) or a timecode such as 01:00:03:05"
  private static let rateWord = " at "

  /// Parses a time of either sign; `rate` is the rate for times in frames.
  package static func time(_ text: String, rate: Ratio?) -> MediaTime? {
    anyTime(text, rate: rate).flatMap { $0.isWithinLimits ? $0 : nil }
  }

  private static func anyTime(_ text: String, rate: Ratio?) -> MediaTime? {
    if let time = MediaTime(clockText: text) { return time.hasBeenRounded ? nil : time }
    if let rate, text.hasSuffix("f"), let count = Int32(text.dropLast()) { return MediaTime(frames: Int64(count), at: rate) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let value = Int64(parts[0]), let scale = Int32(parts[1]), scale > 0 else { return nil }
    return MediaTime(value: value, timescale: scale)
  }

  /// The shortest text that reads back as the same time.
  package static func text(_ time: MediaTime) -> String {
    let text = time.exactText(decimals: 0...9)
    return text.hasPrefix("0:0") ? String(text.dropFirst(3)) : text
  }

  static func position(_ text: String) -> ClipPosition? {
    if text.utf8.first == UInt8(ascii: "#") {
      guard let number = Int(text.dropFirst()), number >= 0 else { return nil }
      return .frame(number)
    }
    if let code = Timecode(text) { return .timecode(code) }
    if let word = text.firstRange(of: rateWord) {
      guard let code = Timecode(String(text[..<word.lowerBound])), let rate = Self.rate(String(text[word.upperBound...])) else { return nil }
      return .listed(code, at: rate)
    }
    return time(text, rate: nil).map(ClipPosition.time)
  }

  static func text(_ position: ClipPosition) -> String {
    switch position {
    case .time(let time): text(time)
    case .frame(let number): "#\(number)"
    case .timecode(let code): code.description
    case .listed(let code, let rate): code.description + rateWord + self.text(rate)
    }
  }

  /// Parses a whole number, a fraction or a decimal number, exactly; nil for 0.
  static func ratio(_ text: String) -> Ratio? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let above = Int32(parts[0]), let below = Int32(parts[1]), below > 0 else { return nil }
      return Ratio(reducing: Int64(above), Int64(below))
    }
    let decimals = text.split(separator: ".", omittingEmptySubsequences: false)
    guard decimals.count <= 2, decimals.count == 1 || (1...9).contains(decimals[1].utf8.count) else { return nil }
    let places = decimals.count == 2 ? decimals[1].utf8.count : 0
    guard decimals.last?.utf8.allSatisfy({ (48...57).contains($0) || decimals.count == 1 }) == true else { return nil }
    var divisor: Int64 = 1
    for _ in 0..<places { divisor *= 10 }
    guard let digits = Int64(decimals.joined()) else { return nil }
    return Ratio(reducing: digits, divisor)
  }

  /// Parses a frame rate: a ratio, or a rounded rate such as 23.976 or 29.97, which means the exact one.
  static func rate(_ text: String) -> Ratio? {
    guard let ratio = ratio(text), ratio.isPositive, ratio.value <= 1000 else { return nil }
    return text.contains(".") ? FrameRate.snapped(ratio.value) : ratio
  }

  static func text(_ ratio: Ratio) -> String {
    ratio.denominator == 1 ? "\(ratio.numerator)" : "\(ratio.numerator)/\(ratio.denominator)"
  }
}
