import Glibc

/// The proxies that the environment names, as curl reads it: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
///
/// libcurl could read them itself, but would not say before connecting whether it uses one, and then it is the proxy's
/// address that is checked.
public struct ProxySettings: Sendable {
  private var proxies: [NetworkURL.Scheme: String] = [:]
  private var exceptions: [Exception] = []

  private enum Exception {
    case everything
    case network(NetworkAddress, prefix: Int)
    case domain(String)
  }

  /// Creates settings without a proxy.
  public init() {}

  /// Creates settings from environment variables. `HTTP_PROXY` is not one of them, since web servers set it for programs
  /// that they run.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first }
    let all = value("all_proxy", "ALL_PROXY")
    proxies[.http] = (value("http_proxy") ?? all).flatMap { $0.isEmpty ? nil : $0 }
    proxies[.https] = (value("https_proxy", "HTTPS_PROXY") ?? all).flatMap { $0.isEmpty ? nil : $0 }
    exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map(Self.exception)
  }

  /// Creates settings from this process's environment.
  public static func ofProcess() -> ProxySettings {
    let names = [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]
    var environment: [String: String] = [:]
    for name in names { environment[name] = getenv(name).map { String(cString: $0) } }
    return ProxySettings(environment: environment)
  }

  /// The proxy for a URL, which may contain credentials; nil for a direct connection.
  func proxy(for url: NetworkURL) -> String? {
    guard let proxy = proxies[url.scheme], !exceptions.contains(where: { Self.matches($0, url.endpoint) }) else { return nil }
    return proxy
  }

  private static func exception(_ text: Substring) -> Exception {
    if text == "*" { return .everything }
    let parts = text.split(separator: "/", maxSplits: 1)
    if let address = NetworkAddress(parts[0].trimmingBrackets) {
      return .network(address, prefix: parts.count > 1 ? Int(parts[1]) ?? 128 : 128)
    }
    var domain = text.lowercased()
    if domain.hasPrefix(".") { domain.removeFirst() }
    if domain.hasSuffix(".") { domain.removeLast() }
    return .domain(domain)
  }

  private static func matches(_ exception: Exception, _ endpoint: NetworkEndpoint) -> Bool {
    switch exception {
    case .everything: return true
    case .domain(let domain):
      return !domain.isEmpty && (endpoint.host == domain || endpoint.host.hasSuffix("." + domain))
    case .network(let network, let prefix):
      guard let common = endpoint.literalAddress?.commonPrefix(with: network) else { return false }
      if case .v4 = network { return common >= min(prefix, 32) }
      return common >= prefix
    }
  }
}

extension Substring {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
  }
}

extension NetworkEndpoint {
  /// The scope that the host's text itself tells, which is all that can be checked where a proxy connects; nil for a name
  /// that says nothing.
  var literalScope: AddressScope? {
    if host == "localhost" || host.hasSuffix(".localhost") { return .loopback }
    return literalAddress?.scope
  }
}
