import TestSupport
import Testing

@testable import Transport

/// The values of which transfers consist, without a network.
@Suite(.timeLimit(.minutes(20))) struct ValueTests {
  @Test func ringsKeepTheirOrder() {
    var generator = SeededGenerator(seed: 7)
    for capacity in [1, 7, 64] {
      var ring = ByteRing(capacity: capacity)
      var model: [UInt8] = []
      var next: UInt8 = 0
      for _ in 0..<2000 {
        if Bool.random(using: &generator) {
          let bytes = (0..<Int.random(in: 0...ring.free, using: &generator)).map { _ in
            next &+= 1
            return next
          }
          bytes.withUnsafeBytes { ring.append($0) }
          model += bytes
        } else {
          var target = [UInt8](repeating: 0, count: Int.random(in: 1...capacity, using: &generator))
          let count = target.withUnsafeMutableBytes { ring.take(into: $0) }
          #expect(count == min(target.count, model.count))
          #expect(Array(target[..<count]) == Array(model[..<count]))
          model.removeFirst(count)
        }
        #expect(ring.count == model.count && ring.free == capacity - model.count)
      }
    }
  }

  @Test func ratesAreOfTheLastSeconds() throws {
    var meter = RateMeter(start: 0)
    #expect(meter.rate(at: 50_000_000) == nil)
    // 1000 bytes each tenth of a second for three seconds.
    for n in 1...30 { meter.didReceive(1000, at: UInt64(n) * 100_000_000 - 1) }
    #expect(abs(try #require(meter.rate(at: 3_000_000_000)) - 10_000) < 1000)
    // A pause of the reader's does not count.
    meter.pause(at: 3_000_000_000)
    #expect(abs(try #require(meter.rate(at: 60_000_000_000)) - 10_000) < 1000)
    meter.resume(at: 60_000_000_000)
    #expect(abs(try #require(meter.rate(at: 60_000_000_000)) - 10_000) < 1000)
    // Silence of the server's does.
    #expect(try #require(meter.rate(at: 61_000_000_000)) < 6000)
    #expect(try #require(meter.rate(at: 90_000_000_000)) == 0)
  }

  @Test func readersAreToldOnceThereIsRoom() {
    var state = TransferState(capacity: 32 << 10, at: 0)
    let block = [UInt8](repeating: 1, count: 16 << 10)
    func receive() -> Bool { block.withUnsafeBytes { state.didReceive($0, at: 1) } }
    #expect(receive() && receive() && !receive())
    #expect(state.phase(at: 1) == .full && !state.takeResume(at: 1))
    var target = [UInt8](repeating: 0, count: 10_000)
    func read() -> (result: TransferRead, tell: Bool) { target.withUnsafeMutableBytes { state.read(into: $0) } }
    #expect(read() == (.bytes(10_000), false))
    #expect(read() == (.bytes(10_000), true))
    #expect(read() == (.bytes(10_000), false))
    #expect(state.takeResume(at: 2) && !state.takeResume(at: 2))
    // What arrived before an error is read before it.
    state.finish(.cut(received: 3), at: 3)
    #expect(state.isReadable && read().result == .bytes(2768))
    #expect(read().result == .failed(.cut(received: 3)))
    state.finish(nil, at: 4)
    #expect(state.phase(at: 5) == .failed(.cut(received: 3)))
  }

  @Test func cancellingDropsWhatArrived() {
    var state = TransferState(capacity: 32 << 10, at: 0)
    _ = [1, 2, 3].withUnsafeBytes { state.didReceive($0, at: 1) }
    state.cancel(at: 2)
    var target = [UInt8](repeating: 0, count: 10)
    #expect(target.withUnsafeMutableBytes { state.read(into: $0) } == (.failed(.cancelled), false))
    // What still comes is taken, so that nothing waits.
    #expect([4].withUnsafeBytes { state.didReceive($0, at: 3) })
    #expect(state.statistics(at: 10).seconds == 2e-9)
  }

  @Test func httpsIsNotLeft() throws {
    let (origin, url) = try Origin.naming("https://a.example/x")
    let request = TransportRequest(url, origin: origin, purpose: "clip")
    var headers = ResponseHeaders()
    for line in ["HTTP/2 302 \r\n", "location: http://a.example/y\r\n", "\r\n"] { try headers.append(Array(line.utf8)) }
    let connection = ResponseVerdict.Connection()
    #expect(
      ResponseVerdict(headers, to: request, at: url, redirects: 0, connection: connection) == .failure(.redirectedFromHTTPS))
    var secure = ResponseHeaders()
    for line in ["HTTP/2 302 \r\n", "location: https://b.example/y\r\n", "\r\n"] { try secure.append(Array(line.utf8)) }
    #expect(
      ResponseVerdict(secure, to: request, at: try NetworkURL("http://a.example/x"), redirects: 4, connection: connection)
        == .redirect(try NetworkURL("https://b.example/y")))
  }

  @Test func weakTagsAreNoValidators() throws {
    func validator(_ lines: String...) throws -> Validator? {
      var headers = ResponseHeaders()
      for line in ["HTTP/1.1 200 OK"] + lines + [""] { try headers.append(Array((line + "\r\n").utf8)) }
      return Validator(headers: headers)
    }
    #expect(try validator("ETag: W/\"1\"") == nil)
    #expect(try validator("ETag: W/\"1\"", "Last-Modified: now") == .lastModified("now"))
    #expect(try validator("ETag: \"1\"", "Last-Modified: now") == .entityTag("\"1\""))
    #expect(try validator("ETag: \"\u{1B}\"") == nil)
    #expect(try validator("ETag: \"" + String(repeating: "x", count: 2000) + "\"") == nil)
  }

  @Test func statusLinesStartAnew() throws {
    var headers = ResponseHeaders()
    for line in ["HTTP/1.1 100 Continue", "A: 1", "", "HTTP/1.1 200 OK", "B: 2 ", "b: 3", ""] {
      #expect(!headers.isComplete)
      try headers.append(Array((line + "\r\n").utf8))
    }
    #expect(headers.isComplete && headers.status == 200)
    #expect(headers["a"] == nil && headers["b"] == "2, 3")
    try headers.append(Array("B: trailer\r\n".utf8))
    #expect(headers["b"] == "2, 3")
  }

  // MARK: Errors

  @Test func errorsAreSentences() throws {
    let endpoint = try NetworkURL("http://192.168.1.1/").endpoint
    for (error, text) in [
      (TransportError.status(404), "404 Not Found"), (.status(599), "599 unknown answer"),
      (.status(503, retryAfter: 2), "503 Service Unavailable"),
      (.certificate(.expired), "certificate expired"), (.certificate(.wrongHost), "certificate is not for this host"),
      (.certificate(.untrusted), "certificate is not trusted"), (.noAnswer(seconds: 8), "no answer for 8 s"),
      (.noAnswer(seconds: 0.05), "no answer for 0.05 s"), (.refused, "connection refused"),
      (.hostNotFound("a.example"), "host not found: a.example"), (.tooManyRedirects, "too many redirects"),
      (.redirectedFromHTTPS, "redirected from https to http"),
      (.notAllowed(endpoint, .private), "the server is not allowed to lead to a private address (192.168.1.1)"),
      (.compressed("gzip\u{1B}[2J"), "the server compressed the file (gzip[2J), although it was not asked to"),
    ] {
      #expect("\(error)" == text)
    }
  }

  @Test func retriesComeLaterAndLater() {
    var schedule = RetrySchedule(limit: 6)
    var now: UInt64 = 1_000_000_000
    schedule.didReceive()
    for pause in [0.25, 0.5, 1, 2, 4, 8] {
      #expect(schedule.didFail(.status(503), at: now) == .retry(at: now + UInt64(pause * 1e9)))
      now += 10_000_000_000
    }
    // A link that breaks says nothing about the server.
    #expect(schedule.didFail(.cut(received: 1), at: now) == .retry(at: now + 8_000_000_000))
    #expect(schedule.didFail(.status(503), at: now) == .giveUp)
    schedule.didReceive()
    #expect(schedule.didFail(.refused, at: now) == .retry(at: now + 250_000_000))
    var endless = RetrySchedule()
    endless.didReceive()
    for _ in 0..<100 { _ = endless.didFail(.refused, at: now) }
    #expect(endless.didFail(.noAnswer(seconds: 10), at: now) == .retry(at: now + 8_000_000_000))
  }

  /// People wait in front of the screen.
  @Test func aServerThatHasNeverAnsweredIsGivenUpSoon() {
    var schedule = RetrySchedule()
    for pause in [0.25, 0.5, 1, 2, 4] { #expect(schedule.didFail(.refused, at: 0) == .retry(at: UInt64(pause * 1e9))) }
    #expect(schedule.didFail(.refused, at: 0) == .giveUp)
    var silent = RetrySchedule()
    #expect(silent.didFail(.noAnswer(seconds: 10), at: 0) == .giveUp)
    var limited = RetrySchedule(limit: 1)
    #expect(limited.didFail(.refused, at: 0) != .giveUp)
    #expect(limited.didFail(.refused, at: 0) == .giveUp)
    var known = RetrySchedule(limit: 1, reachedBefore: true)
    for _ in 0..<100 { #expect(known.didFail(.refused, at: 0) != .giveUp) }
  }

  @Test func retriesComeWhenTheServerWants() {
    var schedule = RetrySchedule()
    #expect(schedule.didFail(.status(503, retryAfter: 5), at: 0) == .retry(at: 5_000_000_000))
    #expect(schedule.didFail(.status(429, retryAfter: 30), at: 0) == .retry(at: 30_000_000_000))
    #expect(schedule.didFail(.status(503, retryAfter: 31), at: 0) == .giveUp)
  }

  @Test func someErrorsAreForGood() {
    var schedule = RetrySchedule()
    let errors: [TransportError] = [
      .status(404), .status(403), .certificate(.expired), .changed, .wrongRange, .tooManyRedirects, .hostNotFound("a"),
      .cancelled, .encryption,
    ]
    for error in errors { #expect(schedule.didFail(error, at: 0) == .giveUp, "\(error)") }
    // A name that was found before is missed by a link that is down.
    schedule.didReceive()
    #expect(schedule.didFail(.hostNotFound("a"), at: 0) != .giveUp)
    #expect(schedule.didFail(.status(404), at: 0) == .giveUp)
  }
}
