import DecodePool
import Synchronization

/// Finds out the timeline of a file's video track, in the background while the clip plays, and publishes it.
///
/// All packets are read; where these do not tell which frame is shown when, the whole track is decoded once. What was found
/// is kept on disk for the next time. Safe from any thread.
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
    /// True if the track is to be decoded where its packets do not tell the order.
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

    /// Begins what is left to do; false where that is nothing, or a thread is at work.
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
  ///   - store: where a finished index is kept for the next time; nil keeps none.
  ///   - startThread: what starts the thread that finds out.
  init(_ scan: TimelineScan, store: IndexStore?, startThread: @escaping ThreadStarter = detachThread) {
    self.scan = scan
    self.store = store
    self.startThread = startThread
  }

  /// The index has gone: ends the work, and keeps what playing has proven.
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

  /// Changes what is known of a random access point that was `before` until now.
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

  /// The packets do not tell the order: a decode will.
  func orderWasRefuted(in index: FrameIndex) {
    let isLeft = state.withLock { state in
      // A scan that is under way sees to it.
      if state.progress == .ended { state.progress = .orderUnknown }
      return state.claimWork()
    }
    if isLeft { work(for: index) }
  }

  // MARK: - The scan

  /// Begins to find out; later calls change nothing.
  func begin(for index: FrameIndex) {
    let isLeft = state.withLock { state in
      state.mayDecode = true
      return state.claimWork()
    }
    if isLeft { work(for: index) }
  }

  /// Reads the packets, unless that is done, and calls back once when they are all known.
  func readPackets(for index: FrameIndex, then body: @escaping @Sendable () -> Void) {
    let (isKnown, isLeft) = state.withLock { state in
      let isKnown = state.hasPackets
      if !isKnown { state.packetWaiters.append(body) }
      return (isKnown, !isKnown && state.claimWork())
    }
    if isKnown { body() }
    if isLeft { work(for: index) }
  }

  /// Finds out, on a thread of its own, what is left to find out, and keeps it.
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

  /// All packets have been read.
  private func didReadPackets(_ content: FrameIndex.Content, in index: FrameIndex?) {
    index?.publish(content: content, progress: nil)
    let waiters = state.withLock { state in
      state.progress = .findingOrder
      return state.takePacketWaiters()
    }
    for waiter in waiters { waiter() }
  }

  /// Goes on to what only a decode tells, where somebody wants to know that. Returns whether it does; else that is left
  /// to do.
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
