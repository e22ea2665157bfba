import DecodePool
import Libav
import Transport

/// The connections that fetch a file: decides which parts they fetch, and stores the bytes. Used by one thread.
struct HTTPFetching {
  private let network: Network
  private let origin: Origin
  private let url: NetworkURL
  private let arrivals: Arrivals
  private let wake: @Sendable () -> Void
  private var fetches: [Fetch] = []
  private var retries = RetrySchedule()
  /// The time of the next attempt, after a failure that may pass; nil if none has to be waited for.
  private var retryTime: UInt64?
  /// The last failure since bytes arrived; nil if there was none.
  private var setback: TransportError?
  /// The first answer, which tells the version and the size.
  private var identity: TransportResponse?
  private var requestCount = 0
  private var byteCount: Int64 = 0
  private let buffer = BufferBox(capacity: 64 << 10)

  /// One connection.
  private struct Fetch {
    let transfer: Transfer
    /// The offset of the next byte to keep.
    var offset: Int64
    /// The time since which nobody needs what it brings; nil if somebody does.
    var unneededSince: UInt64?
    /// Bytes for which there was no room yet.
    var pending: ArraySlice<UInt8> = []
    /// The number of bytes to receive again before new ones, from a server that begins at the start each time.
    var repeated: Int64 = 0
  }

  init(
    _ network: Network, _ origin: Origin, _ url: NetworkURL, _ arrivals: Arrivals, wake: @escaping @Sendable () -> Void
  ) {
    (self.network, self.origin, self.url, self.arrivals, self.wake) = (network, origin, url, arrivals, wake)
  }

  /// Moves what has arrived, and starts what is needed. Returns when to call it again, unless something arrives before.
  mutating func step(at now: UInt64) -> UInt64 {
    // Nothing follows a failure, whoever wakes this thread.
    guard arrivals.status.failure == nil else { return .max }
    for index in fetches.indices { noteAnswer(index) }
    serve(at: now)
    var left = Self.maxBytesPerStep
    for index in fetches.indices.reversed() where fetches[index].unneededSince == nil { receive(index, &left, at: now) }
    guard arrivals.status.failure == nil else {
      cancel()
      return .max
    }
    if left <= 0 { return now }
    return retryTime ?? fetches.compactMap { $0.unneededSince.map { $0 + Self.patience } }.min() ?? .max
  }

  /// The number of bytes after which needs are looked at again.
  private static let maxBytesPerStep = 1 << 20
  /// The time for which a connection that is not needed stays, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000

  mutating func cancel() {
    for fetch in fetches { fetch.transfer.cancel() }
    fetches = []
  }

  // MARK: - Receiving

  private mutating func receive(_ index: Int, _ left: inout Int, at now: UInt64) {
    while arrivals.status.failure == nil, left > 0 {
      guard keepPending(index) else { return }
      // It has reached what is kept already.
      if fetches[index].repeated == 0, isKept(fetches[index].offset) { return end(index) }
      let result = fetches[index].transfer.read(into: buffer.bytes)
      // A short file may be there as a whole before its answer has been looked at.
      if result != .nothing { noteAnswer(index) }
      switch result {
      case .nothing: return
      case .bytes(let count):
        byteCount += Int64(count)
        left -= count
        let known = Int(min(Int64(count), fetches[index].repeated))
        if known < count {
          retries.didReceive()
          setback = nil
        }
        fetches[index].repeated -= Int64(known)
        fetches[index].pending = ArraySlice(buffer.bytes[known..<count])
      case .end:
        if arrivals.status.byteCount == nil { arrivals.finish() }
        return end(index)
      case .failed(let error):
        fetches.remove(at: index)
        return fail(error, at: now)
      }
    }
  }

  /// Keeps the bytes for which there was no room. Returns false if there still is none.
  private mutating func keepPending(_ index: Int) -> Bool {
    let bytes = fetches[index].pending
    guard !bytes.isEmpty else { return true }
    let kept = bytes.withUnsafeBytes { arrivals.write($0, at: fetches[index].offset) }
    fetches[index].offset += Int64(kept)
    fetches[index].pending = bytes.dropFirst(kept)
    return fetches[index].pending.isEmpty
  }

  private mutating func end(_ index: Int) {
    fetches[index].transfer.cancel()
    fetches.remove(at: index)
  }

  private func isKept(_ offset: Int64) -> Bool { arrivals.keptEnd(from: offset) > offset }

  /// Notes the first answer.
  private mutating func noteAnswer(_ index: Int) {
    guard identity == nil, let response = fetches[index].transfer.response else { return }
    identity = response
    if let size = response.totalSize { arrivals.setByteCount(size) }
    arrivals.setOrder(response.acceptsRanges && response.totalSize != nil ? .any : .ascending)
  }

  private mutating func fail(_ error: TransportError, at now: UInt64) {
    // The end of a file whose size is unknown.
    if case .noSuchRange = error, identity != nil, arrivals.status.byteCount == nil { return arrivals.finish() }
    // A server without ranges begins at the start again, if it can be told that the file is still the same.
    let canContinue = identity == nil || arrivals.order == .any || arrivals.status.end == 0 || identity?.validator != nil
    switch retries.didFail(error, at: now) {
    case .retry(let time) where canContinue: (retryTime, setback) = (time, error)
    case .retry, .giveUp: arrivals.fail(PlaybackError(.network, error.description))
    }
  }

  // MARK: - Fetching

  /// Lets each need be served by a connection, the most urgent first.
  private mutating func serve(at now: UInt64) {
    if let retryTime {
      guard now >= retryTime else { return }
      self.retryTime = nil
    }
    guard identity != nil else {
      if fetches.isEmpty { start(at: 0) }
      return
    }
    // A server without ranges has only one connection.
    guard arrivals.order == .any else {
      if fetches.isEmpty, arrivals.status.byteCount != arrivals.status.end { start(at: 0, repeating: arrivals.status.end) }
      return
    }
    let needs = arrivals.needs(ahead: HTTPFeed.readAhead, sampled: HTTPFeed.sampledReadAhead)
    var serving: Set<Int> = []
    for need in needs {
      if let index = fetches.indices.first(where: { serves(fetches[$0], need.offset) }) {
        serving.insert(index)
        continue
      }
      if fetches.count >= HTTPFeed.maxFetches {
        guard let free = fetches.indices.first(where: { !serving.contains($0) }) else { continue }
        end(free)
        serving = Set(serving.map { $0 > free ? $0 - 1 : $0 })
      }
      start(at: need.offset)
      serving.insert(fetches.count - 1)
    }
    for index in fetches.indices.reversed() {
      let since = serving.contains(index) ? nil : fetches[index].unneededSince ?? now
      fetches[index].unneededSince = since
      if let since, now >= since + Self.patience { end(index) }
    }
  }

  /// Returns true if a connection will soon bring the byte at an offset.
  private func serves(_ fetch: Fetch, _ offset: Int64) -> Bool {
    (fetch.offset...fetch.offset + HTTPFeed.nearDistance).contains(offset)
  }

  /// - Parameter count: the number of bytes that are known already.
  private mutating func start(at offset: Int64, repeating count: Int64 = 0) {
    let request = TransportRequest(
      identity?.url ?? url, origin: origin, range: ByteRange(first: offset), ifRange: identity?.validator,
      expectedSize: identity?.totalSize, purpose: "clip")
    requestCount += 1
    fetches.append(Fetch(transfer: network.transport.start(request, wake: wake), offset: offset + count, repeated: count))
  }

  // MARK: - Status

  func status(at now: UInt64) -> NetworkStatus {
    var status = NetworkStatus(address: identity?.url, requests: requestCount, bytes: byteCount)
    if let setback {
      status.trouble = .retrying(setback.description, seconds: Double(max(now, retryTime ?? now) - now) / 1e9)
    } else {
      for fetch in fetches {
        if case .stalled(let seconds) = fetch.transfer.phase { status.trouble = .silent(seconds: seconds) }
      }
    }
    return status
  }
}

/// Memory for bytes on the way.
private final class BufferBox {
  let bytes: UnsafeMutableRawBufferPointer
  init(capacity: Int) { bytes = .allocate(byteCount: capacity, alignment: 64) }
  deinit { bytes.deallocate() }
}
