import DecodePool
import Synchronization

/// Builds the timeline of a file's video track in the background during playback, and publishes it.
///
/// All packets are read; if they do not tell the display times, the whole track is decoded once. The result is saved on
/// disk. Safe to use from any thread.
final class MovieIndex: Sendable {
  /// The progress of indexing.
  private enum Progress {
    /// Not started.
    case unread
    /// A thread reads the packets.
    case readingPackets
    /// All readable packets have been read; a thread checks whether they tell the frame order, or decodes the track.
    case findingOrder
    /// All packets have been read but do not tell the frame order, and no decode has been requested.
    case orderUnknown
    case ended
  }

  private struct State {
    var progress = Progress.unread
    /// True if the track may be decoded if its packets do not tell the order.
    var mayDecode = false
    /// True if playback has found facts that are not saved yet.
    var hasNewProof = false
    /// The identity of the file when its packets were read; another file may have replaced it since.
    var key: IndexStore.Key?
    var packetWaiters: [@Sendable () -> Void] = []

    /// True if all readable packets have been read.
    var hasPackets: Bool {
      switch progress {
      case .unread, .readingPackets: false
      case .findingOrder, .orderUnknown, .ended: true
      }
    }

    /// Claims the remaining work; returns false if there is none, or a thread is at work.
    mutating func claimWork() -> Bool {
      switch progress {
      case .unread: progress = .readingPackets
      case .orderUnknown where mayDecode: progress = .findingOrder
      case .readingPackets, .findingOrder, .orderUnknown, .ended: return false
      }
      return true
    }

    mutating func takePacketWaiters() -> [@Sendable () -> Void] {
      defer { packetWaiters = [] }
      return packetWaiters
    }
  }

  private let scan: TimelineScan
  private let store: IndexStore?
  private let startThread: ThreadStarter
  private let state = Mutex(State())

  /// - Parameters:
  ///   - store: saves the finished index; nil to save none.
  ///   - startThread: starts the thread that does the work.
  init(_ scan: TimelineScan, store: IndexStore?, startThread: @escaping ThreadStarter = detachThread) {
    self.scan = scan
    self.store = store
    self.startThread = startThread
  }

  /// Ends the work after the index has been freed, and saves what playback has proven.
  func end(keeping packets: PacketIndex?) {
    scan.interrupter.interrupt()
    let key = state.withLock { state in
      state.packetWaiters = []
      return state.hasNewProof ? state.key : nil
    }
    guard let packets, let store, let key else { return }
    // An index that cannot be saved is rebuilt.
    runInBackground(startThread) { store.save(packets, key) } refused: { _ in }
  }

  /// True if all readable packets have been read.
  var hasPackets: Bool { state.withLock { $0.hasPackets } }

  // MARK: - What playing finds out

  /// Changes the state of a random access point that has been `before` until now.
  func updateRandomAccess(
    _ ordinal: Int, _ before: RandomAccess, in index: FrameIndex, _ change: (inout PacketIndex) -> Void
  ) {
    // Anything published by others meanwhile stays.
    var isPublished = false
    while !isPublished {
      var version = -1
      guard var packets = index.content(newerThan: &version)?.packets, packets.isComplete,
        packets.entries[ordinal].randomAccess == before
      else { return }
      change(&packets)
      isPublished = index.publish(content: scan.content(packets), inPlaceOf: version)
    }
    state.withLock { $0.hasNewProof = true }
  }

  /// Notes that the packets do not tell the order, so that a decode is needed.
  func orderWasRefuted(in index: FrameIndex) {
    let isLeft = state.withLock { state in
      // A scan in progress handles it.
      if state.progress == .ended { state.progress = .orderUnknown }
      return state.claimWork()
    }
    if isLeft { work(for: index) }
  }

  // MARK: - The scan

  /// Starts the work; later calls have no effect.
  func begin(for index: FrameIndex) {
    let isLeft = state.withLock { state in
      state.mayDecode = true
      return state.claimWork()
    }
    if isLeft { work(for: index) }
  }

  /// Notes that somebody waits for the result.
  func await() { scan.role.await() }

  /// Reads the packets, unless that is done, and calls back once when all are known.
  func readPackets(for index: FrameIndex, then body: @escaping @Sendable () -> Void) {
    let (isKnown, isLeft) = state.withLock { state in
      let isKnown = state.hasPackets
      if !isKnown { state.packetWaiters.append(body) }
      return (isKnown, !isKnown && state.claimWork())
    }
    if isKnown { body() }
    if isLeft { work(for: index) }
  }

  /// Does the remaining work on a new thread, and saves the result.
  private func work(for index: FrameIndex) {
    runInBackground(startThread) { [self, weak index] in
      let known = index?.content.packets.flatMap { $0.isComplete ? $0 : nil }
      let key = known == nil ? store?.key(of: scan.input, stream: scan.track.index) : state.withLock { $0.key }
      state.withLock { $0.key = key }
      let kept = known ?? key.flatMap { store?.load($0) }
      // A clip that cannot be scanned plays without an index.
      guard
        var packets = kept
          ?? (try? scan.packets { index?.publish(content: $0.map(scan.content), progress: $1) })
      else { return end(nil, in: index) }
      if index?.orderIsUnreliable == true { packets.ptsOrderIsReliable = false }
      let content = scan.content(packets)
      didReadPackets(content, in: index)
      if content.timeline?.isCountable == true {
        end(content, in: index)
      } else if claimDecode() {
        let decoded = scan.decoded(packets) { index?.publish(nil, progress: $0) }
        // Anything proven meanwhile stays.
        packets = index?.content.packets ?? packets
        packets.decoded = decoded
        end(scan.content(packets), in: index)
      }
      if let store, let key, kept == nil || packets.decoded != kept?.decoded { store.save(packets, key) }
    } refused: { _ in
      end(index.content, in: index)
    }
  }

  /// Handles the end of reading packets.
  private func didReadPackets(_ content: FrameIndex.Content, in index: FrameIndex?) {
    index?.publish(content: content, progress: nil)
    let waiters = state.withLock { state in
      state.progress = .findingOrder
      return state.takePacketWaiters()
    }
    for waiter in waiters { waiter() }
  }

  /// Claims the decode of the track if somebody needs it. Returns true if it did; otherwise the decode remains to be done.
  private func claimDecode() -> Bool {
    state.withLock { state in
      if !state.mayDecode { state.progress = .orderUnknown }
      return state.mayDecode
    }
  }

  private func end(_ content: FrameIndex.Content?, in index: FrameIndex?) {
    let waiters = state.withLock { state in
      state.hasNewProof = index?.orderIsUnreliable ?? false
      state.progress = .ended
      return state.takePacketWaiters()
    }
    for waiter in waiters { waiter() }
    guard let index, !index.finish(content: content ?? FrameIndex.Content()) else { return }
    // Refuted at the last moment.
    orderWasRefuted(in: index)
  }
}
