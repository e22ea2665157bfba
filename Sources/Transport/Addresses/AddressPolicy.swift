/// Decides which addresses requests may reach.
///
/// The user may name anything. What a server names, in a redirect, playlist or key, must not lead into a narrower network than
/// the server itself was reached in: a page of the Internet must not reach into a home, nor another machine into this one.
public struct AddressPolicy: Sendable {
  private var named: Set<NetworkEndpoint> = []
  private var reached: [NetworkEndpoint: AddressScope] = [:]

  public init() {}

  /// Allows what the user named.
  public mutating func allow(_ origin: Origin) { named.insert(origin.endpoint) }

  /// Notes the scope in which a named endpoint was reached; what others reached does not concern it.
  public mutating func didReach(_ endpoint: NetworkEndpoint, in scope: AddressScope) {
    guard named.contains(endpoint) else { return }
    reached[endpoint] = min(scope, reached[endpoint] ?? scope)
  }

  /// Returns true if a request on behalf of an origin may reach an endpoint at an address of a scope.
  ///
  /// A host that the user named may be anywhere when it is first reached, and later only there or in a broader scope: a name
  /// that turns from a public address to one of this machine does so to mislead.
  public func allows(_ scope: AddressScope, at endpoint: NetworkEndpoint, for origin: Origin) -> Bool {
    if named.contains(endpoint) { return scope >= reached[endpoint] ?? scope }
    return scope >= reached[origin.endpoint] ?? .public
  }
}
