/// The line that gives the times of a SubRip or WebVTT cue: "00:00:01,000 --> 00:00:02,000 align:left".
struct CueTiming {
  /// The times in milliseconds.
  let start: Int
  let end: Int
  /// The settings or coordinates after the times.
  let rest: ArraySlice<UInt8>

  /// The kinds of cue times.
  enum Form {
    /// Minutes and a fraction after a dot; hours if needed.
    case webVTT
    /// Hours, minutes and seconds, or less; a fraction after a comma or a dot, if there is one.
    case subRip
  }

  private static let arrow = Array("-->".utf8)
  /// The maximum length of a line that has times.
  private static let maxCount = 4096
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// Returns true if a line contains an arrow, which ends the text of a WebVTT cue.
  static func hasArrow(_ line: ArraySlice<UInt8>) -> Bool { arrowIndex(line) != nil }

  private static func arrowIndex(_ line: ArraySlice<UInt8>) -> Int? {
    var at = line.startIndex
    while at + arrow.count <= line.endIndex {
      if line[at] == arrow[0], line[at + 1] == arrow[1], line[at + 2] == arrow[2] { return at }
      at += 1
    }
    return nil
  }

  /// - Returns: nil if the line is not a start, an arrow and an end.
  init?(_ line: ArraySlice<UInt8>, _ form: Form) {
    guard line.count < Self.maxCount, let place = Self.arrowIndex(line) else { return nil }
    let tail = line[(place + Self.arrow.count)...].drop(while: TextLines.isBlank)
    let time = tail.prefix { !TextLines.isBlank($0) }
    guard let start = Self.time(TextLines.trimmed(line[..<place]), form), let end = Self.time(time, form) else { return nil }
    (self.start, self.end) = (start, end)
    rest = TextLines.trimmed(tail[time.endIndex...])
  }

  /// Returns a time in milliseconds; nil if it is none. Of a fraction, three digits count: ",04" is 40 ms.
  private static func time(_ text: ArraySlice<UInt8>, _ form: Form) -> Int? {
    var whole = text, fraction: ArraySlice<UInt8> = []
    if let point = text.lastIndex(where: { $0 == UInt8(ascii: ".") || (form == .subRip && $0 == UInt8(ascii: ",")) }) {
      (whole, fraction) = (text[..<point], text[(point + 1)...])
      guard !fraction.isEmpty else { return nil }
    } else if form == .webVTT {
      return nil
    }
    let parts = whole.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (parts + [fraction]).allSatisfy({ $0.count <= 9 && $0.allSatisfy(digits.contains) }),
      parts.allSatisfy({ !$0.isEmpty })
    else { return nil }
    let seconds = parts.reduce(0) { 60 * $0 + number($1) }
    return 1000 * seconds + number((fraction + Array("00".utf8)).prefix(3))
  }

  private static func number(_ text: some Sequence<UInt8>) -> Int {
    text.reduce(0) { 10 * $0 + Int($1 - digits.lowerBound) }
  }

  /// The line as libavformat reads it, with full times.
  func line(_ form: Form) -> [UInt8] {
    let point = form == .webVTT ? UInt8(ascii: ".") : UInt8(ascii: ",")
    var line: [UInt8] = []
    line.reserveCapacity(32 + rest.count)
    Self.append(start, point, to: &line)
    line += " --> ".utf8
    Self.append(end, point, to: &line)
    if !rest.isEmpty { line += [UInt8(ascii: " ")] + rest }
    return line
  }

  private static func append(_ time: Int, _ point: UInt8, to line: inout [UInt8]) {
    func append(_ number: Int, _ count: Int) {
      let text = String(number).utf8
      for _ in 0..<max(0, count - text.count) { line.append(digits.lowerBound) }
      line += text
    }
    append(time / 3_600_000, 2)
    line.append(UInt8(ascii: ":"))
    append(time / 60_000 % 60, 2)
    line.append(UInt8(ascii: ":"))
    append(time / 1000 % 60, 2)
    line.append(point)
    append(time % 1000, 3)
  }
}
