import DecodePool
import Libav
import Synchronization

/// What is known of the places of a video track's pictures: found out in the background while the clip plays.
///
/// All packets are read; where these do not tell which picture is shown when, the whole track is decoded once.
/// Shared by all who play the asset, kept on disk for the next time. Safe from any thread; freeing it ends the work.
public final class FrameIndex: Sendable {
  /// What has been found so far.
  struct Content: Sendable {
    var packets: PacketIndex
    /// nil where the time stamps do not tell the order.
    var timeline: DisplayTimeline?
    var map: FrameMap?

    init(_ packets: PacketIndex, track: AssetTrack, startTime: MediaTime, mayJump: Bool) {
      var packets = packets
      if !packets.isComplete { packets.seal() }
      self.packets = packets
      timeline = DisplayTimeline(packets, tick: track.timeBase.value, mayJump: mayJump)
      map = timeline.map { FrameMap(packets, $0, timeBase: track.timeBase, startTime: startTime) }
    }
  }

  private struct State {
    var content: Content? {
      didSet { version += 1 }
    }
    private(set) var version = 0
    var hasNewProof = false
    /// Pictures were found to come in another order than that of their stamps.
    var hasLostOrder = false
    var progress = 0.0
    /// Whether all packets have been read.
    var hasPackets = false
    /// Whether the track is to be decoded where its packets do not tell the order.
    var mayDecode = false
    /// Whether a thread is at work.
    var isAtWork = false
    var hasEnded = false
    var waiters: [@Sendable () -> Void] = []
    var packetWaiters: [@Sendable () -> Void] = []

    /// Whether there is something left to do that nobody does.
    mutating func claimWork() -> Bool {
      guard !isAtWork, !hasEnded, !hasPackets || mayDecode else { return false }
      isAtWork = true
      return true
    }
  }

  private let scan: IndexScan
  private let store: IndexStore?
  private let startThread: ThreadStarter
  private let state = Mutex(State())

  /// - Parameters:
  ///   - startTime: the stream's time that is time 0 of the item.
  ///   - mayJump: whether the format's time stamps may be discontinuous.
  ///   - store: where a finished index is kept for the next time; nil keeps none.
  ///   - startThread: what starts the thread that finds out.
  init(
    path: String, track: AssetTrack, startTime: MediaTime, mayJump: Bool, store: IndexStore?,
    startThread: @escaping ThreadStarter = detachThread
  ) {
    self.startThread = startThread
    scan = IndexScan(path: path, track: track, startTime: startTime, mayJump: mayJump, interrupter: Interrupter())
    self.store = store
  }

  deinit {
    scan.interrupter.interrupt()
    let packets = state.withLock { $0.hasNewProof ? $0.content?.packets : nil }
    guard let packets, let store, let key = store.key(path: scan.path, stream: scan.track.index) else { return }
    // What is not kept is found out again.
    runInBackground(startThread) { store.save(packets, key) } refused: { _ in }
  }

  /// What is known now; it may be of the clip's beginning only.
  var content: Content? { state.withLock { $0.content } }

  /// What is known now, if it is another than at `version`, which is then brought up to date.
  func content(newerThan version: inout Int) -> Content? {
    state.withLock { state in
      guard state.version != version else { return nil }
      version = state.version
      return state.content
    }
  }

  // MARK: - What playing finds out

  /// A claimed start point was found to be right.
  func trust(start ordinal: Int) { judge(ordinal, .claimed) { $0.trust(ordinal) } }

  /// Decoding from a trusted start point gave another picture than decoding from the beginning.
  func distrust(start ordinal: Int) { judge(ordinal, .trusted) { $0.distrust(ordinal) } }

  private func judge(_ ordinal: Int, _ before: PacketIndex.StartPoint, _ change: (inout PacketIndex) -> Void) {
    guard var packets = content?.packets, packets.isComplete, packets.entries[ordinal].start == before else { return }
    change(&packets)
    let content = scan.content(packets)
    state.withLock { state in
      state.content = content
      state.hasNewProof = true
    }
  }

  /// Pictures came out of a decoder in another order than that of their stamps: these do not tell which is shown when.
  func refuteOrder() {
    let isLeft = state.withLock { state in
      guard !state.hasLostOrder else { return false }
      state.hasLostOrder = true
      state.content = state.content.map(Self.withoutOrder)
      // A scan that is under way sees to it.
      if state.hasPackets { state.hasEnded = false }
      return state.claimWork()
    }
    if isLeft { work() }
  }

  /// Whether the pictures' order was found not to be that of their stamps.
  var hasLostOrder: Bool { state.withLock { $0.hasLostOrder } }

  private static func withoutOrder(_ content: Content) -> Content {
    guard content.timeline?.isDecoded != true else { return content }
    var content = content
    content.packets.keepsOrder = false
    (content.timeline, content.map) = (nil, nil)
    return content
  }

  // MARK: - The scan

  /// The pictures' times, as far as they are known and can be relied on.
  public var map: FrameMap? { content?.map }

  /// How much of the clip has been looked at, 0…1; where it has to be decoded, too, from 0 on once more.
  public var progress: Double { state.withLock { $0.hasEnded ? 1 : $0.progress } }

  /// Whether all packets have been read, or cannot be.
  var hasPackets: Bool { state.withLock { $0.hasPackets } }

  /// Whether there is nothing more to come.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Begins the scan; later calls change nothing.
  public func begin() {
    let isLeft = state.withLock { state in
      state.mayDecode = true
      return state.claimWork()
    }
    if isLeft { work() }
  }

  /// Begins the scan and calls back as `whenEnded` does.
  func begin(then body: @escaping @Sendable () -> Void) {
    begin()
    whenEnded(body)
  }

  /// Reads the packets, unless that is done, and calls back once when they are all known, as `whenEnded` does.
  func readPackets(then body: @escaping @Sendable () -> Void) {
    let (isKnown, isLeft) = state.withLock { state in
      let isKnown = state.hasPackets
      if !isKnown { state.packetWaiters.append(body) }
      return (isKnown, !isKnown && state.claimWork())
    }
    if isKnown { body() }
    if isLeft { work() }
  }

  /// Finds out, on a thread of its own, what is left to find out, and keeps it.
  private func work() {
    runInBackground(startThread) { [scan, store, weak self] in
      let key = store?.key(path: scan.path, stream: scan.track.index)
      let known = self?.content.flatMap { $0.packets.isComplete ? $0.packets : nil }
      let kept = known ?? key.flatMap { store?.load($0) }
      // A clip that cannot be scanned plays without an index.
      guard var packets = kept ?? (try? scan.packets { self?.advance($0.map(scan.content), $1) }) else {
        self?.end(nil)
        return
      }
      if self?.hasLostOrder == true { packets.keepsOrder = false }
      let content = scan.content(packets)
      self?.havePackets(content)
      if content.timeline?.isCountable == true {
        self?.end(content)
      } else if self?.goesOn() == true {
        packets = scan.decoded(packets) { self?.advance(nil, $0) }
        self?.end(scan.content(packets))
      }
      if let store, let key, kept == nil || packets.decoded != kept?.decoded { store.save(packets, key) }
    } refused: { _ in
      end(content)
    }
  }

  private func advance(_ content: Content?, _ progress: Double) {
    state.withLock { state in
      state.progress = progress
      if let content { state.content = state.hasLostOrder ? Self.withoutOrder(content) : content }
    }
  }

  /// All packets have been read.
  private func havePackets(_ content: Content) {
    let waiters = state.withLock { state in
      state.content = state.hasLostOrder ? Self.withoutOrder(content) : content
      state.hasPackets = true
      defer { state.packetWaiters = [] }
      return state.packetWaiters
    }
    for waiter in waiters { waiter() }
  }

  /// Whether somebody wants to know what only a decode tells; else it is left to do.
  private func goesOn() -> Bool {
    state.withLock { state in
      state.isAtWork = state.mayDecode
      return state.mayDecode
    }
  }

  private func end(_ content: Content?) {
    let waiters = state.withLock { state in
      state.content = state.hasLostOrder ? content.map(Self.withoutOrder) : content
      state.hasNewProof = state.hasLostOrder
      state.hasPackets = true
      state.hasEnded = true
      state.isAtWork = false
      defer { (state.waiters, state.packetWaiters) = ([], []) }
      return state.packetWaiters + state.waiters
    }
    for waiter in waiters { waiter() }
  }

  /// Calls back once when the scan has ended, well or not: at once, or on the scan's thread; never when the
  /// index goes before.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.waiters.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }
}
