import DecodePool
import Glibc
import TestSupport
import Testing

@testable import Transport

/// What servers must not do.
@Suite(.timeLimit(.minutes(20))) struct HostileServerTests {
  @Test(arguments: [
    "bytes 99-199/1000", "bytes 0-99/1000", "bytes 100-200/1000", "bytes 100-99/1000", "bytes 100-199/150", "bytes 100-199",
    "bytes x-199/1000", "items 100-199/1000", "bytes 100-199/99999999999999999999", "bytes */1000", "bytes -100-199/1000",
  ])
  func wrongRanges(range: String) throws {
    let client = try Client()
    client.server.on("/a") { _, connection in
      connection.send("HTTP/1.1 206 Partial Content\nContent-Range: \(range)\nConnection: close\n\n")
      connection.send(pattern(100))
      connection.close()
    }
    let outcome = client.get(try client.request("/a", range: ByteRange(first: 100, last: 199)))
    #expect(outcome.error == .wrongRange)
  }

  @Test func partsThatContradictThemselves() throws {
    let client = try Client()
    client.server.on("/length") { _, connection in
      connection.respond(206, ["Content-Range: bytes 0-98/1000"], body: pattern(100))
    }
    client.server.on("/twice") { _, connection in
      connection.respond(206, ["Content-Range: bytes 0-99/1000", "Content-Range: bytes 5-99/1000"], body: pattern(100))
    }
    client.server.on("/none") { _, connection in connection.respond(206, body: pattern(100)) }
    for path in ["/length", "/twice", "/none"] {
      #expect(client.get(try client.request(path, range: ByteRange(first: 0))).error == .wrongRange, "\(path)")
    }
    // A part that nobody asked for.
    #expect(client.get(try client.request("/length")).error == .wrongRange)
  }

  @Test func moreThanPromised() throws {
    let client = try Client()
    client.server.on("/chunks") { _, connection in
      connection.send("HTTP/1.1 206 OK\nContent-Range: bytes 0-9/10\nTransfer-Encoding: chunked\n\n14\n01234567890123456789\n")
      connection.hang()
    }
    client.server.on("/length") { _, connection in
      connection.send("HTTP/1.1 200 OK\nContent-Length: 10\n\n01234567890123456789")
      connection.hang()
    }
    client.server.on("/open") { _, connection in
      connection.send("HTTP/1.1 206 OK\nContent-Range: bytes 0-9/10\n\n01234567890123456789")
      connection.hang()
    }
    for path in ["/chunks", "/length", "/open"] {
      let outcome = client.get(try client.request(path, range: ByteRange(first: 0)))
      #expect(outcome.error == nil && outcome.bytes == Array("0123456789".utf8), "\(path)")
    }
    #expect(client.server.allConnectionsEnd())
  }

  @Test func fewerThanPromised() throws {
    let client = try Client()
    let file = pattern(1000)
    client.server.on("/cut") { request, connection in
      let start = request.range(in: 1000)?.lowerBound ?? 0
      connection.send("HTTP/1.1 206 OK\nContent-Range: bytes \(start)-999/1000\nContent-Length: \(1000 - start)\n\n")
      connection.send(file[start..<min(1000, start + 300)])
      connection.close()
    }
    client.server.on("/chunks") { _, connection in
      connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nabcde\n")
      connection.close()
    }
    // Resumed at the exact byte, nothing is lost or repeated.
    var bytes: [UInt8] = []
    var errors: [TransportError?] = []
    while bytes.count < 1000, errors.count < 10 {
      let transfer = client.transport.start(try client.request("/cut", range: ByteRange(first: Int64(bytes.count))))
      let (part, error) = transfer.readAll()
      bytes += part
      errors.append(error)
    }
    #expect(bytes == file)
    #expect(errors == [.cut(received: 300), .cut(received: 300), .cut(received: 300), nil])
    let (part, error) = client.transport.start(try client.request("/chunks")).readAll()
    #expect(part == Array("abcde".utf8) && error == .cut(received: 5))
  }

  @Test func connectionsThatBreak() throws {
    let client = try Client()
    client.server.on("/reset") { _, connection in
      connection.send("HTTP/1.1 200 OK\nContent-Length: 100\n\nabc")
      connection.reset()
    }
    client.server.on("/silent") { _, connection in connection.close() }
    client.server.on("/gone") { _, connection in connection.reset() }
    let (bytes, error) = client.transport.start(try client.request("/reset")).readAll()
    #expect(error == .cut(received: Int64(bytes.count)))
    #expect(client.get(try client.request("/silent")).error == .noResponse)
    #expect(client.get(try client.request("/gone")).error == .noResponse)
  }

  @Test func serversWithoutRanges() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in connection.respond(200, ["Accept-Ranges: bytes"], body: pattern(1000)) }
    #expect(client.get(try client.request("/a", range: ByteRange(first: 10))).error == .noRanges)
    let whole = client.get(try client.request("/a", range: ByteRange(first: 0)))
    #expect(whole.bytes == pattern(1000) && whole.response?.acceptsRanges == false)
    // No more than was asked for.
    #expect(client.get(try client.request("/a", range: ByteRange(first: 0, last: 9))).bytes == pattern(10))
    client.server.on("/b") { _, connection in connection.respond(416, ["Content-Range: bytes */1000"], body: []) }
    #expect(client.get(try client.request("/b", range: ByteRange(first: 1000))).error == .noSuchRange(total: 1000))
  }

  @Test func compressionThatNobodyAskedFor() throws {
    let client = try Client()
    client.server.on("/content") { _, connection in
      connection.respond(200, ["Content-Encoding: GZIP"], body: pattern(1000))
    }
    client.server.on("/transfer") { _, connection in
      connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n")
      connection.hang()
    }
    client.server.on("/identity") { _, connection in connection.respond(200, ["Content-Encoding: identity"], body: pattern(9)) }
    #expect(client.get(try client.request("/content")).error == .compressed("gzip"))
    // Later versions of libcurl refuse it themselves.
    let error = client.get(try client.request("/transfer")).error
    #expect(error == .compressed("gzip") || error?.isTransient() == false, "\(String(describing: error))")
    #expect(client.get(try client.request("/identity")).bytes == pattern(9))
  }

  @Test func headersWithoutEnd() throws {
    let client = try Client()
    client.server.on("/lines") { _, connection in
      connection.send("HTTP/1.1 200 OK\n")
      while connection.send("X-Filler: \(String(repeating: "x", count: 1000))\n") {}
    }
    client.server.on("/line") { _, connection in
      connection.send("HTTP/1.1 200 OK\nX-Filler: ")
      while connection.send([UInt8](repeating: 0x78, count: 1000)) {}
    }
    client.server.on("/interim") { _, connection in while connection.send("HTTP/1.1 103 Early Hints\nLink: x\n\n") {} }
    #expect(client.get(try client.request("/lines")).error == .headersTooLong)
    #expect(client.get(try client.request("/interim")).error == .headersTooLong)
    #expect(client.get(try client.request("/line")).error != nil)
    #expect(client.server.allConnectionsEnd())
  }

  @Test func serversThatAreBusy() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in connection.respond(503, ["Retry-After: 2"], body: Array("busy".utf8)) }
    client.server.on("/b") { _, connection in connection.respond(429, body: []) }
    client.server.on("/c") { _, connection in
      connection.send("HTTP/1.1 404 Not Found\nContent-Length: 1000\n\n")
      connection.hang()
    }
    #expect(client.get(try client.request("/a")).error == .status(503, retryAfter: 2))
    #expect(client.get(try client.request("/b")).error == .status(429))
    #expect(client.get(try client.request("/c")).error == .status(404))
    #expect(client.server.allConnectionsEnd())
  }

  @Test func notHTTP() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in
      connection.send("220 mail.example.org ESMTP\n")
      connection.hang()
    }
    #expect(client.get(try client.request("/a")).error == .notHTTP)
  }

  // MARK: Redirects

  @Test func redirectsAreFollowedFiveTimes() throws {
    let client = try Client()
    for n in 0..<7 {
      let code = [301, 302, 303, 307, 308][n % 5]
      client.server.on("/\(n)") { _, connection in connection.respond(code, ["Location: \(n + 1)?a=\(n)"], body: pattern(100)) }
    }
    client.server.on("/7") { request, connection in connection.respond(to: request, file: pattern(100)) }
    let outcome = client.get(try client.request("/2", range: ByteRange(first: 50)))
    #expect(outcome.bytes == Array(pattern(100)[50...]))
    #expect(outcome.response?.url.text == client.server.url("/7?a=6"))
    #expect(client.server.requests.allSatisfy { $0["Range"] == "bytes=50-" })
    #expect(client.get(try client.request("/1")).error == .tooManyRedirects)
  }

  @Test func redirectsThatLeadNowhere() throws {
    let client = try Client()
    for (path, location) in [
      ("/loop", "/loop"), ("/file", "file:///etc/passwd"), ("/ftp", "ftp://127.0.0.1/x"), ("/bad", "http://a b/"),
      ("/control", "/a\u{1B}[2J"),
    ] {
      client.server.on(path) { _, connection in connection.respond(302, ["Location: \(location)"], body: []) }
    }
    client.server.on("/without") { _, connection in connection.respond(302, body: []) }
    #expect(client.get(try client.request("/loop")).error == .tooManyRedirects)
    #expect(client.get(try client.request("/file")).error == .redirectedToScheme("file"))
    #expect(client.get(try client.request("/ftp")).error == .redirectedToScheme("ftp"))
    #expect(client.get(try client.request("/bad")).error == .redirectedNowhere(.badHost))
    #expect(client.get(try client.request("/control")).error == .redirectedNowhere(.controlCharacter))
    #expect(client.get(try client.request("/without")).error == .status(302))
  }

  @Test func aRedirectsBodyIsNotWaitedFor() throws {
    let client = try Client()
    client.server.on("/a") { _, connection in
      connection.send("HTTP/1.1 302 Found\nLocation: /b\nContent-Length: 1000\n\n")
      connection.hang()
    }
    client.server.on("/b") { _, connection in connection.respond(200, body: pattern(10)) }
    #expect(client.get(try client.request("/a")).bytes == pattern(10))
  }

  @Test func credentialsStayAtHome() throws {
    let client = try Client()
    let neighbour = try TestServer(on: "127.0.0.2")
    client.server.on("/out") { _, connection in
      connection.respond(302, ["Location: \(neighbour.url("/back"))", "Set-Cookie: a=b; Path=/"], body: [])
    }
    neighbour.on("/back") { [url = client.server.url("/home")] _, connection in
      connection.respond(302, ["Location: \(url)"], body: [])
    }
    client.server.on("/home") { _, connection in connection.respond(200, body: pattern(10)) }
    #expect(client.get(try client.request("/out", user: "me:pw")).bytes == pattern(10))
    #expect(client.server.requests.map { $0["Authorization"] } == ["Basic bWU6cHc=", "Basic bWU6cHc="])
    #expect(neighbour.requests.map { $0["Authorization"] } == [nil])
    #expect((client.server.requests + neighbour.requests).allSatisfy { $0["Cookie"] == nil && $0["Referer"] == nil })
    #expect(!"\(client.transport.log.entries)".contains("pw"))
  }

  // MARK: Addresses

  @Test func noServerLeadsIntoANarrowerNetwork() throws {
    let address = try #require(NetworkInterfaces.addresses.first { NetworkAddress($0)?.scope == .private }, "only a loopback")
    let outer = try TestServer(on: address)
    let inner = try TestServer()
    outer.on("/a") { _, connection in connection.respond(302, ["Location: \(inner.url("/secret"))"], body: []) }
    outer.on("/name") { [port = inner.port] _, connection in
      connection.respond(302, ["Location: http://localhost:\(port)/secret"], body: [])
    }
    let transport = Transport(options: Client.options)
    for (path, host) in [("/a", "127.0.0.1"), ("/name", "localhost")] {
      let (origin, url) = try Origin.naming(outer.url(path))
      let error = transport.start(TransportRequest(url, origin: origin, purpose: "clip")).readAll().error
      #expect(error == .notAllowed(NetworkEndpoint(host: host, port: inner.port), .loopback))
    }
    #expect(inner.requests.isEmpty)
    // The other way round is allowed.
    inner.on("/out") { _, connection in connection.respond(302, ["Location: \(outer.url("/b"))"], body: []) }
    outer.on("/b") { _, connection in connection.respond(200, body: pattern(10)) }
    let (origin, url) = try Origin.naming(inner.url("/out"))
    #expect(transport.start(TransportRequest(url, origin: origin, purpose: "clip")).readAll().bytes == pattern(10))
  }

  @Test func aConnectionMadeForOneOriginDoesNotServeAnother() throws {
    let client = try Client()
    let inner = try TestServer()
    inner.on("/a") { _, connection in connection.respond(200, body: pattern(10)) }
    client.server.on("/a") { _, connection in connection.respond(302, ["Location: \(inner.url("/a"))"], body: []) }
    #expect(client.get(try client.request("/a")).bytes == pattern(10))
    // The connection to the inner server is idle now.
    let stranger = try Origin.naming("http://stranger.invalid/list.m3u8").origin
    let request = TransportRequest(try NetworkURL(inner.url("/a")), origin: stranger, purpose: "segment")
    #expect(client.get(request).error == .notAllowed(request.url.endpoint, .loopback))
    #expect(inner.requests.count == 1)
  }

  // MARK: Time

  @Test func aServerThatHangs() throws {
    let client = try Client {
      $0.stallReport = 0.02
      $0.stallLimit = 0.1
    }
    client.server.on("/hang") { _, connection in connection.hang() }
    client.server.on("/headers") { _, connection in
      connection.send("HTTP/1.1 200 OK\n")
      connection.drip(everyMilliseconds: 5)
    }
    client.server.on("/chunk") { _, connection in
      connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1;")
      connection.drip(everyMilliseconds: 5)
    }
    client.server.on("/redirects") { request, connection in
      connection.pause(milliseconds: 60)
      connection.respond(302, ["Location: /redirects"], body: [])
    }
    for path in ["/hang", "/headers", "/redirects"] {
      #expect(client.get(try client.request(path)).error == .noAnswer(seconds: 0.1), "\(path)")
    }
    // The answer came, and then no byte of the file.
    #expect(client.get(try client.request("/chunk")).error == .noAnswer(seconds: 0.1))
    #expect(client.server.allConnectionsEnd())
  }

  @Test func aStallIsSaidBeforeItIsAnError() throws {
    let client = try Client { $0.stallReport = 0.02 }
    let goOn = Monitor(false)
    client.server.on("/a") { _, connection in
      connection.send("HTTP/1.1 200 OK\nContent-Length: 6\n\nabc")
      goOn.wait { $0 ? () : nil }
      connection.send("def")
    }
    let transfer = client.transport.start(try client.request("/a"))
    var block = [UInt8](repeating: 0, count: 3)
    #expect(block.withUnsafeMutableBytes { transfer.waitAndRead(into: $0) } == .bytes(3))
    var seconds = 0.0
    while seconds == 0 {
      if case .stalled(let value) = transfer.phase { seconds = value }
      sched_yield()
    }
    #expect(seconds >= 0.02)
    goOn.withLock { $0 = true }
    goOn.broadcast()
    #expect(transfer.readAll().bytes == Array("def".utf8))
  }

  @Test func slowIsNotStalled() throws {
    let client = try Client {
      $0.stallReport = 1
      $0.stallLimit = 2
    }
    client.server.on("/drip") { _, connection in
      connection.send("HTTP/1.1 200 OK\n\n")
      connection.drip(everyMilliseconds: 10)
    }
    let transfer = client.transport.start(try client.request("/drip"))
    var block = [UInt8](repeating: 0, count: 100)
    var count = 0
    while count < 30, case .bytes(let more) = block.withUnsafeMutableBytes({ transfer.waitAndRead(into: $0) }) { count += more }
    #expect(count >= 30)
    #expect(transfer.phase == .receiving)
    let rate = try #require(transfer.statistics.bytesPerSecond)
    #expect(rate > 0 && rate < 200)
  }

  @Test func hostsThatCannotBeReached() throws {
    let client = try Client { $0.connectLimit = 0.05 }
    func error(_ place: String) throws -> TransportError? {
      let (origin, url) = try Origin.naming("http://\(place)/")
      return client.transport.start(TransportRequest(url, origin: origin, purpose: "clip")).readAll().error
    }
    let port = try UnusedPort()
    #expect(try error("127.0.0.1:\(port.number)") == .refused)
    let deaf = try DeafPort()
    #expect(try error("127.0.0.1:\(deaf.number)") == .noAnswer(seconds: 0.05))
  }
}
