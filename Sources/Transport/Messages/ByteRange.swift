/// A range of a resource's bytes, as HTTP counts it.
public struct ByteRange: Hashable, Sendable {
  /// The offset of the first byte.
  public let first: Int64
  /// The offset of the last byte; nil for the resource's end.
  public let last: Int64?

  /// The greatest offset; sums of two cannot overflow.
  private static let greatest: Int64 = 1 << 61

  /// - Parameter first: not negative.
  /// - Parameter last: not less than `first`.
  public init(first: Int64, last: Int64? = nil) {
    self.first = min(max(0, first), Self.greatest)
    self.last = last.map { [start = self.first] in min(max($0, start), Self.greatest) }
  }

  /// The range as libcurl and the Range header have it: `0-499` or `500-`.
  var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}
