/// A server that the user named, with the credentials for it.
///
/// Requests are made on behalf of an origin: for what the user named, and for what was found there. Credentials go to the
/// origin's scheme, host and port only.
public struct Origin: Hashable, Sendable {
  public let scheme: NetworkURL.Scheme
  public let endpoint: NetworkEndpoint
  let credentials: Credentials?

  /// Creates the origin of a URL, without credentials.
  public init(of url: NetworkURL) {
    self.init(url, credentials: nil)
  }

  private init(_ url: NetworkURL, credentials: Credentials?) {
    scheme = url.scheme
    endpoint = url.endpoint
    self.credentials = credentials
  }

  /// True if the URL has the origin's scheme, host and port.
  public func contains(_ url: NetworkURL) -> Bool { url.scheme == scheme && url.endpoint == endpoint }

  /// The credentials that may be sent to a URL.
  func credentials(for url: NetworkURL) -> Credentials? { contains(url) ? credentials : nil }

  /// The origin and URL that text from the user names, such as `https://user:password@host/clip.mp4`.
  ///
  /// - Throws: `NetworkURLError` if the text is not an absolute http or https URL.
  public static func naming(_ text: String) throws(NetworkURLError) -> (origin: Origin, url: NetworkURL) {
    let parts = try URLParts(text)
    let url = try NetworkURL(parts)
    guard let both = parts.splitAuthority.user else { return (Origin(of: url), url) }
    let halves = both.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(PercentCoding.decoded)
    let credentials = Credentials(user: halves[0], password: halves.count > 1 ? halves[1] : "")
    let scalars = (credentials.user + credentials.password).unicodeScalars
    guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else { throw .controlCharacter }
    return (Origin(url, credentials: credentials), url)
  }
}

extension Origin: CustomStringConvertible {
  public var description: String { "\(scheme.rawValue)://\(endpoint.bracketedHost):\(endpoint.port)" }
}
