/// The lines of a text file as bytes, without their endings, each of which is CR LF, LF or CR.
struct TextLines: Sequence, IteratorProtocol {
  static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var rest: ArraySlice<UInt8>

  /// - Parameter bytes: text in UTF-8; its byte order marks are left out.
  init(_ bytes: [UInt8]) { rest = Self.withoutMarks(bytes) }

  mutating func next() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    let line = rest.prefix { $0 != Self.newline && $0 != Self.carriageReturn }
    rest = rest[line.endIndex...]
    if let ending = rest.popFirst(), ending == Self.carriageReturn, rest.first == Self.newline { rest.removeFirst() }
    return line
  }

  /// Returns UTF-8 text without its byte order marks; programs that add one to each part of a file leave several.
  static func withoutMarks(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    while rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
    return rest
  }

  /// Returns true for a space, a tab or a form feed.
  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == 0x0C }

  /// Returns a line without blanks at its start and end.
  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = line
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
