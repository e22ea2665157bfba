import Libav
import Transport

/// Access to the network for assets: one thread for all connections, and the rules that they obey.
///
/// Share one between all assets of a program. Safe to use from any thread; lives as long as its assets.
public final class Network: Sendable {
  let transport: Transport

  /// Creates access; nothing is connected before an asset is loaded.
  ///
  /// - Parameters:
  ///   - certificateFile: a PEM file of authorities to trust besides the system's; nil for none.
  ///   - userAgent: the name to give to servers.
  public init(certificateFile: String? = nil, userAgent: String = "quadrille") {
    transport = Transport(options: TransportOptions(userAgent: userAgent, certificateFile: certificateFile))
  }

  /// A resource that the user has named.
  struct Resource {
    var origin: Origin
    var url: NetworkURL
  }

  /// Returns the resource that a text names; nil if it is no address on the web.
  ///
  /// - Throws: `PlaybackError` if it is malformed.
  static func resource(named text: String) throws -> Resource? {
    guard ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }) else { return nil }
    do {
      let (origin, url) = try Origin.naming(text)
      return Resource(origin: origin, url: url)
    } catch {
      throw PlaybackError(.network, error.description)
    }
  }
}
