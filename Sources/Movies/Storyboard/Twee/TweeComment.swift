/// Comments in the text of passages, as the story formats of Twine write them: `<!-- -->`, `/* */` and `/% %/`.
enum TweeComment {
  private static let marks = [("<!--", "-->"), ("/*", "*/"), ("/%", "%/")].map { (start: Array($0.utf8), end: Array($1.utf8)) }

  /// The lines without comments, as many as before. A comment without an end is text.
  static func removed(from lines: [String]) -> [String] {
    let newline = UInt8(ascii: "\n")
    var rest = Array(lines.joined(separator: "\n").utf8)[...]
    var text: [UInt8] = []
    // Marks that may still have an end, so that the text is searched for each end at most once in vain.
    var open = marks
    while let byte = rest.first {
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "/"), let index = open.firstIndex(where: { rest.starts(with: $0.start) }) {
        let body = rest.dropFirst(open[index].start.count)
        if let end = body.firstRange(of: open[index].end) {
          text += body[..<end.lowerBound].filter { $0 == newline }
          rest = body[end.upperBound...]
          continue
        }
        open.remove(at: index)
      }
      text.append(byte)
      rest.removeFirst()
    }
    return text.split(separator: newline, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
