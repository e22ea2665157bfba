import DecodePool
import DequeModule
import Glibc
import Synchronization

/// Plays one item (or a queue of them): transport, clock, seeking and pictures.
///
/// Pictures are decoded ahead on the shared pool and fetched by the display with `takePicture`. Everything
/// may be called from any thread and returns at once; nothing waits for the decoder.
public final class Player: Sendable {
  let clock: any HostClock
  let bus: TimeObserverBus
  private let pool: DecodePool
  private let state: Mutex<State>

  private struct State {
    var core = PlayerCore()
    var item: PlayerItem?
    var queue: [PlayerItem] = []
    var lane: Lane?
    var frameIndex: FrameIndex?
    var decoderThreads = 1
    var wakeDisplay: (@Sendable () -> Void)?
    /// Answers to seeks in order, which one thread at a time gives.
    var answers = Deque<Answer>()
    var isAnswering = false

    /// What follows from decisions; answers to seeks are put in their row.
    mutating func takeEffects() -> [PlayerCore.Effect] {
      let effects = core.takeEffects()
      for case .complete(let completion, let result) in effects {
        answers.append(Answer(completion: completion, result: result))
      }
      return effects
    }
  }

  private struct Answer {
    var completion: @Sendable (SeekResult) -> Void
    var result: SeekResult
  }

  /// - Parameters:
  ///   - pool: where pictures are decoded; shared by all players.
  ///   - bus: what tells observers of time and events; shared by all players.
  ///   - decoderThreads: threads that libavcodec may use for this player besides the pool's; at least 1,
  ///     which means none besides.
  public init(pool: DecodePool, bus: TimeObserverBus, decoderThreads: Int = 1) {
    self.pool = pool
    self.bus = bus
    clock = bus.clock
    var core = PlayerCore()
    core.setCacheBudget(Self.defaultCacheBudget)
    state = Mutex(State(core: core, decoderThreads: max(1, decoderThreads)))
    bus.register(self)
  }

  deinit {
    bus.unregister(ObjectIdentifier(self))
    let (lane, item, answers) = state.withLock { state in
      state.core.cancelSeeks()
      _ = state.takeEffects()
      return (state.lane, state.item, state.answers)
    }
    lane?.close()
    item?.interrupt()
    for answer in answers { answer.completion(answer.result) }
  }

  // MARK: - Items

  public var currentItem: PlayerItem? { state.withLock { $0.item } }

  /// Takes another item, or none; rate and the action at its end stay.
  ///
  /// - Returns: false, changing nothing, when another player has the item.
  @discardableResult
  public func replaceCurrentItem(with item: PlayerItem?) -> Bool {
    if let item, !item.claim(for: self) { return false }
    setItem(item)
    return true
  }

  private func setItem(_ item: PlayerItem?) {
    let now = clock.now
    let (oldLane, oldItem, threads, epoch) = state.withLock { state in
      let old = (state.lane, state.item)
      state.core.setItem(present: item != nil, at: now)
      state.item = item
      state.lane = nil
      state.frameIndex = nil
      return (old.0, old.1, state.decoderThreads, state.core.feed.epoch)
    }
    oldLane?.close()
    oldItem?.interrupt()
    perform(drainEffects())
    item?.open(threads: threads) { [weak self] opening in self?.itemDidOpen(opening, epoch) }
  }

  private func itemDidOpen(_ opening: PlayerItem.Opening, _ epoch: Int) {
    switch opening {
    case .failure(let error):
      fail(error, epoch: epoch)
    case .success(let box):
      let feed = FrameFeed(box, epoch: epoch, pool: pool, player: self)
      let lane = pool.makeLane {
        feed.step()
      } whenUnserved: { [weak self] error in
        self?.fail(PlaybackError(error), epoch: epoch)
      }
      let isCurrent = state.withLock { state in
        guard state.core.feed.epoch == epoch else { return false }
        state.lane = lane
        state.frameIndex = box.index
        return true
      }
      guard isCurrent else { return lane.close() }
      update { core, now in
        // Another item may have come meanwhile.
        if core.feed.epoch == epoch {
          core.itemDidOpen(box.info, canSeek: box.info.canSeek, canLeaveOut: box.info.canSkipNonReference, at: now)
        }
      }
    }
  }

  func fail(_ error: PlaybackError, epoch: Int) {
    let item = state.withLock { $0.core.feed.epoch == epoch ? $0.item : nil }
    guard let item else { return }
    item.fail(error)
    update { core, now in
      if core.feed.epoch == epoch { core.itemDidFail(error, at: now) }
    }
  }

  /// Items that follow the current one when `actionAtItemEnd` is `.advance`.
  public var queuedItems: [PlayerItem] { state.withLock { $0.queue } }

  /// Puts an item behind the others of the queue, or plays it at once when there is no current one.
  ///
  /// - Returns: false, changing nothing, when the item belongs to a player already.
  @discardableResult
  public func enqueue(_ item: PlayerItem) -> Bool {
    guard item.claim(for: self) else { return false }
    let isFirst = state.withLock { state in
      if state.item == nil { return true }
      state.queue.append(item)
      return false
    }
    if isFirst { setItem(item) }
    return true
  }

  /// Goes on with the next item of the queue; without one the player pauses.
  public func advanceToNextItem() { advance(from: nil) }

  /// - Parameter epoch: that of the item that has ended: if another has come meanwhile nothing is left to do.
  private func advance(from epoch: Int?) {
    let (isCurrent, next) = state.withLock { state -> (Bool, PlayerItem?) in
      guard epoch == nil || epoch == state.core.feed.epoch else { return (false, nil) }
      return (true, state.queue.isEmpty ? nil : state.queue.removeFirst())
    }
    guard isCurrent else { return }
    if let next { setItem(next) } else { pause() }
  }

  // MARK: - Transport

  /// Plays at the default rate.
  public func play() { update { core, now in core.setRate(core.defaultRate, at: now) } }

  public func pause() { update { core, now in core.setRate(0, at: now) } }

  /// The speeds that a player can play at, forwards and backwards.
  public static let rates = 0.05...16.0

  /// How fast to play: the wish, 0 while paused, below 0 backwards. Set values are brought into `rates`.
  public var rate: Double {
    get { read { core, now in core.rate } }
    set { update { core, now in core.setRate(Self.clamped(newValue), at: now) } }
  }

  /// The rate that `play()` uses; brought into `rates`, unless it is 0, below 0 or no number, which are ignored.
  public var defaultRate: Double {
    get { read { core, _ in core.defaultRate } }
    set { if newValue > 0 { update { core, _ in core.defaultRate = Self.clamped(newValue) } } }
  }

  private static func clamped(_ rate: Double) -> Double {
    if rate == 0 || rate.isNaN { return 0 }
    let speed = min(max(abs(rate), rates.lowerBound), rates.upperBound)
    return rate > 0 ? speed : -speed
  }

  /// Lets several players run in step: at `host` this one's clock shows `time`, running at `rate`.
  ///
  /// - Parameter time: nil keeps what the clock shows at `host`.
  public func setRate(_ rate: Double, time: MediaTime?, atHostTime host: HostTime) {
    update { core, now in
      core.setRate(Self.clamped(rate), media: time?.nanoseconds, anchor: host, at: now)
    }
  }

  public var timeControlStatus: TimeControlStatus { read { core, _ in core.status } }

  /// What a viewer would call the present time: the target while a seek is under way.
  public func currentTime() -> MediaTime { read { core, now in core.currentTime(at: now) } }

  /// Length of the item, corrected once its end has been decoded; indefinite while not known.
  ///
  /// A file that is cut off keeps the length that it announces until playing has come to where its data ends; where that
  /// is may be told before, by `PlayerEvent.endedEarly`.
  public var duration: MediaTime { read { core, _ in core.duration } }

  public var actionAtItemEnd: ActionAtItemEnd {
    get { read { core, _ in core.actionAtItemEnd } }
    set { update { core, now in core.setLoop(range: core.loopRange, action: newValue, at: now) } }
  }

  /// Played over and over while set; the end may be +∞ for the item's end.
  public var loopRange: TimeRange? {
    get { read { core, _ in core.loopRange } }
    set { update { core, now in core.setLoop(range: newValue, action: core.actionAtItemEnd, at: now) } }
  }

  /// Gives out every picture one after another as the display takes them, without a clock and dropping none.
  public var isUntimed: Bool {
    get { read { core, _ in core.isUntimed } }
    set { update { core, now in core.isUntimed = newValue; core.settle(at: now) } }
  }

  /// Keeps the clock from starting, for players that are to start together.
  var isHeldByGroup: Bool {
    get { read { core, _ in core.isHeldByGroup } }
    set { update { core, now in core.setHeldByGroup(newValue, at: now) } }
  }

  // MARK: - Seeking

  /// Goes to `time`; while one seek is in flight only the newest further target waits (QA1820).
  ///
  /// The picture shown afterwards is on display at some time in `time` − before … `time` + after; zero
  /// tolerances are exact. Targets outside the item are brought inside; before the item is ready the seek waits.
  ///
  /// - Parameter completion: called exactly once, from any thread, in the order of asking; never two at once.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .positiveInfinity,
    toleranceAfter: MediaTime = .positiveInfinity,
    completion: (@Sendable (SeekResult) -> Void)? = nil
  ) {
    pool.scrubbing.extend(to: UInt64(max(0, clock.now + PlayerCore.movingPause)))
    update { core, now in
      core.requestSeek(
        SeekRequest(
          target: time, before: max(.zero, toleranceBefore), after: max(.zero, toleranceAfter),
          askedAt: now, completion: completion), at: now)
    }
  }

  /// Goes to `time` and returns how it ended.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime
  ) async -> SeekResult {
    await withCheckedContinuation { continuation in
      seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Drops a target that waits; a seek in flight still lands.
  public func cancelPendingSeeks() { update { core, now in core.cancelPendingSeeks(at: now) } }

  /// Moves by whole pictures, pausing first; negative goes back.
  ///
  /// However many, it is one move where the clip has been indexed.
  public func step(byCount count: Int) { update { core, now in core.step(by: count, at: now) } }

  /// When picture `number` (zero-based) is shown: exactly where the clip has been indexed, else a time in its
  /// middle, worked out from the nominal frame rate.
  ///
  /// - Returns: nil when neither is known.
  public func time(ofFrame number: Int) -> MediaTime? {
    if let map = frameIndex?.timeline {
      if let time = map.time(ofFrame: max(0, number)) { return time }
      // Past the end is the end.
      if map.isComplete { return map.time(ofFrame: map.frameCount - 1) }
    }
    guard let rate = read({ core, _ in core.info?.nominalFrameRate }), rate > 0 else { return nil }
    return MediaTime(seconds: (Double(max(0, number)) + 0.5) / rate, preferredTimescale: 1_000_000)
  }

  /// The frame that is on display at a time, where that is known: the one that is displayed now, or one that the index
  /// tells of; nil for other times, and for those outside the clip.
  public func timing(at time: MediaTime) -> FrameTiming? {
    func holds(_ timing: FrameTiming) -> Bool { timing.pts <= time && time < timing.end }
    if let timing = displayedTiming, holds(timing) { return timing }
    return frameIndex?.timeline?.timing(at: time).flatMap { holds($0) ? $0 : nil }
  }

  /// What is known of the pictures' places; nil before the item is ready, or when nothing ever is.
  public var frameIndex: FrameIndex? { state.withLock { $0.frameIndex } }

  /// Whether a seek has not landed yet.
  public var isSeeking: Bool { read { core, _ in core.seek.isUnderWay } }

  // MARK: - Pictures

  /// What pictures are made for; nil while nobody sees them, when nothing is decoded.
  public var pictureRequest: RenderRequest? {
    get { read { core, _ in core.request } }
    set { update { core, now in core.setRequest(newValue, at: now) } }
  }

  /// Takes the newest picture that is due at `host`, unless it has been taken, and when it was due.
  public func takePicture(at host: HostTime) -> (picture: RenderedFrame, due: HostTime)? {
    update { core, _ in core.takePicture(at: host) }.map { ($0.0, $0.due) }
  }

  /// When to call `takePicture` next; nil when nothing waits or the clock stands.
  public func nextPictureTime(after host: HostTime) -> HostTime? {
    read { core, _ in core.nextPictureHost(after: host) }
  }

  /// The host clock's time now.
  public var hostTime: HostTime { clock.now }

  /// Counts a picture as shown, handed over at `host`.
  public func didShow(due: HostTime, at host: HostTime) {
    state.withLock { state in
      state.core.statistics.shown += 1
      state.core.statistics.lateness.record(host - due)
    }
  }

  /// The picture on display, if any.
  public var displayedTiming: FrameTiming? {
    read { core, _ in core.displayed.map { core.map?.numbered($0.timing) ?? $0.timing } }
  }

  /// What is held in memory around the present time.
  public var loadedTimeRanges: [TimeRange] { read { core, _ in core.loadedRanges } }

  /// Bytes of pictures that may be kept for going back and forth, and of decoders that wait where a moving target has
  /// left them, as far as pictures leave room; `defaultCacheBudget` at first.
  ///
  /// Each step back and each turn of the direction is decoded from a key frame unless pictures are held: with 0 none are
  /// but while playing backwards, which takes 32 MiB then.
  public var cacheBudget: Int {
    get { read { core, _ in core.cache.budget } }
    set { update { core, _ in core.setCacheBudget(max(0, newValue)) } }
  }

  /// `cacheBudget` of a new player: 256 MiB, or an eighth of the machine's memory where that is less. It holds 100
  /// pictures of 1280×720, and thousands of the size of a terminal.
  public static let defaultCacheBudget: Int = {
    let memory = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
    return memory > 0 ? min(256 << 20, memory / 8) : 256 << 20
  }()

  /// Bytes of pictures that are kept now, without those that wait to be displayed, and of the decoders that wait where
  /// a moving target has left them.
  public var cacheByteCount: Int { read { core, _ in core.cache.byteCount + core.feed.waitingBytes } }

  public var statistics: PlayerStatistics {
    read { core, now in
      var statistics = core.statistics
      if core.timebase.isRunning { statistics.playedNanoseconds += max(0, now - core.timebase.anchorHost) }
      return statistics
    }
  }

  /// Called from any thread when there is something new to display; must be quick and must not call back.
  public func setDisplayWaker(_ wake: (@Sendable () -> Void)?) {
    state.withLock { $0.wakeDisplay = wake }
  }

  // MARK: - Inside

  func read<R>(_ body: (inout PlayerCore, HostTime) -> R) -> R { update(body) }

  /// Changes the core under the lock and performs what follows from it afterwards.
  @discardableResult
  func update<R>(_ body: (inout PlayerCore, HostTime) -> R) -> R {
    let now = clock.now
    let (result, effects) = state.withLock { state in
      let result = body(&state.core, now)
      return (result, state.takeEffects())
    }
    if !effects.isEmpty { perform(effects) }
    return result
  }

  /// Now reading the file a second time delays nobody.
  private func buildIndex() {
    let (index, epoch) = state.withLock { ($0.frameIndex, $0.core.feed.epoch) }
    guard let index else { return }
    index.begin()
    index.whenEnded { [weak self, weak index] in
      let map = index?.timeline
      self?.update { core, _ in
        if core.feed.epoch == epoch { core.setMap(map, hasEnded: true) }
      }
    }
  }

  private func drainEffects() -> [PlayerCore.Effect] { state.withLock { $0.takeEffects() } }

  private func perform(_ effects: [PlayerCore.Effect]) {
    var display = false, feed = false, observe = false, index = false, answer = false
    var finishedEpoch: Int?
    for effect in effects {
      switch effect {
      case .display: display = true
      case .feed: feed = true
      case .observe: observe = true
      case .advance(let epoch): finishedEpoch = epoch
      case .index: index = true
      case .complete: answer = true
      }
    }
    if answer { giveAnswers() }
    if feed {
      let now = clock.now
      let (lane, deadline) = state.withLock { ($0.lane, $0.core.deadline(at: now)) }
      lane?.wake(deadline: UInt64(max(0, deadline)))
    }
    if display { state.withLock { $0.wakeDisplay }?() }
    if observe { bus.noteChange() }
    if index { buildIndex() }
    if let finishedEpoch { advance(from: finishedEpoch) }
  }

  /// Calls the completions that wait, unless another thread does already: it goes on with these.
  private func giveAnswers() {
    let isMine = state.withLock { state in
      defer { state.isAnswering = true }
      return !state.isAnswering
    }
    guard isMine else { return }
    while let answer = nextAnswer() { answer.completion(answer.result) }
  }

  private func nextAnswer() -> Answer? {
    state.withLock { state in
      let answer = state.answers.popFirst()
      if answer == nil { state.isAnswering = false }
      return answer
    }
  }
}
