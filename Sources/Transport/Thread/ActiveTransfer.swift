import CCurl
import DecodePool

/// One transfer on the transport's thread: its requests one after another, as redirects demand.
final class ActiveTransfer {
  /// The part of a request that is under way.
  enum Stage {
    case awaitingHeaders
    /// Bytes of the resource are coming: so many more, if the server says.
    case body(remaining: Int64?)
    /// The transfer's part is done, or goes on elsewhere. The rest of a short answer is read, so that the connection can be used
    /// again.
    case draining(bytes: Int, until: UInt64, next: NetworkURL?)
  }

  /// The consequence of a request's end.
  enum Conclusion {
    case done
    case redirect(NetworkURL)
  }

  /// The limits of an answer's rest that is still read.
  private static let drainedBytes = 64 << 10
  private static let drainingTime: UInt64 = 500_000_000

  let channel: TransferChannel
  let url: NetworkURL
  let easy: CurlEasy
  private let options: TransportOptions
  private let gate: AddressGate
  private let isProxied: Bool
  private let redirects: Int
  private let start: UInt64

  private(set) var stage = Stage.awaitingHeaders
  private var headers = ResponseHeaders()
  private var address: NetworkAddress?
  /// The error to report instead of libcurl's, which only knows that a callback refused.
  private var refusal: TransportError?
  /// The time of the last byte of the resource, or of the transfer's start.
  private var lastProgress: UInt64
  private var firstByte: UInt64?
  private var received: Int64 = 0
  private var isPaused = false

  /// Prepares a request.
  ///
  /// - Parameter redirects: the number of those that led here.
  /// - Parameter waitingSince: the time of the transfer's start, from which an answer is waited for.
  init(
    _ channel: TransferChannel, at url: NetworkURL, redirects: Int, waitingSince: UInt64, options: TransportOptions,
    gate: AddressGate
  ) throws(TransportError) {
    guard let easy = CurlEasy() else { throw .outOfResources("out of memory") }
    let request = channel.request
    let proxy = gate.proxy(for: url)
    if proxy != nil, let scope = gate.refusalBehindProxy(at: url.endpoint, for: request.origin) {
      throw .notAllowed(url.endpoint, scope)
    }
    self.channel = channel
    self.url = url
    self.easy = easy
    self.options = options
    self.gate = gate
    self.redirects = redirects
    isProxied = proxy != nil
    start = monotonicNanoseconds()
    lastProgress = waitingSince
    do throws(CurlEasy.Refusal) {
      // Not retained: the owner removes the handle from libcurl before it lets this object go.
      try easy.prepare(
        url, for: request, proxy: proxy, options: options, context: Unmanaged.passUnretained(self).toOpaque())
    } catch {
      throw .other(String(cString: curl_easy_strerror(error.code)))
    }
  }

  /// The request that follows a redirect.
  func following(to url: NetworkURL) throws(TransportError) -> ActiveTransfer {
    try ActiveTransfer(
      channel, at: url, redirects: redirects + 1, waitingSince: lastProgress, options: options, gate: gate)
  }

  /// Lets bytes come again if the reader has made room.
  func resumeIfAsked() {
    let now = monotonicNanoseconds()
    guard isPaused, channel.withState({ $0.takeResume(at: now) }) else { return }
    isPaused = false
    lastProgress = now
    easy.resume()
  }

  // MARK: What arrives

  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    let now = monotonicNanoseconds()
    if firstByte == nil { firstByte = now }
    let wasComplete = headers.isComplete
    do throws(ResponseHeaders.Fault) {
      try headers.append(line)
    } catch {
      return refuse(.headersTooLong)
    }
    if headers.isComplete, !wasComplete { judgeHeaders(at: now) }
    return true
  }

  private func judgeHeaders(at now: UInt64) {
    let connection = ResponseVerdict.Connection(address: address, isProxied: isProxied, retryAfter: easy.retryAfter)
    switch ResponseVerdict(headers, to: channel.request, at: url, redirects: redirects, connection: connection) {
    case .body(let response):
      lastProgress = now
      channel.change {
        $0.didAnswer(response, at: now)
        return true
      }
      stage = .body(remaining: response.contentLength)
      endIfComplete(at: now)
    case .redirect(let target): drain(next: target, at: now)
    case .failure(let error):
      refusal = error
      channel.finish(error)
      drain(next: nil, at: now)
    }
  }

  private func drain(next: NetworkURL?, at now: UInt64) {
    stage = .draining(bytes: Self.drainedBytes, until: now + Self.drainingTime, next: next)
  }

  /// The number of bytes that are taken, or libcurl's mark for having them again later.
  func receive(bytes: UnsafeRawBufferPointer) -> Int {
    let now = monotonicNanoseconds()
    switch stage {
    case .awaitingHeaders: return 0
    case .draining(let rest, let until, let next):
      guard bytes.count <= rest else { return 0 }
      stage = .draining(bytes: rest - bytes.count, until: until, next: next)
      return bytes.count
    case .body(let remaining):
      let wanted = Int(min(Int64(bytes.count), remaining ?? .max))
      guard channel.change({ $0.didReceive(UnsafeRawBufferPointer(rebasing: bytes[..<wanted]), at: now) }) else {
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      lastProgress = now
      received += Int64(wanted)
      stage = .body(remaining: remaining.map { $0 - Int64(wanted) })
      endIfComplete(at: now)
      // A server that sends more than it promised is not listened to any longer.
      return wanted
    }
  }

  private func endIfComplete(at now: UInt64) {
    guard case .body(let remaining) = stage, remaining == 0 else { return }
    channel.finish(nil)
    stage = .draining(bytes: 0, until: now + Self.drainingTime, next: nil)
  }

  // MARK: Addresses

  /// Returns false if the request must not reach an address that is about to be connected to.
  func mayConnect(to address: NetworkAddress?) -> Bool {
    if isProxied { return true }
    guard let address else { return refuse(.unreachable) }
    guard let scope = gate.refusal(of: address, at: url.endpoint, for: channel.request.origin) else { return true }
    return refuse(.notAllowed(url.endpoint, scope))
  }

  /// Returns false if the request must not be made on a connection, which may have been made for another.
  func mayRequest(at address: NetworkAddress?) -> Bool {
    guard mayConnect(to: address) else { return false }
    self.address = address
    // Another address of the host was refused before this one.
    refusal = nil
    if let scope = isProxied ? url.endpoint.literalScope ?? .public : address?.scope { gate.didReach(url.endpoint, in: scope) }
    channel.withState { $0.didRequest() }
    return true
  }

  /// Notes the reason for ending the request; returns false.
  private func refuse(_ error: TransportError) -> Bool {
    refusal = error
    return false
  }

  // MARK: Time

  /// The time at which `check` has to be called; nil while only the reader can change anything.
  var nextCheck: UInt64? {
    if case .draining(_, let until, _) = stage { return until }
    if isPaused { return nil }
    let report = lastProgress + Self.nanoseconds(options.stallReport)
    return monotonicNanoseconds() < report ? report : lastProgress + Self.nanoseconds(options.stallLimit)
  }

  /// Notes that time has passed. Returns the conclusion if the request has to end now.
  func check(at now: UInt64) -> Conclusion? {
    if case .draining(_, let until, _) = stage { return now >= until ? conclude(CURLE_OK) : nil }
    if isPaused { return nil }
    let silence = now - min(now, lastProgress)
    if silence >= Self.nanoseconds(options.stallLimit) {
      refusal = .noAnswer(seconds: options.stallLimit)
      return conclude(CURLE_OPERATION_TIMEDOUT)
    }
    if silence >= Self.nanoseconds(options.stallReport) {
      channel.change { [lastProgress] state in
        guard case .receiving = state.flow else { return false }
        state.didStall(since: lastProgress)
        return true
      }
    }
    return nil
  }

  private static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(max(0, min(seconds, 1e9)) * 1e9) }

  // MARK: The end

  /// Ends the request, and the transfer unless it goes on elsewhere.
  func conclude(_ code: CURLcode) -> Conclusion {
    switch stage {
    case .draining(_, _, let next): return next.map(Conclusion.redirect) ?? .done
    case .awaitingHeaders: channel.finish(failure(code) ?? .noResponse)
    case .body(let remaining):
      let error = remaining == nil && code == CURLE_OK ? nil : refusal ?? .cut(received: received)
      refusal = error
      channel.finish(error)
    }
    return .done
  }

  private func failure(_ code: CURLcode) -> TransportError? {
    refusal = refusal ?? TransportError(code, of: easy, host: url.host, options: options)
    return refusal
  }

  /// The request for the log.
  var logEntry: AccessLogEntry {
    let status = headers.status
    return AccessLogEntry(
      purpose: channel.request.purpose, url: url.displayText, status: status == 0 ? nil : status, bytes: received,
      seconds: Double(monotonicNanoseconds() - start) / 1e9, firstByteSeconds: firstByte.map { Double($0 - start) / 1e9 },
      failure: refusal)
  }
}
