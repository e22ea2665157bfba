/// An error in a transfer. Its description is a sentence for users, without a full stop and without credentials.
public enum TransportError: Error, Hashable, Sendable {
  case url(NetworkURLError)
  case hostNotFound(String)
  case proxyNotFound
  case refused
  case unreachable
  /// The server was silent for a time, in seconds.
  case noAnswer(seconds: Double)
  /// The connection broke before an answer came.
  case noResponse
  /// The connection broke in the middle, after a number of bytes.
  case cut(received: Int64)
  case notHTTP
  case certificate(CertificateProblem)
  /// The file with certificates of the user's cannot be read.
  case certificateFile(String)
  case encryption
  /// A proxy's or server's status other than 200 and 206.
  case status(Int, retryAfter: Double? = nil)
  case proxyStatus(Int)
  case tooManyRedirects
  case redirectedFromHTTPS
  case redirectedToScheme(String)
  case redirectedNowhere(NetworkURLError)
  /// A server led to an address that it must not lead to.
  case notAllowed(NetworkEndpoint, AddressScope)
  /// The resource is another than before.
  case changed
  /// The server sends whole resources only, and the range does not begin at its first byte.
  case noRanges
  /// The range lies beyond the resource's end.
  case noSuchRange(total: Int64?)
  /// The server sent another range than it was asked for.
  case wrongRange
  case compressed(String)
  case headersTooLong
  /// The resource exceeds the limit of its reader, in bytes.
  case tooLong(Int)
  case cancelled
  case outOfResources(String)
  /// libcurl's message.
  case other(String)
}

/// A reason not to trust a server's certificate.
public enum CertificateProblem: Hashable, Sendable {
  case expired, notYetValid, wrongHost, untrusted, selfSigned, revoked, invalid
}

extension TransportError {
  /// Returns true if the same request may succeed a little later.
  ///
  /// - Parameter reachedBefore: true if the server has answered before: if its name is not found now, the link is at fault.
  public func isTransient(reachedBefore: Bool = false) -> Bool {
    switch self {
    case .refused, .unreachable, .noAnswer, .noResponse, .cut: true
    case .status(let code, _), .proxyStatus(let code): [408, 425, 429, 500, 502, 503, 504].contains(code)
    case .hostNotFound, .proxyNotFound, .encryption: reachedBefore
    default: false
    }
  }

  /// The time after which the server wants to be asked again, in seconds.
  public var retryAfter: Double? {
    if case .status(_, let seconds) = self { seconds } else { nil }
  }
}

extension TransportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .url(let error): error.description
    case .hostNotFound(let host): "host not found: \(host)"
    case .proxyNotFound: "proxy not found"
    case .refused: "connection refused"
    case .unreachable: "network is unreachable"
    case .noAnswer(let seconds): "no answer for \(seconds.secondsText)"
    case .noResponse: "the server closed the connection without an answer"
    case .cut: "the connection was cut"
    case .notHTTP: "the server does not speak HTTP"
    case .certificate(let problem): problem.description
    case .certificateFile(let path): "cannot read the certificates in \(path)"
    case .encryption: "cannot make a secure connection"
    case .status(let code, _): HTTPStatus.text(code)
    case .proxyStatus(let code): "the proxy answered \(HTTPStatus.text(code))"
    case .tooManyRedirects: "too many redirects"
    case .redirectedFromHTTPS: "redirected from https to http"
    case .redirectedToScheme(let scheme): "redirected to \(scheme):, which is not allowed"
    case .redirectedNowhere(let error): "redirected wrongly: \(error)"
    case .notAllowed(let endpoint, let scope): "the server is not allowed to lead to \(scope.text) (\(endpoint.host))"
    case .changed: "the file has changed on the server"
    case .noRanges: "the server does not support range requests"
    case .noSuchRange: "the file ends before the part that was asked for"
    case .wrongRange: "the server sent another part than it was asked for"
    case .compressed(let coding): "the server compressed the file (\(coding.shownWord)), although it was not asked to"
    case .headersTooLong: "the server's headers are too long"
    case .tooLong(let limit): "longer than \(limit) bytes"
    case .cancelled: "cancelled"
    case .outOfResources(let reason): "cannot start a transfer: \(reason)"
    case .other(let message): message
    }
  }
}

extension CertificateProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .expired: "certificate expired"
    case .notYetValid: "certificate is not valid yet"
    case .wrongHost: "certificate is not for this host"
    case .untrusted: "certificate is not trusted"
    case .selfSigned: "certificate is not trusted (self-signed)"
    case .revoked: "certificate revoked"
    case .invalid: "certificate is not valid"
    }
  }
}

extension AddressScope {
  var text: String {
    switch self {
    case .loopback: "an address of this machine"
    case .private: "a private address"
    case .public: "a public address"
    }
  }
}

extension Double {
  /// Seconds with as many decimals as they need: "8 s", "0.05 s".
  fileprivate var secondsText: String {
    guard isFinite, abs(self) < 1e9 else { return "\(self) s" }
    let hundredths = Int((self * 100).rounded())
    return hundredths % 100 == 0 ? "\(hundredths / 100) s" : "\(Double(hundredths) / 100) s"
  }
}

extension String {
  /// The start of a word from a server, without what could control a terminal.
  fileprivate var shownWord: String {
    String(unicodeScalars.prefix(20).filter { (0x21...0x7E).contains($0.value) }.map(Character.init))
  }
}
