import Foundation
import Glibc

/// `openssl s_server`, serving the files of a folder over TLS on 127.0.0.1.
public final class TLSTestServer {
  /// A certificate of the server's.
  public enum Certificate: Sendable {
    /// Valid, for 127.0.0.1, signed by the test's authority.
    case valid
    case expired
    /// For another host.
    case otherHost
    case selfSigned
  }

  public let port: Int
  /// The file with the certificate of the authority.
  public let authority: String
  private let process = Process()

  /// True if the command is installed.
  public static let isAvailable = (try? MediaTool.run("openssl", ["version"])) != nil

  /// Makes a certificate and starts a server.
  ///
  /// - Parameter folder: the folder to serve, into which keys and certificates are written.
  public init(_ certificate: Certificate, serving folder: TemporaryFolder) throws {
    authority = folder.path("authority.pem")
    try Self.make(certificate, in: folder)
    port = try UnusedPort().number
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-WWW", "-http_server_binmode", "-key", "server.key",
      "-cert", "server.pem",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = ContinuousClock.now + .seconds(60)
    while !Self.accepts(port) {
      guard process.isRunning, ContinuousClock.now < end else { throw TestServer.Failure(description: "s_server does not start") }
      usleep(2000)
    }
  }

  deinit { if process.isRunning { process.terminate() } }

  private static func make(_ certificate: Certificate, in folder: TemporaryFolder) throws {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let name = certificate == .otherHost ? "subjectAltName=DNS:other.example" : "subjectAltName=IP:127.0.0.1"
    try MediaTool.run("openssl", ["req", "-x509"] + key + [
      "-keyout", folder.path("authority.key"), "-out", folder.path("authority.pem"), "-days", "2", "-subj", "/CN=Authority",
    ])
    if certificate == .selfSigned {
      try MediaTool.run("openssl", ["req", "-x509"] + key + [
        "-keyout", folder.path("server.key"), "-out", folder.path("server.pem"), "-days", "2", "-subj", "/CN=Server",
        "-addext", name,
      ])
      return
    }
    try MediaTool.run("openssl", ["req"] + key + [
      "-keyout", folder.path("server.key"), "-out", folder.path("server.csr"), "-subj", "/CN=Server",
    ])
    try (name + "\n").write(toFile: folder.path("extensions"), atomically: true, encoding: .utf8)
    func sign(_ dates: String...) throws {
      try MediaTool.run("openssl", [
        "x509", "-req", "-in", folder.path("server.csr"), "-CA", folder.path("authority.pem"), "-CAkey",
        folder.path("authority.key"), "-CAcreateserial", "-out", folder.path("server.pem"), "-extfile", folder.path("extensions"),
      ] + dates)
    }
    guard certificate == .expired else { return try sign("-days", "2") }
    do {
      try sign("-days", "-1")
    } catch {
      // From version 3.4 on, which knows no negative days.
      try sign("-not_before", "20000101000000Z", "-not_after", "20000102000000Z")
    }
  }

  private static func accepts(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return connectToLoopback(descriptor, port: port)
  }
}
