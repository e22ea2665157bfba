import DecodePool
import DequeModule
import Synchronization

/// Plays one item (or a queue of them): transport, clock, seeking and frames.
///
/// Frames are decoded ahead by the context's threads and looked at through a `VideoOutput`. Everything may be called from
/// any thread and returns at once; nothing waits for the decoder.
public final class Player: Sendable {
  /// What it shares with other players; kept as long as the player lasts.
  public let context: PlaybackContext
  private let state: Mutex<State>

  private struct State {
    var core = PlayerCore()
    var item: PlayerItem?
    var queue: [PlayerItem] = []
    var lane: Lane?
    var index: FrameIndex?
    let decoderThreads: Int
    /// What wakes those that look, by output.
    var wakers: [Int: @Sendable () -> Void] = [:]
    /// Answers to seeks in order, which one thread at a time gives.
    var answers = Deque<SeekCompletion>()
    var isAnswering = false

    /// What follows from decisions; answers to seeks are put in their row.
    mutating func takeEffects() -> Effects {
      let effects = core.takeEffects()
      answers += effects.completions
      return effects
    }
  }

  /// - Parameters:
  ///   - context: shared by all players that are to run by one clock.
  ///   - decoderThreads: threads that the decoder may use for this player besides the context's; at least 1, which means
  ///     none besides.
  public init(context: PlaybackContext, decoderThreads: Int = 1) {
    self.context = context
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
    for answer in answers { answer.call(answer.result) }
  }

  var clock: any HostClock { context.clock }
  var bus: TimeObserverBus { context.bus }
  var pool: DecodePool { context.pool }

  // MARK: - Items

  /// The item that is played, or is to be once it is open; nil when there is none. An item that has failed stays.
  public var currentItem: PlayerItem? { state.withLock { $0.item } }

  /// Takes another item, or none; rate and the action at its end stay.
  ///
  /// The item is opened at once, on another thread: `PlayerEvent.itemReady` or `.itemFailed` tells how that went. Seeks that
  /// have not landed are answered with `.superseded`. What was queued stays.
  ///
  /// - Parameter item: one that no player has had, of which this player keeps hold.
  /// - Returns: false, changing nothing, when a player has, or had, the item.
  @discardableResult
  public func replaceCurrentItem(with item: PlayerItem?) -> Bool {
    if let item, !item.claim(for: self) { return false }
    setItem(item)
    return true
  }

  private func setItem(_ item: PlayerItem?) {
    let now = clock.now
    let (oldLane, oldItem, threads, number) = state.withLock { state in
      let old = (state.lane, state.item)
      state.core.setItem(present: item != nil, at: now)
      state.item = item
      state.lane = nil
      state.index = nil
      return (old.0, old.1, state.decoderThreads, state.core.decode.ticket.item)
    }
    oldLane?.close()
    oldItem?.interrupt()
    perform(state.withLock { $0.takeEffects() })
    item?.open(threads: threads) { [weak self] opening in self?.itemDidOpen(opening, number) }
  }

  private func itemDidOpen(_ opening: PlayerItem.Opening, _ number: Int) {
    switch opening {
    case .failure(let error):
      fail(error, item: number)
    case .success(let box):
      let driver = DecodeDriver(box, item: number, pool: pool, player: self)
      let lane = pool.makeLane {
        driver.step()
      } whenUnserved: { [weak self] error in
        self?.fail(PlaybackError(error), item: number)
      }
      let isCurrent = state.withLock { state in
        guard state.core.decode.ticket.item == number else { return false }
        state.lane = lane
        state.index = box.index
        return true
      }
      guard isCurrent else { return lane.close() }
      update { core, now in
        // Another item may have come meanwhile.
        if core.decode.ticket.item == number { core.itemDidOpen(box.info, at: now) }
      }
    }
  }

  func fail(_ error: PlaybackError, item number: Int) {
    let item = state.withLock { $0.core.decode.ticket.item == number ? $0.item : nil }
    guard let item else { return }
    item.fail(error)
    update { core, now in
      if core.decode.ticket.item == number { core.itemDidFail(error, at: now) }
    }
  }

  /// Items that follow the current one when `actionAtItemEnd` is `.advance`, the next one first.
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

  /// Goes on with the next item of the queue, at the present rate; without one the player pauses and keeps its item.
  public func advanceToNextItem() { advance(from: nil) }

  /// - Parameter number: that of the item that has ended: if another has come meanwhile nothing is left to do.
  private func advance(from number: Int?) {
    let (isCurrent, next) = state.withLock { state -> (Bool, PlayerItem?) in
      guard number == nil || number == state.core.decode.ticket.item else { return (false, nil) }
      return (true, state.queue.isEmpty ? nil : state.queue.removeFirst())
    }
    guard isCurrent else { return }
    if let next { setItem(next) } else { pause() }
  }

  /// What is known of the frames' places; nil before the item is ready, or when nothing ever is.
  public var frameIndex: FrameIndex? { state.withLock { $0.index } }

  // MARK: - Inside

  /// Looks at the core under the lock.
  func read<R>(_ body: (PlayerCore, HostTime) -> R) -> R {
    let now = clock.now
    return state.withLock { body($0.core, now) }
  }

  /// Changes the core under the lock and performs what follows from it afterwards.
  @discardableResult
  func update<R>(_ body: (inout PlayerCore, HostTime) -> R) -> R {
    let now = clock.now
    let (result, effects, item) = state.withLock { state in
      let result = body(&state.core, now)
      return (result, state.takeEffects(), state.core.decode.ticket.item)
    }
    if !effects.isEmpty { perform(effects, item: item) }
    return result
  }

  func addOutput() -> Int { update { core, _ in core.addOutput() } }

  func removeOutput(_ id: Int) {
    setWaker(nil, of: id)
    update { core, now in core.removeOutput(id, at: now) }
  }

  func setWaker(_ wake: (@Sendable () -> Void)?, of output: Int) { state.withLock { $0.wakers[output] = wake } }

  private func perform(_ effects: Effects, item: Int? = nil) {
    if !effects.completions.isEmpty { giveAnswers() }
    if effects.wakes.contains(.lane) {
      let now = clock.now
      let (lane, deadline) = state.withLock { ($0.lane, $0.core.deadline(at: now)) }
      lane?.wake(deadline: UInt64(max(0, deadline)))
    }
    if effects.wakes.contains(.display) {
      for wake in state.withLock({ Array($0.wakers.values) }) { wake() }
    }
    if effects.wakes.contains(.observers) { bus.noteChange() }
    if effects.wakes.contains(.index) { buildIndex() }
    if effects.wakes.contains(.nextItem), let item { advance(from: item) }
  }

  /// Now reading the file a second time delays nobody.
  private func buildIndex() {
    let (index, number) = state.withLock { ($0.index, $0.core.decode.ticket.item) }
    guard let index else { return }
    index.begin()
    index.whenEnded { [weak self, weak index] in
      let timeline = index?.timeline
      self?.update { core, _ in
        if core.decode.ticket.item == number { core.setTimeline(timeline, hasEnded: true) }
      }
    }
  }

  /// Calls the completions that wait, unless another thread does already: it goes on with these.
  private func giveAnswers() {
    let isMine = state.withLock { state in
      defer { state.isAnswering = true }
      return !state.isAnswering
    }
    guard isMine else { return }
    while let answer = nextAnswer() { answer.call(answer.result) }
  }

  private func nextAnswer() -> SeekCompletion? {
    state.withLock { state in
      let answer = state.answers.popFirst()
      if answer == nil { state.isAnswering = false }
      return answer
    }
  }
}
