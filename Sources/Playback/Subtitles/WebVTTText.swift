/// Reduces a WebVTT file to its header and cues.
///
/// libavformat takes each block for a cue, and stops at one that is not: 5.1 stops at the first STYLE or REGION. Source:
/// WebVTT, 6.1 (parsing a file).
enum WebVTTText {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let signature = Array("WEBVTT".utf8)
  private static let arrow = Array("-->".utf8)

  /// Returns true if the bytes are the start of a WebVTT file in UTF-8.
  static func begins(_ bytes: [UInt8]) -> Bool { withoutMark(bytes[...]).starts(with: signature) }

  private static func withoutMark(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
  }

  /// Returns the header's first line and the cues, each with its identifier, if any.
  ///
  /// - Parameter bytes: the bytes of a WebVTT file.
  static func cues(_ bytes: [UInt8]) -> [UInt8] {
    let lines = lines(withoutMark(bytes[...]))
    var result = Array(lines.first ?? []) + [newline, newline]
    result.reserveCapacity(bytes.count)
    // The previous line, if it may be a cue's identifier: the first of a block.
    var name: ArraySlice<UInt8>?
    var isCue = false, isFirst = true
    for line in lines.dropFirst() {
      if line.isEmpty {
        if isCue { result.append(newline) }
        (name, isCue, isFirst) = (nil, false, true)
      } else if isTiming(line) {
        // A cue that follows another without a blank line is a separate cue.
        if isCue { result.append(newline) }
        result += (name.map { $0 + [newline] } ?? []) + line + [newline]
        (name, isCue, isFirst) = (nil, true, false)
      } else if isCue {
        result += line + [newline]
      } else {
        name = isFirst ? line : nil
        isFirst = false
      }
    }
    return result
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Returns lines without their endings, each of which is CR LF, LF or CR.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex, at = start
    while at < bytes.endIndex {
      let byte = bytes[at]
      guard byte == newline || byte == carriageReturn else {
        at += 1
        continue
      }
      lines.append(bytes[start..<at])
      let isPair = byte == carriageReturn && at + 1 < bytes.endIndex && bytes[at + 1] == newline
      at += isPair ? 2 : 1
      start = at
    }
    return start < bytes.endIndex ? lines + [bytes[start...]] : lines
  }

  /// Returns true if a line contains the start and end of a cue.
  private static func isTiming(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count < 4096, let place = line.indices.first(where: { line[$0...].starts(with: arrow) }) else { return false }
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = line[..<place].split(whereSeparator: isBlank)
    let end = line[(place + arrow.count)...].split(maxSplits: 1, whereSeparator: isBlank)
    return start.count == 1 && isTime(start[0]) && end.first.map(isTime) ?? false
  }

  /// Returns true if the text is a cue time: 01:02.345 or 1:02:03.456.
  private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last else { return false }
    let seconds = last.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let digits = parts.dropLast() + seconds
    return seconds.count == 2
      && digits.allSatisfy { (1...9).contains($0.count) && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
  }
}
