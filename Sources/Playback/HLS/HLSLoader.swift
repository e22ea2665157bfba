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

  private struct State {
    /// The bytes at hand, least recently used first.
    var kept: [(resource: Resource, bytes: [UInt8])] = []
    var keys: [NetworkURL: [UInt8]] = [:]
    var underWay: Set<Resource> = []
    /// Resources to load before somebody needs them.
    var wanted: [Resource] = []
    var isPreloading = false
    var estimate = BandwidthEstimate()
    var rate = ArrivalRate()
    var status = NetworkStatus()
    var isClosed = false

    var byteCount: Int { kept.reduce(0) { $0 + $1.bytes.count } }
  }

  /// The budget for segments at hand, in bytes.
  private static let budget = 32 << 20
  /// The maximum size of a segment.
  private static let maxSegment = 64 << 20
  private static let lookInterval: UInt64 = 50_000_000

  private let network: Network
  private let origin: Origin
  private let monitor = Monitor(State())

  init(_ network: Network, _ origin: Origin) { (self.network, self.origin) = (network, origin) }

  /// Ends preloading, since nobody needs the segments any more.
  func close() {
    monitor.withLock { $0.isClosed = true }
    monitor.broadcast()
  }

  /// The measured bandwidth in bits per second; nil if none has been measured.
  var bandwidth: Double? { monitor.withLock { $0.estimate.bitsPerSecond } }

  /// The resources at hand.
  var kept: Set<Resource> { monitor.withLock { Set($0.kept.map(\.resource)) } }

  /// True if something is being fetched.
  var isLoading: Bool { monitor.withLock { !$0.underWay.isEmpty || $0.isPreloading } }

  /// The number of bytes at hand.
  var keptByteCount: Int { monitor.withLock { $0.byteCount } }

  /// The state of fetching.
  var status: NetworkStatus { monitor.withLock { $0.status } }

  /// The rate at which bytes have arrived lately.
  var bytesPerSecond: Double { monitor.withLock { $0.rate.bytesPerSecond(at: monotonicNanoseconds()) } }

  // MARK: - Loading

  /// Returns a playlist and its address after redirects; waits for it.
  ///
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func playlist(_ url: NetworkURL, _ interrupter: Interrupter) throws(PlaybackError) -> (bytes: [UInt8], url: NetworkURL) {
    try load(Resource(url), "playlist", limit: HLSLimits.playlistBytes, interrupter)
  }

  /// Returns the bytes of a segment, decrypted; waits for them.
  ///
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func segment(_ resource: Resource, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    while true {
      if interrupter.isInterrupted { throw .cancelled }
      enum Step { case done([UInt8]), mine, wait }
      let step = monitor.withLock { state -> Step in
        if let index = state.kept.firstIndex(where: { $0.resource == resource }) {
          let entry = state.kept.remove(at: index)
          state.kept.append(entry)
          return .done(entry.bytes)
        }
        return state.underWay.insert(resource).inserted ? .mine : .wait
      }
      switch step {
      case .done(let bytes): return bytes
      case .mine: return try loadSegment(resource, interrupter)
      case .wait:
        _ = monitor.wait(until: monotonicNanoseconds() + Self.lookInterval) { $0.underWay.contains(resource) ? nil : true }
      }
    }
  }

  private func loadSegment(_ resource: Resource, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    defer {
      monitor.withLock { _ = $0.underWay.remove(resource) }
      monitor.broadcast()
    }
    var bytes = try load(resource, "segment", limit: Self.maxSegment, interrupter).bytes
    if let key = resource.key {
      let secret = try self.key(at: key, interrupter)
      guard let plain = AESDecryption.decrypted(bytes, key: secret, vector: resource.vector) else {
        throw PlaybackError(.encrypted, "cannot be decrypted: the key does not fit")
      }
      bytes = plain
    }
    monitor.withLock { state in
      state.kept.append((resource, bytes))
      while state.kept.count > 1, state.byteCount > Self.budget { state.kept.removeFirst() }
    }
    return bytes
  }

  /// Returns a key, which is loaded once.
  private func key(at url: NetworkURL, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    if let known = monitor.withLock({ $0.keys[url] }) { return known }
    let key = try load(Resource(url), "key", limit: 16, interrupter).bytes
    monitor.withLock { state in
      if state.keys.count >= Self.maxKeys { state.keys = [:] }
      state.keys[url] = key
    }
    return key
  }

  private static let maxKeys = 1000

  private func load(
    _ resource: Resource, _ purpose: String, limit: Int, _ interrupter: Interrupter
  ) throws(PlaybackError) -> (bytes: [UInt8], url: NetworkURL) {
    var retries = RetrySchedule(limit: 4)
    while true {
      let range = resource.range.map { ByteRange(first: $0.lowerBound, last: $0.upperBound - 1) }
      let transfer = network.transport.start(TransportRequest(resource.url, origin: origin, range: range, purpose: purpose))
      let start = monotonicNanoseconds()
      monitor.withLock { $0.status.requests += 1 }
      do throws(TransportError) {
        guard let bytes = try transfer.waitForAll(limit: limit, isInterrupted: { interrupter.isInterrupted }) else { throw .cancelled }
        let end = monotonicNanoseconds()
        monitor.withLock { state in
          state.estimate.add(bytes: bytes.count, from: HostTime(start), to: HostTime(end))
          state.rate.note(bytes.count, at: end)
          state.status.bytes += Int64(bytes.count)
          state.status.trouble = nil
        }
        return (bytes, transfer.response?.url ?? resource.url)
      } catch .cancelled {
        throw .cancelled
      } catch {
        guard case .retry(let time) = retries.didFail(error, at: monotonicNanoseconds()) else {
          throw PlaybackError(.network, "\(purpose) \(resource.url.lastPathComponent ?? ""): \(error.description)")
        }
        monitor.withLock { $0.status.trouble = .retrying("\(error.description)", seconds: Double(time - min(time, monotonicNanoseconds())) / 1e9) }
        while monotonicNanoseconds() < time, !interrupter.isInterrupted {
          _ = monitor.wait(until: min(time, monotonicNanoseconds() + Self.lookInterval)) { $0.isClosed ? true : nil }
        }
        if interrupter.isInterrupted { throw .cancelled }
      }
    }
  }

  // MARK: - Preloading

  /// Loads segments before they are needed, in order, in place of those wanted before.
  func preload(_ resources: [Resource]) {
    let begins = monitor.withLock { state in
      state.wanted = resources.filter { resource in
        !state.underWay.contains(resource) && !state.kept.contains { $0.resource == resource }
      }
      guard !state.wanted.isEmpty, !state.isPreloading, !state.isClosed else { return false }
      state.isPreloading = true
      return true
    }
    guard begins else { return }
    do throws(ThreadError) {
      try detachThread { [self] in preloadAll() }
    } catch {
      monitor.withLock { $0.isPreloading = false }
    }
  }

  private func preloadAll() {
    let interrupter = Interrupter()
    while true {
      let next = monitor.withLock { state -> Resource? in
        guard !state.isClosed, !state.wanted.isEmpty else {
          state.isPreloading = false
          return nil
        }
        return state.wanted.removeFirst()
      }
      guard let next else { return }
      // Whoever needs it tries again, and says why it fails.
      _ = try? segment(next, interrupter)
    }
  }
}
