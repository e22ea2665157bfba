import DecodePool
import Glibc

/// One connection of a `TestServer`.
public final class TestConnection: Sendable {
  private enum Socket {
    case open(Int32)
    case closed
  }

  public let number: Int
  private let socket: Monitor<Socket>
  /// Bytes that came after a request's end belong to the next one.
  private let pending = Monitor([UInt8]())

  init(_ descriptor: Int32, number: Int) {
    self.number = number
    socket = Monitor(.open(descriptor))
  }

  private var descriptor: Int32? { socket.withLock { if case .open(let descriptor) = $0 { descriptor } else { nil } } }

  /// Receives a request's lines; nil at the connection's end.
  func receiveRequest() -> TestRequest? {
    var bytes = pending.withLock { $0 }
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = bytes.firstRange(of: end) {
        pending.withLock { $0 = Array(bytes[range.upperBound...]) }
        return TestRequest(String(decoding: bytes[..<range.lowerBound], as: UTF8.self), connection: number)
      }
      guard let block = receive(), bytes.count < 1 << 20 else { return nil }
      bytes += block
    }
  }

  private func receive() -> [UInt8]? {
    guard let descriptor else { return nil }
    var block = [UInt8](repeating: 0, count: 4096)
    var count = recv(descriptor, &block, block.count, 0)
    while count < 0, errno == EINTR { count = recv(descriptor, &block, block.count, 0) }
    return count > 0 ? Array(block[..<count]) : nil
  }

  /// Sends bytes; returns false if the peer has gone.
  @discardableResult
  public func send(_ bytes: some Sequence<UInt8>) -> Bool {
    guard let descriptor else { return false }
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends text with `\n` as `\r\n`.
  @discardableResult
  public func send(_ text: String) -> Bool { send(text.replacing("\n", with: "\r\n").utf8) }

  /// Sends one byte again and again, with a pause, until the peer goes.
  public func drip(_ byte: UInt8 = 0x78, everyMilliseconds pause: Int32) {
    while send([byte]), !isClosedByPeer(within: pause) {}
  }

  /// Waits until the peer goes or the server ends.
  public func hang() { while !isClosedByPeer(within: -1) {} }

  /// Waits for a time, or until the peer goes or the server ends.
  public func pause(milliseconds: Int32) { _ = isClosedByPeer(within: milliseconds) }

  /// A peer that waits for an answer sends nothing, so that a socket with something to read is at its end.
  private func isClosedByPeer(within milliseconds: Int32) -> Bool {
    guard let descriptor else { return true }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) != 0
  }

  /// Sends a response with a body and its length.
  public func respond(_ status: Int, _ headers: [String] = [], body: some Collection<UInt8>) {
    let lines = ["HTTP/1.1 \(status) Anything", "Content-Length: \(body.count)"] + headers
    send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  /// Answers as servers of files do: the whole, or the range that is asked for.
  ///
  /// - Parameter tag: the entity tag of the file's version, without quotes.
  public func respond(to request: TestRequest, file: [UInt8], tag: String? = nil) {
    let quoted = tag.map { "\"\($0)\"" }
    let headers = quoted.map { ["ETag: \($0)"] } ?? []
    let isSame = request["If-Range"] == nil || request["If-Range"] == quoted
    guard let range = request.range(in: file.count), isSame else {
      return respond(200, headers + ["Accept-Ranges: bytes"], body: file)
    }
    guard !range.isEmpty else { return respond(416, ["Content-Range: bytes */\(file.count)"], body: []) }
    let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)"
    respond(206, headers + [place], body: file[range])
  }

  /// Closes the connection in order.
  public func close() { close(resetting: false) }

  /// Breaks the connection: the peer sees a reset.
  public func reset() { close(resetting: true) }

  private func close(resetting: Bool) {
    let descriptor: Int32? = socket.withLock { socket in
      guard case .open(let descriptor) = socket else { return nil }
      socket = .closed
      return descriptor
    }
    guard let descriptor else { return }
    if resetting {
      var setting = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
    }
    Glibc.close(descriptor)
  }

  /// Ends what its thread waits for; the thread closes.
  func interrupt() {
    socket.withLock { socket in
      if case .open(let descriptor) = socket { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}
