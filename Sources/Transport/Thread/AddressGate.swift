/// Decides about connections of all transfers. Used on the transport's thread only.
final class AddressGate {
  private var policy = AddressPolicy()
  private let proxies: ProxySettings

  init(proxies: ProxySettings) { self.proxies = proxies }

  func proxy(for url: NetworkURL) -> String? { proxies.proxy(for: url) }

  func allow(_ origin: Origin) { policy.allow(origin) }

  /// The scope that a request must not reach, if it must not reach an address; nil if it may.
  func refusal(of address: NetworkAddress, at endpoint: NetworkEndpoint, for origin: Origin) -> AddressScope? {
    refusal(of: address.scope, at: endpoint, for: origin)
  }

  /// The same for a request through a proxy, by what the host's text tells.
  func refusalBehindProxy(at endpoint: NetworkEndpoint, for origin: Origin) -> AddressScope? {
    refusal(of: endpoint.literalScope ?? .public, at: endpoint, for: origin)
  }

  private func refusal(of scope: AddressScope, at endpoint: NetworkEndpoint, for origin: Origin) -> AddressScope? {
    policy.allows(scope, at: endpoint, for: origin) ? nil : scope
  }

  func didReach(_ endpoint: NetworkEndpoint, in scope: AddressScope) { policy.didReach(endpoint, in: scope) }
}
