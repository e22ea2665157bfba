/// An error in reading a URL.
public enum NetworkURLError: Error, Hashable, Sendable {
  /// The scheme is not http or https.
  case scheme(String)
  /// The text is a relative reference, or has no `//` after its scheme.
  case notAbsolute
  case controlCharacter
  case noHost
  case badHost
  case badPort
  /// The text exceeds `NetworkURL.maximumLength`.
  case tooLong
}

extension NetworkURLError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .scheme(let scheme): "\(scheme): is not http or https"
    case .notAbsolute: "the URL does not begin with http:// or https://"
    case .controlCharacter: "the URL contains a control character"
    case .noHost: "the URL has no host"
    case .badHost: "the URL's host is not valid"
    case .badPort: "the URL's port is not valid"
    case .tooLong: "the URL is too long"
    }
  }
}
