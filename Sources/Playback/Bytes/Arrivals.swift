import DecodePool
import Glibc
import Libav

/// The bytes of a source that have arrived, with the needs of their readers. Safe to use from any thread.
final class Arrivals: Sendable {
  /// The order in which bytes arrive.
  enum Order {
    /// From the first to the last.
    case ascending
    /// As readers need them.
    case any
  }

  /// A snapshot.
  struct Status {
    /// The offset after the last byte that has arrived in order.
    var end: Int64 = 0
    /// The number of all bytes; nil while it is unknown.
    var byteCount: Int64?
    /// The reason that no more bytes come; nil if more may come.
    var failure: PlaybackError?
  }

  private struct Reader {
    let role: ReadingRole
    /// The offset of the next byte it reads.
    var offset: Int64 = 0
    var isWaiting = false
  }

  private struct State {
    let store: BlockStore
    var order: Order?
    var status = Status()
    var readers: [Int: Reader] = [:]
    var readerCount = 0
    var isClosed = false
    /// True if there was no room for the last bytes.
    var isFull = false
    /// Called when a reader waits, and when there may be room again.
    var whenNeeded: (@Sendable () -> Void)?
    /// Called when bytes have arrived, by number.
    var observers = ArrivalObservers()
    /// The time of the last call of the observers, in nanoseconds of the monotonic clock.
    var reportedAt: UInt64 = 0
    var rate = ArrivalRate()
  }

  private let monitor: Monitor<State>
  /// The number of blocks at the beginning that always stay.
  private static let pinned: Int64 = 16
  /// The number of blocks that stay behind the next byte of playback, for demuxers that go back a little.
  private static let margin: Int64 = 16
  /// The interval at which a wait looks for an interruption, in nanoseconds.
  private static let lookInterval: UInt64 = 50_000_000

  /// - Parameter order: nil if the feed has yet to find out.
  init(_ order: Order?, _ store: sending BlockStore) { monitor = Monitor(State(store: store, order: order)) }

  /// The order in which bytes arrive; nil while it is unknown.
  var order: Order? { monitor.withLock { $0.order } }

  func setOrder(_ order: Order) {
    monitor.withLock { $0.order = order }
    monitor.broadcast()
  }

  /// Waits until the order is known, no bytes will come, or `isInterrupted` returns true.
  func waitForOrder(isInterrupted: () -> Bool) {
    while !isInterrupted() {
      let isKnown = monitor.wait(until: monotonicNanoseconds() + Self.lookInterval) { state in
        state.order != nil || state.status.failure != nil || state.isClosed ? true : nil
      }
      if isKnown != nil { return }
    }
  }

  var status: Status { monitor.withLock { $0.status } }

  /// Ends the feed, since nobody needs the bytes any more.
  func close() {
    let whenNeeded = monitor.withLock { state in
      state.isClosed = true
      return state.whenNeeded
    }
    monitor.broadcast()
    whenNeeded?()
  }

  var isClosed: Bool { monitor.withLock { $0.isClosed } }

  // MARK: - The feed

  /// Sets a closure for the feed, called from any thread when a reader waits or there may be room again; must be quick.
  func setWhenNeeded(_ body: @escaping @Sendable () -> Void) { monitor.withLock { $0.whenNeeded = body } }

  /// Adds the next bytes in order; waits until there is room for them. Returns false if nobody needs them any more.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = monitor.wait { state -> Int? in
        if state.isClosed { return 0 }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = put(rest, at: state.status.end, &state)
        return count > 0 ? count : nil
      }
      guard count > 0 else { return false }
      done += count
      didChange()
    }
    return true
  }

  /// Adds bytes at an offset. Returns the number for which there is room.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
    let count = monitor.withLock { put(bytes, at: offset, &$0) }
    if count > 0 { didChange() }
    return count
  }

  /// Returns the end of the bytes that are kept and follow an offset without a gap.
  func keptEnd(from offset: Int64) -> Int64 { monitor.withLock { $0.store.keptEnd(from: offset) } }

  private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ state: inout State) -> Int {
    let readers = state.readers.values
    let next = readers.filter { $0.role.use == .playback }.map { BlockStore.number(at: $0.offset) }
    let waits = readers.filter(\.isWaiting).map { BlockStore.number(at: $0.offset) }
    let ahead = Int64(state.store.capacity / 2)
    let count = state.store.write(bytes, at: offset) { block, use in
      guard block >= Self.pinned, !waits.contains(block) else { return nil }
      switch state.order {
      case .ascending, nil: return next.allSatisfy { block < $0 - Self.margin } && !next.isEmpty ? block : nil
      case .any: return next.contains { ($0 - Self.margin..<$0 + ahead).contains(block) } ? nil : Int64(use)
      }
    }
    if count > 0 { state.rate.note(count, at: monotonicNanoseconds()) }
    state.status.end = max(state.status.end, offset + Int64(count))
    state.isFull = count < bytes.count
    return count
  }

  /// Notes the number of all bytes.
  func setByteCount(_ count: Int64) {
    monitor.withLock { $0.status.byteCount = count }
    didChange()
  }

  /// Notes that all bytes have arrived.
  func finish() {
    monitor.withLock { $0.status.byteCount = $0.status.end }
    didChange(isFinal: true)
  }

  /// Notes that no more bytes come.
  func fail(_ error: PlaybackError) {
    monitor.withLock { $0.status.failure = error }
    didChange(isFinal: true)
  }

  /// - Parameter isFinal: true if nothing more will change.
  private func didChange(isFinal: Bool = false) {
    monitor.broadcast()
    let now = monotonicNanoseconds()
    let observers = monitor.withLock { state -> [@Sendable () -> Void] in
      guard isFinal || now >= state.reportedAt + Self.lookInterval else { return [] }
      state.reportedAt = now
      return state.observers.all
    }
    for observer in observers { observer() }
  }

  // MARK: - Readers

  func addReader(_ role: ReadingRole) -> Int {
    monitor.withLock { state in
      state.readerCount += 1
      state.readers[state.readerCount] = Reader(role: role)
      return state.readerCount
    }
  }

  func removeReader(_ id: Int) {
    let whenNeeded = monitor.withLock { state in
      state.readers[id] = nil
      return state.whenNeeded
    }
    monitor.broadcast()
    whenNeeded?()
  }

  /// Reads bytes that have arrived; nil if they have not.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, _ id: Int) -> Result<Int, ByteReaderError>? {
    let (result, whenNeeded) = monitor.withLock { state in
      let result = read(at: offset, into: buffer, id, &state)
      state.readers[id]?.isWaiting = result == nil
      return (result, state.whenNeeded)
    }
    // There may be room for more, or something to fetch.
    monitor.broadcast()
    whenNeeded?()
    return result
  }

  /// Waits for bytes, or until `isInterrupted` returns true.
  func waitToRead(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, _ id: Int, isInterrupted: () -> Bool
  ) -> Result<Int, ByteReaderError> {
    defer { monitor.withLock { $0.readers[id]?.isWaiting = false } }
    while true {
      if isInterrupted() { return .failure(.interrupted) }
      let result = monitor.wait(until: monotonicNanoseconds() + Self.lookInterval) { state in
        read(at: offset, into: buffer, id, &state)
      }
      if let result { return result }
    }
  }

  private func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, _ id: Int, _ state: inout State
  ) -> Result<Int, ByteReaderError>? {
    state.readers[id]?.offset = offset
    let count = state.store.read(at: offset, into: buffer)
    if count > 0 {
      state.readers[id]?.offset = offset + Int64(count)
      return .success(count)
    }
    if let end = state.status.byteCount, offset >= end { return .success(0) }
    if state.isClosed { return .failure(.interrupted) }
    if state.status.failure != nil { return .failure(.system(errno: EIO)) }
    // It has passed, and had to make room.
    if state.order == .ascending, offset < state.status.end { return .failure(.system(errno: ENODATA)) }
    return nil
  }

  // MARK: - Needs

  /// A byte that has yet to arrive.
  struct Need {
    var offset: Int64
    /// True if a reader waits for it.
    var isUrgent: Bool
    var use: ReadingRole.Use
  }

  /// Returns the next bytes that readers need, the most urgent first.
  ///
  /// - Parameters:
  ///   - ahead: the number of bytes to fetch ahead of playback.
  ///   - sampled: the number of bytes to fetch ahead of readers that sample.
  func needs(ahead: Int64, sampled: Int64) -> [Need] {
    let needs = monitor.withLock { state in
      state.readers.values.compactMap { reader -> Need? in
        let use = reader.role.use
        guard use != .following else { return nil }
        let gap = state.store.keptEnd(from: reader.offset)
        guard gap < state.status.byteCount ?? .max, gap - reader.offset < (use == .playback ? ahead : sampled) else { return nil }
        return Need(offset: state.store.fetchStart(for: gap), isUrgent: reader.isWaiting, use: use)
      }
    }
    return needs.sorted { a, b in
      a.isUrgent != b.isUrgent ? a.isUrgent : a.use != b.use ? a.use.rawValue > b.use.rawValue : a.offset < b.offset
    }
  }

  // MARK: - Watching

  /// The bytes that have arrived ahead of playback.
  var report: DataSupply.Report {
    monitor.withLock { state in
      let offset = state.readers.values.filter { $0.role.use == .playback }.map(\.offset).max() ?? 0
      let end = state.store.keptEnd(from: offset)
      return DataSupply.Report(
        bytesAhead: end - offset, offset: offset,
        hasArrived: state.status.failure != nil || state.status.byteCount.map { end >= $0 } ?? false, isFull: state.isFull)
    }
  }

  /// The rate at which bytes have arrived lately.
  var bytesPerSecond: Double { monitor.withLock { $0.rate.bytesPerSecond(at: monotonicNanoseconds()) } }

  /// The ranges of offsets that are kept, in order.
  var keptRanges: [Range<Int64>] { monitor.withLock { $0.store.keptRanges } }

  /// Calls `body` on the feed's thread when bytes have arrived, or no more come; must be quick.
  ///
  /// - Returns: a number to end it with.
  func observe(_ body: @escaping @Sendable () -> Void) -> Int {
    monitor.withLock { $0.observers.add(body) }
  }

  func endObserving(_ number: Int) { monitor.withLock { $0.observers.remove(number) } }
}
