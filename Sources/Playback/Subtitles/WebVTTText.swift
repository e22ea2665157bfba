/// Reduces a WebVTT file to its header and cues.
///
/// libavformat takes each block for a cue, and stops at one that is not: 5.1 stops at the first STYLE or REGION. Source:
/// WebVTT, 6.1 (parsing a file).
enum WebVTTText {
  private static let signature = Array("WEBVTT".utf8)

  /// Returns true if the bytes are the start of a WebVTT file in UTF-8.
  static func begins(_ bytes: [UInt8]) -> Bool { TextLines.withoutMarks(bytes).starts(with: signature) }

  /// Returns the header's first line and the cues, without identifiers.
  ///
  /// - Parameter bytes: the bytes of a WebVTT file.
  static func cues(_ bytes: [UInt8]) -> [UInt8] {
    var lines = TextLines(bytes)
    var result = Array(lines.next() ?? []) + [TextLines.newline, TextLines.newline]
    result.reserveCapacity(bytes.count)
    var isCue = false
    while let line = lines.next() {
      // An arrow always starts a cue, or what would be one if there were times beside it.
      let isStart = CueTiming.hasArrow(line)
      if isCue, isStart || line.isEmpty {
        result.append(TextLines.newline)
        isCue = false
      }
      if isStart, let timing = CueTiming(line, .webVTT) {
        result += timing.line(.webVTT) + [TextLines.newline]
        isCue = true
      } else if isCue {
        result += line + [TextLines.newline]
      }
    }
    return result
  }
}
