import DecodePool
import Glibc

/// An HTTP server that does what a test says, also what servers must not do.
///
/// It listens on an address of this machine and runs each connection on a thread of its own. It ends with its owner.
public final class TestServer: Sendable {
  /// Answers a request. Bytes are sent as they are; a connection that is left open serves the next request.
  public typealias Handler = @Sendable (TestRequest, TestConnection) -> Void

  /// An error in opening a socket.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// The address and port, as URLs have them: `127.0.0.1:40123`.
  public let place: String
  public let port: Int
  private let core: Core

  /// Starts a server.
  ///
  /// - Parameter address: of this machine, IPv4 or IPv6.
  public init(on address: String = "127.0.0.1") throws {
    let (listener, port) = try Self.listen(on: address)
    self.port = port
    place = (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
    let core = Core(listener)
    self.core = core
    try detachThread { core.acceptConnections() }
  }

  deinit { core.stop() }

  /// Sets the answer to requests for a path, without its query; or for a whole URL, if the server is a proxy.
  public func on(_ path: String, _ handler: @escaping Handler) { core.state.withLock { $0.handlers[path] = handler } }

  /// The requests that arrived, oldest first.
  public var requests: [TestRequest] { core.state.withLock { $0.requests } }

  /// The requests for a path.
  public func requests(for path: String) -> [TestRequest] { requests.filter { $0.path == path } }

  /// Waits until the peers of all connections have closed them; returns false if they do not.
  public func allConnectionsEnd() -> Bool { core.state.becomes { $0.connections.isEmpty } }

  /// A URL of this server.
  public func url(_ path: String) -> String { "http://\(place)\(path)" }

  /// Opens a socket that listens on a port of the system's choice.
  static func listen(on address: String, backlog: Int32 = 64) throws -> (listener: Int32, port: Int) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "0", &hints, &list) == 0, let info = list?.pointee else {
      throw Failure(description: "\(address) is no address")
    }
    defer { freeaddrinfo(list) }
    let listener = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard bind(listener, info.ai_addr, info.ai_addrlen) == 0, Glibc.listen(listener, backlog) == 0 else {
      close(listener)
      throw Failure(description: "cannot listen on \(address): \(String(cString: strerror(errno)))")
    }
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutableBytes(of: &name) { bytes in
      if let start = bytes.baseAddress { _ = getsockname(listener, start.assumingMemoryBound(to: sockaddr.self), &length) }
    }
    // The port lies at the same place in both families' addresses.
    let port = withUnsafeBytes(of: name) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) }
    return (listener, port)
  }

  /// The part that the threads share, so that the server itself can go.
  private final class Core: Sendable {
    struct State {
      var handlers: [String: Handler] = [:]
      var requests: [TestRequest] = []
      var connections: [Int: TestConnection] = [:]
      var accepted = 0
      var isStopped = false
    }

    let state = Monitor(State())
    private let listener: Int32

    init(_ listener: Int32) { self.listener = listener }

    func acceptConnections() {
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let connection: TestConnection? = state.withLock { state in
          guard descriptor >= 0, !state.isStopped else { return nil }
          state.accepted += 1
          let connection = TestConnection(descriptor, number: state.accepted)
          state.connections[state.accepted] = connection
          return connection
        }
        guard let connection else {
          if descriptor >= 0 { close(descriptor) }
          break
        }
        do {
          try detachThread { self.serve(connection) }
        } catch {
          finish(connection)
        }
      }
      close(listener)
    }

    private func serve(_ connection: TestConnection) {
      while let request = connection.receiveRequest() {
        let handler = state.withLock { state in
          state.requests.append(request)
          return state.handlers[request.path]
        }
        state.broadcast()
        if let handler {
          handler(request, connection)
        } else {
          connection.respond(404, body: [])
        }
      }
      finish(connection)
    }

    private func finish(_ connection: TestConnection) {
      connection.close()
      state.withLock { $0.connections[connection.number] = nil }
      state.broadcast()
    }

    func stop() {
      let connections = state.withLock { state in
        state.isStopped = true
        return Array(state.connections.values)
      }
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in connections { connection.interrupt() }
    }
  }
}
