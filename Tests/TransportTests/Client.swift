import TestSupport

@testable import Transport

/// A server and a transport that talks to it.
struct Client {
  let server: TestServer
  let transport: Transport

  init(_ change: (inout TransportOptions) -> Void = { _ in }) throws {
    server = try TestServer()
    var options = Self.options
    change(&options)
    transport = Transport(options: options)
  }

  /// Options that do not depend on the environment.
  static var options: TransportOptions { TransportOptions(userAgent: "quadrille/1.0", proxies: ProxySettings()) }

  /// A request for a path, made on behalf of the server itself.
  func request(
    _ path: String, range: ByteRange? = nil, ifRange: Validator? = nil, expectedSize: Int64? = nil, user: String? = nil
  ) throws -> TransportRequest {
    let (origin, url) = try Origin.naming("http://\(user.map { $0 + "@" } ?? "")\(server.place)\(path)")
    return TransportRequest(url, origin: origin, range: range, ifRange: ifRange, expectedSize: expectedSize, purpose: "clip")
  }

  /// The bytes of a path, or the error.
  func get(_ request: TransportRequest, limit: Int = 8 << 20) -> Outcome {
    let transfer = transport.start(request)
    do throws(TransportError) {
      let bytes = try transfer.waitForAll(limit: limit) ?? []
      return Outcome(response: transfer.response, bytes: bytes, error: nil)
    } catch {
      return Outcome(response: transfer.response, bytes: [], error: error)
    }
  }

  struct Outcome {
    let response: TransportResponse?
    let bytes: [UInt8]
    let error: TransportError?
  }
}

extension Transfer {
  /// Reads until the end or an error.
  func readAll() -> (bytes: [UInt8], error: TransportError?) {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 10_000)
    while true {
      switch block.withUnsafeMutableBytes({ waitAndRead(into: $0) }) {
      case .bytes(let count): all += block[..<count]
      case .nothing: return (all, nil)
      case .end: return (all, nil)
      case .failed(let error): return (all, error)
      }
    }
  }
}

/// Bytes of which any part tells where it comes from.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 &* 31 ^ $0 >> 16) } }
