import Libav
import Synchronization

/// What is known of the places of a video track's pictures: scanned in the background while the clip plays.
///
/// Shared by all who play the asset, kept on disk for the next time. Safe from any thread; freeing it ends the scan.
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
    var hasBegun = false
    var hasEnded = false
    var waiters: [@Sendable () -> Void] = []
  }

  private let path: String
  private let track: AssetTrack
  private let startTime: MediaTime
  private let mayJump: Bool
  private let store: IndexStore?
  private let interrupter = Interrupter()
  private let state = Mutex(State())

  /// Packets more than these are not indexed: a stream of days, not a clip.
  private static let mostPackets = 4_000_000
  /// Packets between two looks at how far the scan is.
  private static let batch = 2048

  /// - Parameters:
  ///   - startTime: the stream's time that is time 0 of the item.
  ///   - mayJump: whether the format's time stamps may be discontinuous.
  ///   - store: where a finished index is kept for the next time; nil keeps none.
  init(path: String, track: AssetTrack, startTime: MediaTime, mayJump: Bool, store: IndexStore?) {
    self.path = path
    self.track = track
    self.startTime = startTime
    self.mayJump = mayJump
    self.store = store
  }

  deinit {
    interrupter.interrupt()
    let packets = state.withLock { $0.hasNewProof ? $0.content?.packets : nil }
    guard let packets, let store, let key = store.key(path: path, stream: track.index) else { return }
    runInBackground { store.save(packets, key) }
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

  /// A claimed start point was found to be right.
  func trust(start ordinal: Int) {
    guard var packets = content?.packets, packets.isComplete else { return }
    packets.trust(ordinal)
    let content = Content(packets, track: track, startTime: startTime, mayJump: mayJump)
    state.withLock { state in
      state.content = content
      state.hasNewProof = true
    }
  }

  /// Pictures came out of a decoder in another order than that of their stamps: these do not tell which is shown when.
  func refuteOrder() {
    state.withLock { state in
      guard !state.hasLostOrder else { return }
      state.hasLostOrder = true
      state.content = state.content.map(Self.withoutOrder)
      state.hasNewProof = state.hasEnded
    }
  }

  /// Whether the pictures' order was found not to be that of their stamps.
  var hasLostOrder: Bool { state.withLock { $0.hasLostOrder } }

  private static func withoutOrder(_ content: Content) -> Content {
    var content = content
    content.packets.keepsOrder = false
    (content.timeline, content.map) = (nil, nil)
    return content
  }

  /// The pictures' times, as far as they are known and can be relied on.
  public var map: FrameMap? { content?.map }

  /// How much of the clip has been looked at, 0…1.
  public var progress: Double { state.withLock { $0.hasEnded ? 1 : $0.progress } }

  /// Whether there is nothing more to come.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Begins the scan; later calls change nothing.
  public func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    runInBackground { [path, track, startTime, mayJump, store, interrupter, weak self] in
      let key = store?.key(path: path, stream: track.index)
      func content(_ packets: PacketIndex) -> Content {
        Content(packets, track: track, startTime: startTime, mayJump: mayJump)
      }
      if let store, let key, let packets = store.load(key) {
        self?.end(content(packets))
        return
      }
      // A clip that cannot be scanned plays without an index.
      let packets = try? Self.scan(path, track, interrupter) { packets, progress in
        self?.advance(packets.map(content), progress)
      }
      self?.end(packets.map(content))
      if let store, let key, let packets { store.save(packets, key) }
    }
  }

  /// Begins the scan and calls back as `whenEnded` does.
  func begin(then body: @escaping @Sendable () -> Void) {
    begin()
    whenEnded(body)
  }

  private func advance(_ content: Content?, _ progress: Double) {
    state.withLock { state in
      state.progress = progress
      if let content { state.content = state.hasLostOrder ? Self.withoutOrder(content) : content }
    }
  }

  private func end(_ content: Content?) {
    let waiters = state.withLock { state in
      state.content = state.hasLostOrder ? content.map(Self.withoutOrder) : content
      state.hasNewProof = state.hasLostOrder
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
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

  /// Reads all packets; hands out what is known each time that it has doubled.
  private static func scan(
    _ path: String, _ track: AssetTrack, _ interrupter: Interrupter,
    report: (PacketIndex?, Double) -> Void
  ) throws -> PacketIndex? {
    let demuxer = try Asset.open(path, interrupter)
    let size = Double(max(1, demuxer.byteCount))
    let scan = try PacketScan(demuxer: demuxer, stream: track.index)
    var told = batch
    var isBeginning = true
    while scan.index.count < mostPackets {
      let mayHaveMore = try scan.read(batch)
      if isBeginning {
        isBeginning = false
        let opening = try? OpeningPictures(scan.index, of: scan.info) {
          try StreamReader(
            demuxer: Asset.open(path, interrupter), stream: track.index, threads: 1, keepsAlpha: false)
        }
        if let opening { scan.note(opening) }
      }
      guard mayHaveMore else { return scan.index }
      let position = Double(scan.index.entries.last?.position ?? 0)
      let isDoubled = scan.index.count >= 2 * told
      if isDoubled { told = scan.index.count }
      report(isDoubled ? scan.index : nil, min(0.99, max(0, position / size)))
    }
    return nil
  }
}
