/// A request for a resource or a range of it.
public struct TransportRequest: Sendable {
  public var url: NetworkURL
  /// The server on whose behalf the request is made.
  public var origin: Origin
  /// The range to ask for; nil for the whole resource.
  public var range: ByteRange?
  /// The version of the resource that the range must be of; another one fails with `TransportError.changed`.
  public var ifRange: Validator?
  /// The size that the resource must have; another one fails with `TransportError.changed`.
  public var expectedSize: Int64?
  /// A word for logs: "clip", "playlist".
  public var purpose: String

  public init(
    _ url: NetworkURL, origin: Origin, range: ByteRange? = nil, ifRange: Validator? = nil, expectedSize: Int64? = nil,
    purpose: String
  ) {
    self.url = url
    self.origin = origin
    self.range = range
    self.ifRange = ifRange
    self.expectedSize = expectedSize
    self.purpose = purpose
  }
}
