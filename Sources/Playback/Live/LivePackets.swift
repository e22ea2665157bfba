import DecodePool
import Glibc
import Libav

/// The packets of a live source: what its feed and its readers share. Safe to use from any thread.
final class LivePackets: PacketSource {
  /// The properties of a source that has been opened.
  struct Opened {
    var formatName: String
    /// The streams that are kept.
    var streams: [StreamParameters]
    /// The stream that is played: video, if there is any.
    var main: Int
    /// The first timestamp of that stream, in ticks.
    var start: Int64
  }

  private struct State {
    var history: PacketHistory
    var opened: Opened?
    /// The end of the newest packet of the main stream, in ticks.
    var edge: Int64 = 0
    /// Codec headers of the main stream; the first ones are those of `opened`.
    var headers: [[UInt8]] = []
    var status = NetworkStatus()
    /// The reason that no more packets come; nil if they may.
    var failure: PlaybackError?
    var isClosed = false
    /// True once the feed no longer writes anything.
    var hasFeedEnded = false
    var rate = ArrivalRate()
    /// When the source was opened first, and when the newest packet of the main stream arrived.
    var lastArrival = monotonicNanoseconds()
    var observers = ArrivalObservers()
  }

  private let state: Monitor<State>
  /// Ends the feed.
  let ending = Interrupter()
  /// The interval at which a wait looks for an interruption, in nanoseconds.
  private static let lookInterval: UInt64 = 50_000_000
  /// The maximum number of different codec headers.
  private static let maxHeaders = 1000
  /// The seconds without a frame after which that is reported.
  private static let noticeable = 2.0

  init(_ store: sending BlockStore) { state = Monitor(State(history: PacketHistory(store))) }

  /// Ends the feed, since nobody needs the packets any more.
  func close() {
    ending.interrupt()
    state.withLock { $0.isClosed = true }
    state.broadcast()
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Waits for some time, or until it is closed.
  func pause(_ nanoseconds: UInt64) {
    let end = monotonicNanoseconds() + nanoseconds
    while !isClosed, monotonicNanoseconds() < end { _ = state.wait(until: end) { $0.isClosed ? true : nil } }
  }

  /// Waits until the feed has ended, or until a time.
  func waitForFeedEnd(until deadline: UInt64) { _ = state.wait(until: deadline) { $0.hasFeedEnded ? true : nil } }

  // MARK: - The feed

  func noteFeedEnd() {
    state.withLock { $0.hasFeedEnded = true }
    state.broadcast()
  }

  var opened: Opened? { state.withLock { $0.opened } }

  /// Notes the streams, before the first packet.
  func open(_ opened: Opened) {
    state.withLock { state in
      state.opened = opened
      state.headers = [opened.streams[opened.main].headers]
      state.edge = opened.start
    }
  }

  /// Notes codec headers that apply to the main stream from now on.
  func setHeaders(_ headers: [UInt8]) {
    state.withLock { state in
      if !headers.isEmpty, headers != state.headers.last, state.headers.count < Self.maxHeaders { state.headers.append(headers) }
    }
  }

  /// Keeps a packet, with the timestamps of `record`.
  func append(_ packet: Packet, _ record: PacketRecord) {
    let now = monotonicNanoseconds()
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      guard let opened = state.opened else { return [] }
      let isMain = record.stream == opened.main
      state.history.append(packet, record, headers: max(0, state.headers.count - 1), isStart: isMain && record.isKey)
      state.rate.note(record.byteCount, at: now)
      state.status.bytes += Int64(record.byteCount)
      guard isMain else { return [] }
      state.edge = max(state.edge, (record.pts ?? record.dts ?? state.edge) &+ record.duration)
      state.lastArrival = now
      state.status.trouble = nil
      return state.observers.all
    }
    state.broadcast()
    for observer in observers { observer() }
  }

  func noteConnection() { state.withLock { $0.status.requests += 1 } }

  /// Notes a failure that may pass.
  func noteSetback(_ reason: String, next: UInt64) {
    state.withLock { $0.status.trouble = .retrying(reason, seconds: Double(next) / 1e9) }
    callObservers()
  }

  func noteRetry() { state.withLock { $0.status.trouble = nil } }

  func setRecording(_ recording: NetworkStatus.Recording) { state.withLock { $0.status.recording = recording } }

  /// Notes that no more packets come.
  func fail(_ error: PlaybackError) {
    state.withLock { $0.failure = $0.failure ?? error }
    state.broadcast()
    callObservers()
  }

  private func callObservers() {
    for observer in state.withLock({ $0.observers.all }) { observer() }
  }

  // MARK: - Readers

  /// Waits until there is a packet with which decoding can begin.
  ///
  /// - Throws: `PlaybackError`, or `ByteReaderError.interrupted`.
  func waitForStart(_ interrupter: Interrupter) throws {
    try interrupter.whileWaiting {
      while true {
        if interrupter.isInterrupted { throw ByteReaderError.interrupted }
        let result = state.wait(until: monotonicNanoseconds() + Self.lookInterval) { state -> Result<Void, PlaybackError>? in
          if state.history.firstStart != nil { return .success(()) }
          return state.failure.map { .failure($0) }
        }
        if let result { return try result.get() }
      }
    }
  }

  var formatName: String { opened?.formatName ?? "" }
  var streams: [StreamParameters] { opened?.streams ?? [] }
  var startMicroseconds: Int64 { opened.map { Self.microseconds($0.start, $0) } ?? 0 }

  private static func microseconds(_ ticks: Int64, _ opened: Opened) -> Int64 {
    MediaTime(ticks: ticks, in: opened.streams[opened.main].timeBase).nanoseconds.map { $0 / 1000 } ?? 0
  }

  func packet(ofKeyAtOrBefore ticks: Int64, stream: Int) -> Int { state.withLock { $0.history.start(atOrBefore: ticks) } }

  func read(_ number: Int, of streams: Set<Int>, into packet: Packet, _ interrupter: Interrupter) throws -> Int? {
    if interrupter.isInterrupted { throw ByteReaderError.interrupted }
    var number = number
    if let found = try state.withLock({ try Self.read(&number, of: streams, into: packet, &$0) }) { return try found.get() }
    return try interrupter.whileWaiting {
      while true {
        if interrupter.isInterrupted { throw ByteReaderError.interrupted }
        let found = try waitToRead(&number, of: streams, into: packet)
        if let found { return try found.get() }
      }
    }
  }

  private func waitToRead(
    _ number: inout Int, of streams: Set<Int>, into packet: Packet
  ) throws -> Result<Int?, ByteReaderError>? {
    let next = number
    let end = monotonicNanoseconds() + Self.lookInterval
    _ = state.wait(until: end) { $0.history.next > next || $0.failure != nil || $0.isClosed ? true : nil }
    return try state.withLock { try Self.read(&number, of: streams, into: packet, &$0) }
  }

  /// Reads a packet, or the first kept after it; nil if it has yet to arrive, and then `number` is what to ask for.
  private static func read(
    _ number: inout Int, of streams: Set<Int>, into packet: Packet, _ state: inout State
  ) throws -> Result<Int?, ByteReaderError>? {
    // It has passed, and had to make room.
    if number < state.history.first { number = state.history.firstStart ?? state.history.next }
    while let entry = state.history[number] {
      defer { number += 1 }
      guard streams.contains(entry.record.stream) else { continue }
      let history = state.history
      guard try packet.fill(entry.record, { history.copy(entry, to: $0) }) else { continue }
      if entry.record.isKey, state.headers.count > 1, entry.record.stream == state.opened?.main {
        try packet.attach(state.headers[entry.headers], as: .headers)
      }
      return .success(number)
    }
    if state.isClosed { return .failure(.interrupted) }
    return state.failure == nil ? nil : .failure(.system(errno: EIO))
  }

  // MARK: - Watching

  /// The reason that no more packets come; nil if they may.
  var failure: PlaybackError? { state.withLock { $0.failure } }

  /// The times that are kept, counted from the start.
  var keptRange: TimeRange {
    state.withLock { state in
      guard let opened = state.opened else { return TimeRange(start: .zero, end: .zero) }
      let first = state.history.firstStart.flatMap { state.history[$0]?.record.pts } ?? state.edge
      let tick = opened.streams[opened.main].timeBase
      let start = MediaTime(ticks: first &- opened.start, in: tick), end = MediaTime(ticks: state.edge &- opened.start, in: tick)
      return TimeRange(start: max(.zero, start), end: max(.zero, start, end))
    }
  }

  var byteCount: Int64 { state.withLock { $0.history.byteCount } }

  /// The rate at which bytes have arrived lately.
  var bytesPerSecond: Double { state.withLock { $0.rate.bytesPerSecond(at: monotonicNanoseconds()) } }

  var status: NetworkStatus {
    state.withLock { state in
      var status = state.status
      let silence = Double(monotonicNanoseconds() - min(monotonicNanoseconds(), state.lastArrival)) / 1e9
      if status.trouble == nil, silence >= Self.noticeable {
        status.trouble = state.opened == nil ? .silent(seconds: silence) : .noFrame(seconds: silence)
      }
      return status
    }
  }

  /// Calls `body` on the feed's thread when a frame's packet has arrived, or no more come; must be quick.
  ///
  /// - Returns: a number to end it with.
  func observe(_ body: @escaping @Sendable () -> Void) -> Int {
    state.withLock { $0.observers.add(body) }
  }

  func endObserving(_ number: Int) { state.withLock { $0.observers.remove(number) } }
}
