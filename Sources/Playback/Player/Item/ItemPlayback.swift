/// Everything about playing one item: decoding, the frames decoded, and counters. Replaced as a whole by the next item's.
///
/// A plain value with the parts of `PlayerCore` that belong to an item. An item that is opened ahead has one too, with its
/// first frames decoded.
struct ItemPlayback {
  enum State: Equatable {
    case none
    case opening
    case ready(SourceInfo)
    case failed(PlaybackError)
  }

  var state = State.none
  /// The display times of frames, as far as known.
  var timeline: PresentationTimeline?
  var duration = ItemDuration()

  // The parts. Only their own transitions change their content, and only the core and this type call those.
  var passes = LoopPasses()
  var decode = DecodeState()
  var check = DisplayCheck()
  var presentation = PresentationQueue()
  /// Frames that were displayed or passed, for going back.
  var cache = FrameCache()
  var drops = DropPolicy()
  var fill = FillPolicy()
  var lane = LaneStatus()
  var supply = DataSupply()
  var statistics = PlayerStatistics()
  private var wakes: Effects.Wakes = []

  /// No item.
  init() {}

  /// An item that is being opened.
  ///
  /// - Parameter number: counted by the player, from 1.
  init(number: Int) {
    state = .opening
    decode = DecodeState(item: number)
  }

  /// Requests that others be woken, for what has changed.
  mutating func wake(_ more: Effects.Wakes) { wakes.formUnion(more) }

  /// Returns what `wake` has collected since the last call.
  mutating func takeWakes() -> Effects.Wakes {
    defer { wakes = [] }
    return wakes
  }

  // MARK: - State

  /// Notes that the item is open, and has its first frame decoded.
  mutating func didOpen(_ info: SourceInfo, at host: HostTime) {
    state = .ready(info)
    duration = ItemDuration(announced: info.duration, isEstimate: info.durationIsEstimate)
    fill.didMove(at: host)
    decode.search(TargetSearch(.first, to: .zero))
  }

  /// Ends all decoding; what is on display stays.
  mutating func didFail(_ error: PlaybackError) {
    state = .failed(error)
    decode.reset()
    check = DisplayCheck()
    presentation.removeWaiting()
  }

  /// The number in the lane's tickets; 0 once nothing is decoded any more.
  var number: Int { decode.ticket.item }

  var info: SourceInfo? {
    if case .ready(let info) = state { return info }
    return nil
  }

  var isReady: Bool { info != nil }

  var canSeek: Bool { info?.canSeek ?? true }

  /// The memory of cached frames and retained decoders, in bytes.
  var byteCount: Int { cache.byteCount + lane.retainedBytes }

  // MARK: - Times

  /// The end in nanoseconds of the newest frame for the clock's pass: the last one waiting, or the displayed one.
  var newestEnd: Int64? {
    (presentation.waiting.last { $0.pass == passes.played }?.timing ?? presentation.displayed?.timing)?.endNanoseconds
  }

  /// A time past any end, two years; a search for it finds the end.
  static let behindAnyEnd = MediaTime(value: 1 << 26, timescale: 1)

  /// Returns nanoseconds clamped to the item.
  func clamped(_ media: Int64) -> Int64 { max(0, min(media, lastTime.nanoseconds ?? .max)) }

  /// The last time of the item, as far as known.
  var lastTime: MediaTime { duration.lastTime(displaying: presentation.displayed?.timing) }

  /// Returns a time clamped to the item.
  func clamped(_ time: MediaTime) -> MediaTime {
    guard time.isNumeric || time.isPositiveInfinity else { return .zero }
    let nearest = max(.zero, min(time, lastTime))
    return nearest.isNumeric ? nearest : Self.behindAnyEnd
  }

  /// Returns true if no other start reaches the target sooner than decoding on.
  func leadsOn(from last: FrameTiming, to target: MediaTime) -> Bool {
    guard target >= last.pts else { return false }
    guard let timeline, target < timeline.end else { return (target - last.pts).seconds <= Self.nearSeconds }
    return timeline.leadsOn(from: last.pts, to: target)
  }

  /// A target this near ahead is reached by decoding rather than by seeking to a keyframe.
  private static let nearSeconds = 1.0
}
