/// The value of a `Content-Range` header: `bytes 0-499/1234` or `bytes */1234`.
struct ContentRange: Hashable {
  /// The offsets of the first and last byte; nil in an answer that the range does not exist.
  let bytes: ClosedRange<Int64>?
  /// The resource's size, if the server knows it.
  let total: Int64?

  /// - Returns: nil for text that is none, or that contradicts itself.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[1] == "*" {
      total = nil
    } else {
      guard let value = Self.number(halves[1]) else { return nil }
      total = value
    }
    if halves[0] == "*" {
      bytes = nil
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else { return nil }
    if let total, last >= total { return nil }
    bytes = first...last
  }

  /// Returns a number of digits only that fits into half of the integers, so that sums of two do, too.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int64(text), value < 1 << 62
    else { return nil }
    return value
  }
}
