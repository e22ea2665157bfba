import DecodePool
import Glibc
import TestSupport
import Testing

@testable import Transport

/// Ordinary transfers.
@Suite(.timeLimit(.minutes(20))) struct TransferTests {
  @Test func getsAFile() throws {
    let client = try Client()
    let file = pattern(300_000)
    client.server.on("/a.mp4") { request, connection in
      connection.respond(
        200, ["ETag: \"1\"", "Accept-Ranges: bytes", "Content-Type: Video/MP4; x=y", "Set-Cookie: a=b"], body: file)
    }
    let outcome = client.get(try client.request("/a.mp4?token=x"))
    #expect(outcome.error == nil)
    #expect(outcome.bytes == file)
    let response = try #require(outcome.response)
    #expect(response.status == 200 && response.start == 0)
    #expect(response.totalSize == 300_000 && response.contentLength == 300_000)
    #expect(response.validator == .entityTag("\"1\"") && response.acceptsRanges)
    #expect(response.contentType == "video/mp4")
    #expect(response.address == NetworkAddress("127.0.0.1") && !response.isProxied)

    // The next request comes over the same connection, without the cookie.
    #expect(client.get(try client.request("/a.mp4")).error == nil)
    let requests = client.server.requests
    #expect(requests.map(\.connection) == [1, 1])
    #expect(requests[0].query == "token=x")
    #expect(requests[0]["User-Agent"] == "quadrille/1.0" && requests[0]["Accept-Encoding"] == "identity")
    #expect(requests[1]["Cookie"] == nil && requests[1]["Authorization"] == nil && requests[1]["Range"] == nil)
  }

  @Test func figuresAndLog() throws {
    let client = try Client()
    client.server.on("/old") { _, connection in connection.respond(302, ["Location: /new?secret=1"], body: Array("moved".utf8)) }
    client.server.on("/new") { _, connection in connection.respond(200, body: pattern(1000)) }
    let transfer = client.transport.start(try client.request("/old"))
    #expect(transfer.readAll().bytes.count == 1000)
    let figures = transfer.statistics
    #expect(figures.requests == 2 && figures.bytes == 1000)
    let first = try #require(figures.firstByteSeconds)
    #expect(first > 0 && first <= figures.seconds)
    #expect(transfer.phase == .ended)
    #expect(transfer.response?.url.path == "/new")

    _ = client.get(try client.request("/none"))
    let log = client.transport.log
    #expect(waits { log.totals.requests == 3 })
    #expect(log.entries.map(\.status) == [302, 200, 404])
    #expect(log.entries.map(\.bytes) == [0, 1000, 0] && log.totals.bytes == 1000)
    #expect(log.entries[1].url == client.server.url("/new?…") && log.entries[1].purpose == "clip")
    #expect(log.entries.map(\.failure) == [nil, nil, .status(404)])
    // Their connection was used again.
    #expect(Set(client.server.requests.map(\.connection)) == [1])
  }

  @Test func getsARange() throws {
    let client = try Client()
    let file = pattern(10_000)
    client.server.on("/a") { request, connection in connection.respond(to: request, file: file, tag: "1") }
    let part = client.get(try client.request("/a", range: ByteRange(first: 100, last: 199)))
    #expect(part.bytes == Array(file[100...199]))
    #expect(part.response?.start == 100 && part.response?.contentLength == 100 && part.response?.totalSize == 10_000)
    #expect(part.response?.acceptsRanges == true)
    let rest = client.get(
      try client.request("/a", range: ByteRange(first: 9000), ifRange: part.response?.validator, expectedSize: 10_000))
    #expect(rest.bytes == Array(file[9000...]))
    #expect(client.server.requests.map { $0["Range"] } == ["bytes=100-199", "bytes=9000-"])
    #expect(client.server.requests.map { $0["If-Range"] } == [nil, "\"1\""])
  }

  @Test func aFileThatChangesIsNeverMixed() throws {
    let client = try Client()
    client.server.on("/a") { request, connection in connection.respond(to: request, file: pattern(10_000), tag: "2") }
    // The server sends the whole new file.
    #expect(client.get(try client.request("/a", range: ByteRange(first: 5), ifRange: .entityTag("\"1\""))).error == .changed)
    // A server that ignores If-Range tells by its tag, and one without tags by the size.
    client.server.on("/b") { request, connection in
      connection.respond(206, ["Content-Range: bytes 5-9/10", "ETag: \"2\""], body: pattern(5))
    }
    #expect(client.get(try client.request("/b", range: ByteRange(first: 5), ifRange: .entityTag("\"1\""))).error == .changed)
    #expect(client.get(try client.request("/b", range: ByteRange(first: 5), expectedSize: 11)).error == .changed)
    #expect(client.get(try client.request("/b", range: ByteRange(first: 5), expectedSize: 10)).bytes == pattern(5))
  }

  @Test func theServerWaitsForTheReader() throws {
    let client = try Client { $0.bufferCapacity = 64 << 10 }
    let file = pattern(2 << 20)
    client.server.on("/a") { _, connection in connection.respond(200, body: file) }
    let woken = Monitor(0)
    let transfer = client.transport.start(try client.request("/a")) {
      woken.withLock { $0 += 1 }
      woken.broadcast()
    }
    #expect(waits { transfer.phase == .full })
    #expect(transfer.statistics.bytes <= 64 << 10)
    #expect(woken.withLock { $0 } >= 2)
    // The limits of time do not concern a reader.
    #expect(transfer.readAll().bytes == file)
    #expect(transfer.statistics.bytes == 2 << 20)
  }

  @Test func readingDoesNotWait() throws {
    let client = try Client()
    let mayAnswer = Monitor(false)
    client.server.on("/a") { _, connection in
      mayAnswer.wait { $0 ? () : nil }
      connection.respond(200, body: pattern(10))
    }
    let news = Monitor(0)
    let transfer = client.transport.start(try client.request("/a")) {
      news.withLock { $0 += 1 }
      news.broadcast()
    }
    var block = [UInt8](repeating: 0, count: 8)
    #expect(block.withUnsafeMutableBytes { transfer.read(into: $0) } == .nothing)
    #expect(transfer.phase == .waiting)
    #expect(try transfer.waitForResponse(until: 0) == nil)
    #expect(block.withUnsafeMutableBytes { transfer.waitAndRead(into: $0) { true } } == .nothing)
    #expect(news.withLock { $0 } == 0)
    mayAnswer.withLock { $0 = true }
    mayAnswer.broadcast()
    // The answer, the bytes and the end.
    #expect(news.becomes { $0 == 3 })
    #expect(block.withUnsafeMutableBytes { transfer.read(into: $0) } == .bytes(8))
    #expect(block.withUnsafeMutableBytes { transfer.read(into: $0) } == .bytes(2))
    #expect(block.withUnsafeMutableBytes { transfer.read(into: $0) } == .end)
  }

  @Test func cancellingEndsEverything() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in
      connection.send("HTTP/1.1 200 OK\n\nabc")
      connection.hang()
    }
    let transfer = client.transport.start(try client.request("/a"))
    _ = try transfer.waitForResponse()
    let waiter = Monitor<TransportError??>(nil)
    try detachThread {
      let error = transfer.readAll().error
      waiter.withLock { $0 = .some(error) }
      waiter.broadcast()
    }
    transfer.cancel()
    #expect(waiter.becomes { $0 == .some(.cancelled) })
    #expect(transfer.phase == .failed(.cancelled))
    #expect(client.server.allConnectionsEnd())
  }

  @Test func aTransferWithoutAnOwnerEnds() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in connection.hang() }
    do {
      let transfer = client.transport.start(try client.request("/a"))
      #expect(waits { client.server.requests.count == 1 })
      _ = consume transfer
    }
    #expect(client.server.allConnectionsEnd())
  }

  @Test func theTransportsEndIsItsTransfers() throws {
    let server = try TestServer()
    server.on("/a") { _, connection in connection.hang() }
    var transport: Transport? = Transport(options: Client.options)
    let (origin, url) = try Origin.naming(server.url("/a"))
    let transfer = try #require(transport?.start(TransportRequest(url, origin: origin, purpose: "clip")))
    #expect(waits { server.requests.count == 1 })
    transport = nil
    #expect(transfer.readAll().error == .cancelled)
    #expect(server.allConnectionsEnd())
  }

  @Test func manyAtOnce() throws {
    let client = try Client { $0.bufferCapacity = 32 << 10 }
    let file = pattern(1 << 20)
    client.server.on("/a") { request, connection in connection.respond(to: request, file: file) }
    let transfers = try (0..<16).map { n in
      client.transport.start(try client.request("/a", range: ByteRange(first: Int64(n) * 1000)))
    }
    for (n, transfer) in transfers.enumerated() { #expect(transfer.readAll().bytes == Array(file[(n * 1000)...])) }
  }

  @Test func shortResourcesAreReadWhole() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in connection.respond(200, body: pattern(5000)) }
    client.server.on("/empty") { _, connection in connection.respond(200, body: []) }
    client.server.on("/chunks") { _, connection in
      connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n")
    }
    #expect(client.get(try client.request("/a"), limit: 5000).bytes == pattern(5000))
    #expect(client.get(try client.request("/a"), limit: 4999).error == .tooLong(4999))
    #expect(client.get(try client.request("/empty")).error == nil)
    #expect(client.get(try client.request("/chunks")).bytes == Array("abcde".utf8))
  }

  @Test func overIPv6() throws {
    // Not every machine has it.
    guard let server = try? TestServer(on: "::1") else { return }
    server.on("/a") { _, connection in connection.respond(200, body: pattern(10)) }
    let transport = Transport(options: Client.options)
    let (origin, url) = try Origin.naming(server.url("/a"))
    let transfer = transport.start(TransportRequest(url, origin: origin, purpose: "clip"))
    #expect(transfer.readAll().bytes == pattern(10))
    #expect(transfer.response?.address == NetworkAddress("::1"))
  }

  @Test func throughAProxy() throws {
    let server = try TestServer()
    server.on("http://public.test/a") { request, connection in connection.respond(200, body: pattern(10)) }
    server.on("http://public.test/in") { _, connection in connection.respond(302, ["Location: http://127.0.0.1:1/"], body: []) }
    var options = Client.options
    options.proxies = ProxySettings(environment: ["http_proxy": "http://user:pw@\(server.place)"])
    let transport = Transport(options: options)
    let (origin, url) = try Origin.naming("http://public.test/a")
    let transfer = transport.start(TransportRequest(url, origin: origin, purpose: "clip"))
    #expect(transfer.readAll().bytes == pattern(10))
    #expect(transfer.response?.isProxied == true)
    #expect(server.requests[0]["Proxy-Authorization"] == "Basic dXNlcjpwdw==")
    // The proxy connects, so the URL's own address is what can be checked.
    let inner = transport.start(TransportRequest(try url.resolving("/in"), origin: origin, purpose: "clip"))
    #expect(inner.readAll().error == .notAllowed(try NetworkURL("http://127.0.0.1:1/").endpoint, .loopback))
  }

  /// Waits until a condition holds that nothing signals.
  private func waits(_ condition: () -> Bool) -> Bool {
    let end = monotonicNanoseconds() + 60_000_000_000
    while !condition() {
      if monotonicNanoseconds() > end { return false }
      sched_yield()
    }
    return true
  }
}
