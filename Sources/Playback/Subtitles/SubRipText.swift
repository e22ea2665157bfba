/// Reduces a SubRip file to its cues, numbered and with full times.
///
/// libavformat recognises only files that begin with a number and a line of times, and reads ",04" as 4 ms. Real files begin
/// with a credit, lack numbers, or have times without milliseconds.
enum SubRipText {
  /// Returns true if some line of the text contains the times of a cue.
  static func hasCues(_ bytes: [UInt8]) -> Bool {
    TextLines(bytes).contains { CueTiming($0, .subRip) != nil }
  }

  /// Returns the cues, each with a number.
  static func cues(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    var number = 0
    var text: [ArraySlice<UInt8>] = []
    func endCue() {
      guard number > 0 else { return text = [] }
      while let last = text.last, TextLines.trimmed(last).isEmpty { text.removeLast() }
      for line in text { result += line + [TextLines.newline] }
      result.append(TextLines.newline)
      text = []
    }
    for line in TextLines(bytes) {
      guard let timing = CueTiming(line, .subRip) else {
        text.append(line)
        continue
      }
      if let last = text.last, isNumber(last) { text.removeLast() }
      endCue()
      number += 1
      result += "\(number)\n".utf8
      result += timing.line(.subRip) + [TextLines.newline]
    }
    endCue()
    return result
  }

  private static func isNumber(_ line: ArraySlice<UInt8>) -> Bool {
    let text = TextLines.trimmed(line)
    return !text.isEmpty && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
