/// The settings of a `Transport`.
public struct TransportOptions: Sendable {
  /// The program's name and version for servers: "quadrille/1.0".
  public var userAgent: String
  /// A file with certificates that are trusted beside the system's.
  public var certificateFile: String?
  public var proxies: ProxySettings
  /// The seconds after which a host that does not accept a connection is given up.
  public var connectLimit = 8.0
  /// The seconds without a byte after which a transfer is said to be stalled.
  public var stallReport = 8.0
  /// The seconds without a byte, and to the answer of a request with its redirects, after which a transfer fails.
  public var stallLimit = 10.0
  /// The bytes that a transfer holds for its reader before it makes the server wait; at least 32 kB.
  public var bufferCapacity = 256 << 10

  public init(
    userAgent: String = "quadrille", certificateFile: String? = nil, proxies: ProxySettings = .ofProcess()
  ) {
    self.userAgent = userAgent
    self.certificateFile = certificateFile
    self.proxies = proxies
  }
}
