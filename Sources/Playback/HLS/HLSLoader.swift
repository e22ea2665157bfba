import DecodePool
import Libav
import Transport

/// Loads the playlists, segments and keys of one clip, each once for all readers, within a budget. Safe to use from any thread.
final class HLSLoader: Sendable {
  /// A resource or a part of it, with its encryption.
  struct Resource: Hashable, Sendable {
    let url: NetworkURL
    let range: Range<Int64>?
    let key: NetworkURL?
    let vector: [UInt8]

    init(_ url: NetworkURL, range: Range<Int64>? = nil, key: NetworkURL? = nil, vector: [UInt8] = []) {
      (self.url, self.range, self.key, self.vector) = (url, range, key, vector)
    }
  }

  /// A reader's use of a segment. Once nobody uses a segment that is being loaded, loading ends.
  final class Use: Sendable {
    let bytes: SegmentBytes
    private let whenOver: @Sendable () -> Void

    fileprivate init(_ bytes: SegmentBytes, whenOver: @escaping @Sendable () -> Void) {
      (self.bytes, self.whenOver) = (bytes, whenOver)
    }
    deinit { whenOver() }
  }

  struct Entry {
    let resource: Resource
    let bytes: SegmentBytes
    /// The origin, for the log; nil for what is not logged.
    let source: HLSLog.Source?
    /// Ends loading.
    let interrupter: Interrupter
    var users = 0
  }

  struct State {
    /// The segments at hand or being loaded, least recently used first.
    var entries: [Entry] = []
    var keys: [NetworkURL: [UInt8]] = [:]
    var meter = BandwidthMeter()
    var rate = ArrivalRate()
    var status = NetworkStatus()
    var log = HLSLog()
    /// The servers that have sent bytes.
    var reached: Set<NetworkEndpoint> = []
    /// Called when bytes of segments have arrived, by number.
    var observers = ArrivalObservers()
    /// The time of the last call of the observers, in nanoseconds of the monotonic clock.
    var reportedAt: UInt64 = 0
    var isClosed = false
  }

  /// The budget for segments at hand, in bytes, in files and in memory, and the maximum number.
  private static let fileBudget = 256 << 20
  private static let memoryBudget = 24 << 20
  private static let maxEntries = 128
  /// The maximum size of a segment.
  private static let maxSegment = 64 << 20
  static let lookInterval: UInt64 = 50_000_000

  let network: Network
  let origin: Origin
  private let folder: String
  /// The budget for segments at hand, in bytes.
  let budget: Int
  let monitor = Monitor(State())
  /// The host time at which the clip was opened.
  let createdAt = monotonicNanoseconds()
  /// Ends everything that is loaded for nobody in particular.
  let ending = Interrupter()

  /// The source of playlists that stand for a manifest; nil for those that servers have.
  let dash: DASHSource?

  /// - Parameter folder: where segments are kept in unnamed files.
  init(_ network: Network, _ origin: Origin, dash: DASHSource? = nil, folder: String) {
    (self.network, self.origin, self.dash, self.folder) = (network, origin, dash, folder)
    budget = Descriptor.unnamedFile(in: folder) == nil ? Self.memoryBudget : Self.fileBudget
  }

  /// Ends all loading, since nobody needs the segments any more.
  func close() {
    ending.interrupt()
    let entries = monitor.withLock { state in
      state.isClosed = true
      return state.entries
    }
    for entry in entries { entry.interrupter.interrupt() }
    monitor.broadcast()
  }

  /// The measured bandwidth in bits per second; nil if none has been measured.
  var bandwidth: Double? { monitor.withLock { $0.meter.bitsPerSecond(at: monotonicNanoseconds()) } }

  /// The segments at hand.
  var kept: Set<Resource> { Set(entries.filter(\.bytes.isComplete).map(\.resource)) }

  private var entries: [Entry] { monitor.withLock { $0.entries } }

  /// Returns true if a segment is at hand, or being loaded.
  func has(_ resource: Resource) -> Bool { monitor.withLock { $0.entries.contains { $0.resource == resource } } }

  /// Returns the number of a segment's bytes; nil unless it is at hand.
  func byteCount(of resource: Resource) -> Int? {
    guard let bytes = entries.first(where: { $0.resource == resource })?.bytes, bytes.isComplete else { return nil }
    return bytes.count
  }

  /// Returns the share of a segment's bytes that has arrived; nil if it is unknown.
  func arrivedShare(of resource: Resource) -> Double? {
    entries.first { $0.resource == resource }.flatMap { $0.bytes.share(of: $0.bytes.count) }
  }

  /// True if a segment is being loaded.
  var isLoading: Bool { entries.contains { !$0.bytes.isOver } }

  /// The number of bytes at hand.
  var keptByteCount: Int { entries.reduce(0) { $0 + $1.bytes.count } }

  /// A record of what has been loaded, and of what has failed.
  var log: HLSLog { monitor.withLock { $0.log } }

  /// The state of fetching.
  var status: NetworkStatus { monitor.withLock { $0.status } }

  /// The rate at which bytes have arrived lately.
  var bytesPerSecond: Double { monitor.withLock { $0.rate.bytesPerSecond(at: monotonicNanoseconds()) } }

  // MARK: - Segments

  /// Returns the bytes of a segment, decrypted, which arrive from now on unless they are at hand.
  ///
  /// - Parameter source: the origin, for the log; nil to log nothing.
  /// - Throws: `PlaybackError` if it cannot be loaded now.
  func use(_ resource: Resource, from source: HLSLog.Source?) throws(PlaybackError) -> Use {
    let (use, begins) = monitor.withLock { state -> (Use, Entry?) in
      var entry: Entry
      let index = state.entries.firstIndex { $0.resource == resource }
      if let index {
        entry = state.entries.remove(at: index)
      } else {
        entry = Entry(resource: resource, bytes: SegmentBytes(folder: folder), source: source, interrupter: Interrupter())
        if state.isClosed { entry.interrupter.interrupt() }
        Self.makeRoom(&state)
      }
      entry.users += 1
      state.entries.append(entry)
      let bytes = entry.bytes
      return (Use(bytes) { [weak self] in self?.didUse(bytes) }, index == nil ? entry : nil)
    }
    guard let entry = begins else { return use }
    do throws(ThreadError) {
      try detachThread { [self] in load(entry) }
    } catch {
      let failure = PlaybackError(error)
      finish(entry, failure)
      throw failure
    }
    return use
  }

  private static func makeRoom(_ state: inout State) {
    let counts = state.entries.map { ($0.bytes.isInMemory, $0.bytes.count) }
    var (files, memory) = counts.reduce((0, 0)) { sums, next in next.0 ? (sums.0, sums.1 + next.1) : (sums.0 + next.1, sums.1) }
    var index = 0
    while index < state.entries.count, files > fileBudget || memory > memoryBudget || state.entries.count >= maxEntries {
      guard state.entries[index].users == 0 else {
        index += 1
        continue
      }
      let bytes = state.entries.remove(at: index).bytes
      if bytes.isInMemory { memory -= bytes.count } else { files -= bytes.count }
    }
  }

  private func didUse(_ bytes: SegmentBytes) {
    let entry = monitor.withLock { state -> Entry? in
      guard let index = state.entries.firstIndex(where: { $0.bytes === bytes }) else { return nil }
      state.entries[index].users -= 1
      guard state.entries[index].users == 0, !bytes.isOver else { return nil }
      return state.entries.remove(at: index)
    }
    entry?.interrupter.interrupt()
  }

  private func load(_ entry: Entry) {
    let start = monotonicNanoseconds()
    do throws(PlaybackError) {
      try fetch(entry)
      let end = monotonicNanoseconds()
      if let source = entry.source { monitor.withLock { $0.log.note(source, bytes: entry.bytes.count, from: start, to: end) } }
      finish(entry, nil)
    } catch {
      finish(entry, error)
    }
  }

  /// Notes the end of loading; who needs a segment that failed begins again.
  private func finish(_ entry: Entry, _ error: PlaybackError?) {
    if error != nil { monitor.withLock { $0.entries.removeAll { $0.bytes === entry.bytes } } }
    entry.bytes.finish(error)
    tell(isFinal: true)
  }

  private func fetch(_ entry: Entry) throws(PlaybackError) {
    let limit = entry.bytes.isInMemory ? Self.memoryBudget : Self.maxSegment
    try fetch(entry.resource, "segment", limit: limit, entry.interrupter, announce: entry.bytes.announce) {
      entry.bytes.append($0)
    }
  }

  // MARK: - Watching

  /// Calls `body` on other threads when bytes of segments have arrived; must be quick.
  ///
  /// - Returns: a number to end it with.
  func observe(_ body: @escaping @Sendable () -> Void) -> Int {
    monitor.withLock { $0.observers.add(body) }
  }

  func endObserving(_ number: Int) { monitor.withLock { $0.observers.remove(number) } }

  /// - Parameter isFinal: true if nothing more of a segment will arrive.
  func tell(isFinal: Bool) {
    let now = monotonicNanoseconds()
    let observers = monitor.withLock { state -> [@Sendable () -> Void] in
      guard isFinal || now >= state.reportedAt + Self.lookInterval else { return [] }
      state.reportedAt = now
      return state.observers.all
    }
    for observer in observers { observer() }
  }
}
