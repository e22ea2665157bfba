import Foundation
import TestSupport
import Testing

@testable import Transport

/// Certificates, against `openssl s_server`.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TLSTestServer.isAvailable, "openssl is not installed"))
struct CertificateTests {
  private func get(
    _ certificate: TLSTestServer.Certificate, host: String = "127.0.0.1", trusting: Bool = true, file: String? = nil
  ) throws -> (bytes: [UInt8], error: TransportError?) {
    let folder = try TemporaryFolder()
    try Data(pattern(100_000)).write(to: URL(fileURLWithPath: folder.path("clip")))
    let server = try TLSTestServer(certificate, serving: folder)
    defer { withExtendedLifetime(server) {} }
    var options = Client.options
    options.certificateFile = file ?? (trusting ? server.authority : nil)
    let transport = Transport(options: options)
    let (origin, url) = try Origin.naming("https://\(host):\(server.port)/clip")
    return transport.start(TransportRequest(url, origin: origin, purpose: "clip")).readAll()
  }

  @Test func trustsTheUsersAuthority() throws {
    let (bytes, error) = try get(.valid)
    #expect(error == nil)
    #expect(bytes == pattern(100_000))
  }

  @Test func trustsNobodyElse() throws {
    #expect(try get(.valid, trusting: false).error == .certificate(.untrusted))
    #expect(try get(.selfSigned).error == .certificate(.selfSigned))
  }

  @Test func namesAndDatesMatter() throws {
    #expect(try get(.expired).error == .certificate(.expired))
    #expect(try get(.otherHost).error == .certificate(.wrongHost))
    // The certificate is for the address.
    #expect(try get(.valid, host: "localhost").error == .certificate(.wrongHost))
  }

  @Test func filesWithoutCertificates() throws {
    let path = "/nonexistent/authority.pem"
    #expect(try get(.valid, file: path).error == .certificateFile(path))
  }

  @Test func aHandshakeThatHangs() throws {
    // A server without TLS waits for the end of a request's lines.
    let server = try TestServer()
    var options = Client.options
    options.connectLimit = 0.1
    let transport = Transport(options: options)
    let (origin, url) = try Origin.naming("https://\(server.place)/clip")
    let error = transport.start(TransportRequest(url, origin: origin, purpose: "clip")).readAll().error
    #expect(error == .noAnswer(seconds: 0.1))
  }
}
