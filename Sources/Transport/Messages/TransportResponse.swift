/// The facts that a server tells before the first byte.
public struct TransportResponse: Hashable, Sendable {
  /// 200 or 206.
  public let status: Int
  /// The URL that answered, after redirects. It may have credentials in its query: show its `displayText`.
  public let url: NetworkURL
  /// The offset of the first byte that follows.
  public let start: Int64
  /// The number of bytes that follow, if the server says.
  public let contentLength: Int64?
  /// The resource's size, if the server says.
  public let totalSize: Int64?
  /// The mark of the resource's version.
  public let validator: Validator?
  /// True if the server answers requests for ranges.
  public let acceptsRanges: Bool
  /// The media type, in lower case, without parameters.
  public let contentType: String?
  /// The address that was connected to, which is the proxy's if there is one.
  public let address: NetworkAddress?
  public let isProxied: Bool
}
