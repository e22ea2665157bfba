import PlainText

/// An absolute http or https URL, without credentials and fragment.
///
/// It has one spelling: the host is in lower case, the path begins with a slash and has no `..`, and what may not stand in a
/// path or query is percent-encoded. It is what is connected to.
public struct NetworkURL: Hashable, Sendable {
  public enum Scheme: String, Sendable {
    case http, https

    var defaultPort: Int { self == .https ? 443 : 80 }
  }

  /// The limit of a URL's length, in bytes.
  public static let maximumLength = 16 << 10

  public let scheme: Scheme
  public let endpoint: NetworkEndpoint
  /// The path, percent-encoded, beginning with a slash.
  public let path: String
  /// The query, percent-encoded, without its question mark.
  public let query: String?

  /// Creates a URL from text. Credentials in it are dropped; `Origin.naming(_:)` keeps them.
  ///
  /// - Throws: `NetworkURLError` if the text is not an absolute http or https URL.
  public init(_ text: String) throws(NetworkURLError) {
    try self.init(URLParts(text))
  }

  init(_ parts: URLParts) throws(NetworkURLError) {
    guard let name = parts.scheme else { throw .notAbsolute }
    guard let scheme = Scheme(rawValue: name) else { throw .scheme(name) }
    guard parts.authority != nil else { throw .notAbsolute }
    try self.init(scheme, parts)
  }

  private init(_ scheme: Scheme, _ parts: URLParts) throws(NetworkURLError) {
    let endpoint = try NetworkEndpoint(parsing: parts.splitAuthority.endpoint, defaultPort: scheme.defaultPort)
    try self.init(scheme, endpoint, path: parts.path, query: parts.query)
  }

  private init(_ scheme: Scheme, _ endpoint: NetworkEndpoint, path: Substring, query: Substring?) throws(NetworkURLError) {
    self.scheme = scheme
    self.endpoint = endpoint
    self.path = URLParts.withoutDots(PercentCoding.encoded(path))
    self.query = query.map(PercentCoding.encoded)
    guard self.path.utf8.count + (self.query?.utf8.count ?? 0) <= Self.maximumLength else { throw .tooLong }
  }

  public var host: String { endpoint.host }
  public var port: Int { endpoint.port }

  /// Returns the URL that a reference in this one's document leads to (RFC 3986, section 5.2).
  ///
  /// - Throws: `NetworkURLError` if that is not an http or https URL.
  public func resolving(_ reference: String) throws(NetworkURLError) -> NetworkURL {
    let parts = try URLParts(reference)
    if parts.scheme != nil { return try NetworkURL(parts) }
    if parts.authority != nil { return try NetworkURL(scheme, parts) }
    if parts.path.isEmpty {
      return try NetworkURL(scheme, endpoint, path: path[...], query: parts.query ?? query.map { $0[...] })
    }
    if parts.path.hasPrefix("/") { return try NetworkURL(scheme, endpoint, path: parts.path, query: parts.query) }
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    return try NetworkURL(scheme, endpoint, path: folder + parts.path, query: parts.query)
  }

  /// The scheme, host and port.
  public var site: String {
    let port = endpoint.port == scheme.defaultPort ? "" : ":\(endpoint.port)"
    return "\(scheme.rawValue)://\(endpoint.bracketedHost)\(port)"
  }

  /// The whole URL, for making requests. Its query may contain secrets: show `displayText`.
  public var text: String { site + path + (query.map { "?" + $0 } ?? "") }

  /// The URL for messages and logs: its query, which may contain secrets, is shortened to a mark.
  public var displayText: String { site + path + (query.map { $0.isEmpty ? "" : "?…" } ?? "") }

  /// The last part of the path for titles, percent-decoded, without invisible characters; nil for a path that ends with a
  /// slash.
  public var lastPathComponent: String? {
    guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last, !last.isEmpty else { return nil }
    let scalars = PercentCoding.decoded(last).unicodeScalars.map { $0.steersTerminals ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension NetworkURL: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { displayText }
  public var debugDescription: String { displayText }
}
