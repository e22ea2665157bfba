import DecodePool
import Libav
import Transport

/// Downloads of playlists, keys and segments.
extension HLSLoader {
  private static let wrongKey = PlaybackError(.encrypted, "cannot be decrypted: the key does not fit")
  private static let noRoom = PlaybackError(.system, "segment cannot be kept: no space left on the disk")
  private static let maxKeys = 1000

  // MARK: - Playlists and keys

  /// Returns a playlist and its address after redirects; waits for it.
  ///
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func playlist(_ url: NetworkURL, _ interrupter: Interrupter) throws(PlaybackError) -> (bytes: [UInt8], url: NetworkURL) {
    if let dash, let bytes = try dash.playlist(at: url, self, interrupter) { return (bytes, url) }
    var bytes: [UInt8] = []
    let address = try download(Resource(url), "playlist", limit: HLSLimits.playlistBytes, interrupter) { part in
      bytes += part
      return true
    }
    return (bytes, address)
  }

  /// Returns a key, which is loaded once.
  private func key(at url: NetworkURL, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    if let known = monitor.withLock({ $0.keys[url] }) { return known }
    var key: [UInt8] = []
    _ = try download(Resource(url), "key", limit: 16, interrupter) { part in
      key += part
      return true
    }
    monitor.withLock { state in
      if state.keys.count >= Self.maxKeys { state.keys = [:] }
      state.keys[url] = key
    }
    return key
  }

  /// Notes how long a live playlist has brought nothing new, in nanoseconds; nil if it goes on.
  func note(silence: HostTime?) {
    monitor.withLock { state in
      if let silence {
        state.status.trouble = .noFrame(seconds: Double(silence) / 1e9)
      } else if case .noFrame = state.status.trouble {
        state.status.trouble = nil
      }
    }
  }

  /// Notes a segment that cannot be loaded, so that its part of the clip is left out.
  func noteMissing(_ error: PlaybackError) {
    monitor.withLock { state in
      state.status.missing = NetworkStatus.MissingSegments(count: (state.status.missing?.count ?? 0) + 1, latest: error)
    }
  }

  // MARK: - Downloads

  private static let maxRetries = 6
  private static let maxReached = 1000

  /// Downloads a resource; goes on at the exact byte where a connection breaks. Returns its address after redirects.
  ///
  /// - Parameter take: receives the bytes, in order; returns false if there is no room for them.
  /// - Throws: `PlaybackError`, also if it is interrupted.
  @discardableResult
  private func download(
    _ resource: Resource, _ purpose: String, limit: Int, _ interrupter: Interrupter, announce: (Int) -> Void = { _ in },
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(PlaybackError) -> NetworkURL {
    var retries = RetrySchedule(limit: Self.maxRetries, reachedBefore: monitor.withLock { $0.reached.contains(resource.url.endpoint) })
    var place = DownloadPlace(range: resource.range)
    monitor.withLock { $0.meter.begin(at: monotonicNanoseconds()) }
    defer { monitor.withLock { $0.meter.end(at: monotonicNanoseconds()) } }
    while true {
      let range = place.begin()
      let transfer = network.transport.start(
        TransportRequest(resource.url, origin: origin, range: range, ifRange: place.validator, purpose: purpose))
      monitor.withLock { $0.status.requests += 1 }
      do throws(TransportError) {
        let response = try transfer.waitForResponse { interrupter.isInterrupted }
        if let count = response?.contentLength { announce(Int(clamping: count) + place.received) }
        guard try receive(transfer, from: resource.url.endpoint, &place, limit: limit, interrupter, take) else { throw .cancelled }
        return transfer.response?.url ?? resource.url
      } catch .cancelled {
        if interrupter.isInterrupted { throw .cancelled }
        throw Self.noRoom
      } catch .noRanges where place.restart() {
        continue
      } catch {
        if place.hasProgress { retries.didReceive() }
        monitor.withLock { $0.log.note(error, of: resource.url) }
        guard case .retry(let time) = retries.didFail(error, at: monotonicNanoseconds()) else {
          throw PlaybackError(.network, "\(purpose) \(resource.url.lastPathComponent ?? ""): \(error.description)")
        }
        let seconds = Double(time - min(time, monotonicNanoseconds())) / 1e9
        monitor.withLock { $0.status.trouble = .retrying("\(error.description)", seconds: seconds) }
        while monotonicNanoseconds() < time, !interrupter.isInterrupted {
          _ = monitor.wait(until: min(time, monotonicNanoseconds() + Self.lookInterval)) { $0.isClosed ? true : nil }
        }
        if interrupter.isInterrupted { throw .cancelled }
      }
    }
  }

  /// Passes on what a transfer brings. Returns false if it is interrupted, or there is no room.
  private func receive(
    _ transfer: Transfer, from server: NetworkEndpoint, _ place: inout DownloadPlace, limit: Int, _ interrupter: Interrupter,
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(TransportError) -> Bool {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
    defer { block.deallocate() }
    while true {
      switch transfer.waitAndRead(into: block, isInterrupted: { interrupter.isInterrupted }) {
      case .nothing: return false
      case .end: return true
      case .failed(let error): throw error
      case .bytes(let count):
        noteArrival(count, from: server)
        let new = place.advance(by: count, validator: transfer.response?.validator)
        guard place.received <= limit else {
          transfer.cancel()
          throw .tooLong(limit)
        }
        guard take(UnsafeRawBufferPointer(rebasing: block[(count - new)..<count])) else { return false }
      }
    }
  }

  private func noteArrival(_ count: Int, from server: NetworkEndpoint) {
    let now = monotonicNanoseconds()
    monitor.withLock { state in
      if state.reached.count < Self.maxReached { state.reached.insert(server) }
      state.meter.note(count, at: now)
      state.rate.note(count, at: now)
      state.status.bytes += Int64(count)
      // A playlist that arrives without news is no end of the silence.
      if case .noFrame = state.status.trouble {} else { state.status.trouble = nil }
    }
    tell(isFinal: false)
  }

  /// Returns the bytes of a short resource, decrypted, which are not kept; waits for them.
  ///
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func contents(of resource: Resource, _ purpose: String, limit: Int, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    try fetch(resource, purpose, limit: limit, interrupter, announce: { _ in }) { part in
      bytes += part
      return true
    }
    return bytes
  }

  /// Downloads and decrypts a resource.
  func fetch(
    _ resource: Resource, _ purpose: String, limit: Int, _ interrupter: Interrupter, announce: (Int) -> Void,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(PlaybackError) {
    guard let url = resource.key else {
      try download(resource, purpose, limit: limit, interrupter, announce: announce, take: take)
      return
    }
    guard let decryption = AESDecryption(key: try key(at: url, interrupter), vector: resource.vector) else { throw Self.wrongKey }
    try download(resource, purpose, limit: limit, interrupter, announce: announce) { bytes in
      decryption.decrypt(bytes).withUnsafeBytes(take)
    }
    guard let last = decryption.finish() else { throw Self.wrongKey }
    guard last.withUnsafeBytes(take) else { throw Self.noRoom }
  }
}
