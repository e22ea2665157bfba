import Libav
import Transport

/// Access to the network for assets: one thread for all connections, and the rules that they obey.
///
/// Share one between all assets of a program. Safe to use from any thread; lives as long as its assets.
public final class Network: Sendable {
  let transport: Transport
  /// A PEM file of authorities to trust; nil for none but the system's.
  let certificateFile: String?

  /// Creates access; nothing is connected before an asset is loaded.
  ///
  /// - Parameters:
  ///   - certificateFile: a PEM file of authorities to trust besides the system's; nil for none.
  ///   - userAgent: the name to give to servers.
  public init(certificateFile: String? = nil, userAgent: String = "quadrille") {
    self.certificateFile = certificateFile
    transport = Transport(options: TransportOptions(userAgent: userAgent, certificateFile: certificateFile))
  }
}
