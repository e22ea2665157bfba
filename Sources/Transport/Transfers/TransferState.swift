/// The state of a transfer between the transport's thread and the reader.
///
/// The transitions return what the caller does after it has let the lock go.
struct TransferState {
  /// The present activity of the transfer.
  enum Flow {
    case receiving
    /// No byte has come for a while, since a time in nanoseconds.
    case stalled(since: UInt64)
    /// The server waits until the reader has taken bytes.
    case full
    /// The reader has taken bytes, which the transport's thread is about to learn.
    case resuming
    case ended
    case failed(TransportError)
  }

  private(set) var response: TransportResponse?
  private(set) var flow = Flow.receiving
  private var buffer: ByteRing
  private var figures = TransferStatistics()
  private var meter: RateMeter
  private let start: UInt64
  private var end: UInt64?

  init(capacity: Int, at now: UInt64) {
    buffer = ByteRing(capacity: max(capacity, 32 << 10))
    meter = RateMeter(start: now)
    start = now
  }

  var isOver: Bool {
    switch flow {
    case .ended, .failed: true
    case .receiving, .stalled, .full, .resuming: false
    }
  }

  var failure: TransportError? { if case .failed(let error) = flow { error } else { nil } }

  func statistics(at now: UInt64) -> TransferStatistics {
    var result = figures
    let now = end ?? now
    result.seconds = Self.seconds(from: start, to: now)
    result.bytesPerSecond = meter.rate(at: now)
    return result
  }

  func phase(at now: UInt64) -> TransferPhase {
    switch flow {
    case .receiving, .resuming: response == nil ? .waiting : .receiving
    case .stalled(let since): .stalled(seconds: Self.seconds(from: since, to: now))
    case .full: .full
    case .ended: .ended
    case .failed(let error): .failed(error)
    }
  }

  private static func seconds(from start: UInt64, to end: UInt64) -> Double { Double(end - min(start, end)) / 1e9 }

  // MARK: By the transport's thread

  mutating func didRequest() { figures.requests += 1 }

  mutating func didAnswer(_ response: TransportResponse, at now: UInt64) {
    guard !isOver else { return }
    self.response = response
    flow = .receiving
    figures.firstByteSeconds = Self.seconds(from: start, to: now)
    meter = RateMeter(start: now)
  }

  /// Takes bytes that have arrived; returns false, taking none, if they have to wait for the reader.
  mutating func didReceive(_ bytes: UnsafeRawBufferPointer, at now: UInt64) -> Bool {
    guard !isOver else { return true }
    guard bytes.count <= buffer.free else {
      flow = .full
      meter.pause(at: now)
      return false
    }
    flow = .receiving
    buffer.append(bytes)
    figures.bytes += Int64(bytes.count)
    meter.didReceive(bytes.count, at: now)
    return true
  }

  /// Returns true, once, if the reader has made room.
  mutating func takeResume(at now: UInt64) -> Bool {
    guard case .resuming = flow else { return false }
    flow = .receiving
    meter.resume(at: now)
    return true
  }

  mutating func didStall(since: UInt64) {
    if case .receiving = flow { flow = .stalled(since: since) }
  }

  /// Ends the transfer, unless it has ended. Bytes that have arrived can still be read.
  mutating func finish(_ error: TransportError?, at now: UInt64) {
    guard !isOver else { return }
    flow = error.map(Flow.failed) ?? .ended
    end = now
  }

  // MARK: By the reader

  /// The result of reading, and whether the transport's thread has to be told.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> (result: TransferRead, tell: Bool) {
    let count = buffer.take(into: target)
    guard count == 0 else {
      guard case .full = flow, buffer.free >= buffer.capacity / 2 else { return (.bytes(count), false) }
      flow = .resuming
      return (.bytes(count), true)
    }
    switch flow {
    case .ended: return (.end, false)
    case .failed(let error): return (.failed(error), false)
    case .receiving, .stalled, .full, .resuming: return (.nothing, false)
    }
  }

  /// True if `read` would return something else than `nothing`.
  var isReadable: Bool { buffer.count > 0 || isOver }

  /// Ends the transfer at once and drops what has arrived.
  mutating func cancel(at now: UInt64) {
    buffer.removeAll()
    if case .failed = flow { return }
    flow = .failed(.cancelled)
    end = end ?? now
  }
}
