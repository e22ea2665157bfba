import DecodePool
import Libav
import Synchronization
import Transport

/// Fetches the bytes of a file on a server, as its readers need them, on a thread of its own.
///
/// One connection reads on from where playback is, and a second one serves readers elsewhere. Nothing that is kept is
/// fetched again. A connection that breaks continues at the exact byte; a file that changes on the server is reported, never
/// mixed.
final class HTTPFeed: Sendable {
  /// The number of connections at a time.
  static let maxFetches = 2
  /// The bytes to fetch ahead of a reader in playback.
  static let readAhead: Int64 = 32 << 20
  /// The bytes to fetch ahead of a reader that samples.
  static let sampledReadAhead: Int64 = 1 << 20
  /// The distance that a connection reads through rather than being replaced.
  static let nearDistance: Int64 = 512 << 10

  private let network: Network
  private let origin: Origin
  private let url: NetworkURL
  private let arrivals: Arrivals
  private let bell = Monitor(false)
  private let status = Mutex(NetworkStatus())

  private init(_ network: Network, _ origin: Origin, _ url: NetworkURL, _ arrivals: Arrivals) {
    (self.network, self.origin, self.url, self.arrivals) = (network, origin, url, arrivals)
  }

  /// Begins to fetch a file.
  ///
  /// - Throws: `ThreadError`.
  static func bytes(
    of url: NetworkURL, origin: Origin, network: Network, store: sending BlockStore,
    startThread: ThreadStarter = detachThread
  ) throws(ThreadError) -> StreamedBytes {
    let arrivals = Arrivals(nil, store)
    let feed = HTTPFeed(network, origin, url, arrivals)
    arrivals.setWhenNeeded { [weak feed] in feed?.ring() }
    try startThread { feed.run() }
    return StreamedBytes(arrivals) { feed.status.withLock { $0 } }
  }

  private func ring() {
    bell.withLock { $0 = true }
    bell.signal()
  }

  // MARK: - The thread

  private func run() {
    var work = HTTPFetching(network, origin, url, arrivals) { [weak self] in self?.ring() }
    while !arrivals.isClosed {
      let next = work.step(at: monotonicNanoseconds())
      let report = work.status(at: monotonicNanoseconds())
      status.withLock { $0 = report }
      _ = bell.wait(until: min(next, monotonicNanoseconds() + 500_000_000)) { hasRung -> Bool? in
        defer { hasRung = false }
        return hasRung ? true : nil
      }
    }
    work.cancel()
  }
}
