/// The text of many segments in one allocation, so that a large playlist takes little more memory than its file.
struct HLSText: Sendable {
  /// A piece of the text.
  struct Span: Hashable, Sendable {
    var offset: UInt32 = 0
    var length: UInt32 = 0
  }

  private var bytes: [UInt8] = []

  /// - Parameter capacity: the expected number of bytes.
  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Adds text, which is bounded by the size of a playlist and of what its variables expand to.
  mutating func append(_ text: some Collection<UInt8>) -> Span {
    let offset = bytes.count
    bytes += text
    return Span(offset: UInt32(offset), length: UInt32(bytes.count - offset))
  }

  /// The bytes of a piece.
  subscript(span: Span) -> ArraySlice<UInt8> { bytes[Int(span.offset)..<Int(span.offset + span.length)] }

  /// Returns a piece as text, with replacement characters in place of invalid UTF-8.
  func string(_ span: Span) -> String { String(decoding: self[span], as: UTF8.self) }
}
