import PlainText
import Playback

/// Speeds in M2 lines: frames a second, rounded.
enum EDLSpeed {
  /// The simplest exact speed that a text can stand for; nil for 0 and for invalid numbers.
  ///
  /// - Parameters:
  ///   - rate: the list's rate; the text may count at it or at the nearest whole number.
  ///   - source: the event's duration in the source, in frames.
  ///   - record: the event's duration in the record, in frames.
  static func ratio(_ text: String, rate: Ratio, source: Int64, record: Int64) -> Ratio? {
    guard let signed = Double(text), signed != 0, signed.isFinite, let whole = Timecode.framesPerSecond(at: rate) else {
      return nil
    }
    let speed = abs(signed)
    let sign: Int64 = signed < 0 ? -1 : 1
    let places = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.utf8.count ?? 0
    var unit = 1.0
    for _ in 0..<min(places, 12) { unit /= 10 }
    let bases = [rate.value, Double(whole)]
    func simplest(_ divisors: ClosedRange<Int64>) -> Ratio? {
      for divisor in divisors {
        for base in bases {
          let above = (speed * Double(divisor) / base).rounded()
          guard above >= 1, abs(above / Double(divisor) * base - speed) <= unit * 0.501 + 1e-12 else { continue }
          return Ratio(reducing: sign * Int64(above), divisor)
        }
      }
      return nil
    }
    if let ratio = simplest(1...12) { return ratio }
    if source > 0, record > 0, bases.contains(where: { abs(Double(source) / Double(record) * $0 - speed) <= unit }) {
      return Ratio(reducing: sign * source, record)
    }
    return simplest(13...2000)
      ?? TimeText.ratio(text).flatMap { Ratio(reducing: Int64($0.numerator), Int64($0.denominator) * Int64(whole)) }
  }

  /// Frames a second, with at least three digits before the point and as many after it as the exact speed needs, at most nine.
  static func text(_ speed: Ratio?, rate: Ratio) -> String {
    guard let speed else { return "000.0" }
    var unit: Int128 = 1
    var text = ""
    for places in 1...9 {
      unit *= 10
      text = self.text(speed, rate: rate, places: places, unit: unit)
      if ratio(text, rate: rate, source: 0, record: 1) == speed { break }
    }
    return text
  }

  private static func text(_ speed: Ratio, rate: Ratio, places: Int, unit: Int128) -> String {
    let below = Int128(speed.denominator) * Int128(rate.denominator)
    let above = Int128(speed.numerator.magnitude) * Int128(rate.numerator)
    let (whole, rest) = ((above * unit * 2 + below) / (below * 2)).quotientAndRemainder(dividingBy: unit)
    return "\(speed.numerator < 0 ? "-" : "")\(String(whole, digits: 3)).\(String(rest, digits: places))"
  }
}
