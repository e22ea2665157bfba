import DecodePool
import DequeModule
import Synchronization

/// Plays an item or a queue of items, with transport control, seeking and stepping.
///
/// The context's threads decode frames ahead; a `VideoOutput` returns them. All calls may come from any thread and return
/// immediately, without waiting for the decoder.
public final class Player: Sendable {
  /// The resources shared with other players; retained by the player.
  public let context: PlaybackContext
  /// The player's sound; nil if the context has none.
  let sound: PlayerSound?
  private let state: Mutex<PlayerState>

  /// - Parameters:
  ///   - context: shared by all players that use one clock.
  ///   - decoderThreads: decoder threads for this player, at least 1; 1 means none in addition to the context's.
  public init(context: PlaybackContext, decoderThreads: Int = 1) {
    self.context = context
    var state = PlayerState(decoderThreads: max(1, decoderThreads))
    state.core.setCacheBudget(Self.defaultCacheBudget)
    let owner = WeakOwner<Player>()
    sound = context.sound.map { engine in
      PlayerSound(engine, pool: context.pool, clock: context.clock) { item, media in
        owner.object?.update(item: item) { core, now in core.didFindSoundEnd(media, at: now) }
      }
    }
    state.followsSound = sound != nil
    self.state = Mutex(state)
    owner.set(self)
    bus.register(self)
  }

  deinit {
    bus.unregister(ObjectIdentifier(self))
    let (current, ahead, answers) = state.withLock { state in
      state.core.cancelSeeks()
      _ = state.takeEffects()
      return (state.current, state.ahead.map(\.opened), state.answers)
    }
    current.close()
    for opened in ahead { opened.close() }
    for answer in answers { answer.call(answer.result) }
  }

  var clock: any HostClock { context.clock }
  var bus: TimeObserverBus { context.bus }
  var pool: DecodePool { context.pool }

  // MARK: - Items

  /// The item being played or opened; nil if there is none. An item that has failed stays.
  public var currentItem: PlayerItem? { state.withLock { $0.current.item } }

  /// Replaces the current item, or removes it; the rate and `actionAtItemEnd` are kept.
  ///
  /// Opens the item on another thread; `PlayerEvent.itemReady` or `.itemFailed` reports the result. The results of
  /// unfinished seeks are `.superseded`. The queue is kept.
  ///
  /// - Parameter item: an item that no player has used; the player retains it.
  /// - Returns: false, with no effect, if a player has already used the item.
  @discardableResult
  public func replaceCurrentItem(with item: PlayerItem?) -> Bool {
    if let item, !item.claim(for: self) { return false }
    changeItem { _ in .to(item) }
    return true
  }

  /// A change of the current item.
  private enum ItemChange {
    case none
    case to(PlayerItem?)
  }

  /// Changes the current item as `choose` decides, together with the queue, so that no call of several threads is lost.
  ///
  /// - Returns: true if the current item has changed, or was removed.
  @discardableResult
  private func changeItem(_ choose: (inout PlayerState) -> ItemChange) -> Bool {
    let now = clock.time
    let change = state.withLock { state -> (former: OpenedItem, item: PlayerItem?, number: Int, isToOpen: Bool, effects: Effects)? in
      guard case .to(let item) = choose(&state) else { return nil }
      let former = state.current
      let opened = item.flatMap { state.takeAhead($0) }
      let new = opened ?? item.map { state.open($0) }
      state.core.replaceItem(with: new?.playback ?? ItemPlayback(), at: now)
      state.current = new?.opened ?? OpenedItem()
      return (former, item, state.core.item.number, opened == nil, state.takeEffects())
    }
    guard let change else { return false }
    change.former.close()
    perform(change.effects, item: change.number)
    if change.isToOpen, let item = change.item { open(item, change.number) }
    return true
  }

  private func open(_ item: PlayerItem, _ number: Int) {
    let (threads, outputs) = state.withLock { ($0.decoderThreads, $0.core.outputs) }
    if outputs.isVisible { item.noteRequests(outputs.requests) }
    item.open(threads: threads) { [weak self] in self?.itemDidOpen($0, number) }
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
        state.withOpened(item: number) { opened in (opened.lane, opened.index) = (lane, box.index) } != nil
      }
      // Another item may have become current meanwhile.
      guard isCurrent else { return lane.close() }
      box.session?.observeWaits { [weak self, weak lane, weak session = box.session] isWaiting in
        lane?.setBlocked(isWaiting)
        let supply = session?.supply
        self?.update(item: number) { core, now in core.sourceWaits(isWaiting, supply, at: now) }
      }
      box.session?.observeArrivals { [weak self, weak session = box.session] in
        let supply = session?.supply
        self?.update(item: number) { core, now in core.noteSupply(supply, at: now) }
      }
      update(item: number) { core, now in core.itemDidOpen(box.info, at: now) }
    }
  }

  func fail(_ error: PlaybackError, item number: Int) {
    let item = state.withLock { state in state.withOpened(item: number) { $0.item } }
    guard let item = item ?? nil else { return }
    item.fail(error)
    update(item: number) { core, now in core.itemDidFail(error, at: now) }
  }

  // MARK: - The queue

  /// The items that follow the current one if `actionAtItemEnd` is `.advance`, next one first.
  ///
  /// The next item is opened some seconds before the current one ends, and starts at the moment it ends.
  public var queuedItems: [PlayerItem] { state.withLock { $0.queue } }

  /// Queues an item, or plays it immediately if there is no current item.
  ///
  /// - Parameters:
  ///   - item: an item that no player has used; the player retains it.
  ///   - former: the current or queued item that it follows; nil to append it.
  /// - Returns: false, with no effect, if a player has already used the item, or `former` is not in the queue.
  @discardableResult
  public func insert(_ item: PlayerItem, after former: PlayerItem? = nil) -> Bool {
    guard item.claim(for: self) else { return false }
    var isQueued = false
    let isCurrent = changeItem { state in
      if state.current.item == nil, former == nil { return .to(item) }
      let index: Int? =
        switch former {
        case nil: state.queue.count
        case .some(let former) where former === state.current.item: 0
        default: state.queue.firstIndex { $0 === former }.map { $0 + 1 }
        }
      guard let index else { return .none }
      state.queue.insert(item, at: index)
      isQueued = true
      return .none
    }
    if isQueued { openNextIfNear() } else if !isCurrent { item.disclaim() }
    return isQueued || isCurrent
  }

  /// Moves a queued item to the front of the queue.
  ///
  /// - Returns: false, with no effect, if it is not queued.
  @discardableResult
  public func bringForward(_ item: PlayerItem) -> Bool {
    let isQueued = state.withLock { state in
      guard let index = state.queue.firstIndex(where: { $0 === item }) else { return false }
      state.queue.insert(state.queue.remove(at: index), at: 0)
      return true
    }
    openNextIfNear()
    return isQueued
  }

  /// Opens the first queued items now and decodes their first frames, so that any of them can follow without a gap. Use it
  /// when the next item is chosen late.
  ///
  /// - Parameter count: number of items; each uses the memory of an open file and a few frames.
  public func openQueuedItems(_ count: Int) {
    let openings = state.withLock { state -> [(item: PlayerItem, number: Int)] in
      state.queue.prefix(max(0, count)).filter { item in !state.ahead.contains { $0.opened.item === item } }.map { item in
        let next = state.open(item)
        state.ahead.append(next)
        return (item, next.playback.number)
      }
    }
    for opening in openings { open(opening.item, opening.number) }
  }

  /// Removes an item from the queue. Removing the current item plays the next one, like `advanceToNextItem()`.
  ///
  /// - Returns: false, with no effect, if the item is neither queued nor current.
  @discardableResult
  public func remove(_ item: PlayerItem) -> Bool {
    let number = state.withLock { $0.current.item === item ? $0.core.item.number : nil }
    if let number {
      playNext(after: number)
      return true
    }
    let (isQueued, opened) = state.withLock { state -> (Bool, UpcomingItem?) in
      guard let index = state.queue.firstIndex(where: { $0 === item }) else { return (false, nil) }
      state.queue.remove(at: index)
      return (true, state.takeAhead(item))
    }
    opened?.opened.close()
    openNextIfNear()
    return isQueued
  }

  /// Removes all items from the queue; the current item keeps playing.
  public func removeQueuedItems() {
    let opened = state.withLock { state in
      defer { (state.queue, state.ahead) = ([], []) }
      return state.ahead
    }
    for upcoming in opened { upcoming.opened.close() }
  }

  /// Opens the new first item of the queue, if it may follow soon.
  private func openNextIfNear() { update { core, now in core.advance(to: now) } }

  /// Continues with the next queued item at the current rate; if there is none, pauses and keeps the current item.
  public func advanceToNextItem() { playNext(after: nil) }

  /// - Parameter number: the number of the item that has ended; does nothing if another item has become current since.
  private func playNext(after number: Int?) {
    let now = clock.time
    let isChanged = changeItem { state in
      guard number == nil || number == state.core.item.number else { return .none }
      guard state.queue.isEmpty else { return .to(state.queue.removeFirst()) }
      state.core.setRate(0, at: now)
      return .none
    }
    if !isChanged { update { _, _ in } }
  }

  /// The frame index of the current item; nil before the item is ready, or if its source has none.
  public var frameIndex: FrameIndex? { state.withLock { $0.current.index } }

  // MARK: - Inside

  /// Reads the core under the lock.
  func read<R>(_ body: (PlayerCore, HostTime) -> R) -> R {
    let now = clock.time
    return state.withLock { body($0.core, now) }
  }

  /// Changes the core under the lock, and then performs the effects.
  @discardableResult
  func update<R>(_ body: (inout PlayerCore, HostTime) -> R) -> R {
    let now = clock.time
    let (result, effects, item) = state.withLock { state in
      let result = body(&state.core, now)
      return (result, state.takeEffects(), state.core.item.number)
    }
    if !effects.isEmpty { perform(effects, item: item) }
    return result
  }

  /// Changes the core that plays or will play an item; nil if nothing is decoded of it any more.
  @discardableResult
  func update<R: Sendable>(item number: Int, _ body: (inout PlayerCore, HostTime) -> R) -> R? {
    let now = clock.time
    guard let change = state.withLock({ state in state.change(item: number) { body(&$0, now) } }) else { return nil }
    if !change.effects.isEmpty { perform(change.effects, item: number) }
    return change.result
  }

  // MARK: - Outputs

  func addOutput() -> Int { update { core, _ in core.addOutput() } }

  func removeOutput(_ id: Int) {
    setWaker(nil, of: id)
    updateOutputs { core, now in core.removeOutput(id, at: now) }
  }

  func setRequest(_ request: RenderRequest?, of output: Int) {
    updateOutputs { core, now in core.setRequest(request, of: output, at: now) }
  }

  private func updateOutputs(_ body: (inout PlayerCore, HostTime) -> Void) {
    let now = clock.time
    // In one step, lest an item start meanwhile and receive later changes.
    let (effects, items, requests) = state.withLock { state in
      let former = state.core.outputs
      body(&state.core, now)
      var effects = [(item: state.core.item.number, effects: state.takeEffects())]
      for index in state.ahead.indices {
        let change = state.prepare(index) { core in core.outputsDidChangeAhead(from: former, at: now) }
        effects.append((state.ahead[index].playback.number, change.effects))
      }
      let requests = state.core.outputs.requests
      let items = requests == former.requests ? [] : ([state.current] + state.ahead.map(\.opened)).compactMap(\.item)
      return (effects, items, requests)
    }
    for item in items { item.noteRequests(requests) }
    for (item, effects) in effects where !effects.isEmpty { perform(effects, item: item) }
  }

  func setWaker(_ wake: (@Sendable () -> Void)?, of output: Int) { state.withLock { $0.wakers[output] = wake } }

  private func perform(_ effects: Effects, item: Int) {
    if !effects.completions.isEmpty { giveAnswers() }
    if effects.wakes.contains(.lane) {
      let now = clock.time
      let wake = state.withLock { state -> (OpenedItem, HostTime, isBlocking: Bool)? in
        guard let opened = state.withOpened(item: item, { $0 }) else { return nil }
        return state.read(item: item) { (opened, $0.deadline(at: now), $0.isBlockingSeek) }
      }
      if let (opened, deadline, isBlocking) = wake {
        if isBlocking { opened.item?.abandonReads() }
        opened.lane?.wake(deadline: UInt64(max(0, deadline)))
      }
    }
    if effects.wakes.contains(.display) {
      for wake in state.withLock({ Array($0.wakers.values) }) { wake() }
    }
    if effects.wakes.contains(.observers) { bus.noteChange() }
    if effects.wakes.contains(.index) { readOnceMore() }
    if effects.wakes.contains(.openNext) { openQueuedItems(1) }
    if effects.wakes.contains(.sound) { leadSound() }
    if effects.wakes.contains(.nextItem) { playNext(after: item) }
  }

  private func leadSound() {
    let (course, version, items) = state.withLock { ($0.soundCourse, $0.soundVersion, $0.itemsByNumber) }
    sound?.follow(course, version: version, items: items)
  }

  /// Reading the file a second time no longer delays anyone.
  private func readOnceMore() {
    let (item, index, number) = state.withLock { ($0.current.item, $0.current.index, $0.core.item.number) }
    item?.openAhead()
    guard let index else { return }
    index.beginInBackground()
    index.whenEnded { [weak self, weak index] in
      let timeline = index?.timeline
      self?.update(item: number) { core, now in core.setTimeline(timeline, hasEnded: true, at: now) }
    }
  }

  /// Calls the waiting completions, unless another thread is doing so: it then continues with these.
  private func giveAnswers() {
    let isMine = state.withLock { state in
      defer { state.isAnswering = true }
      return !state.isAnswering
    }
    guard isMine else { return }
    while let answer = takeAnswer() { answer.call(answer.result) }
  }

  private func takeAnswer() -> SeekCompletion? {
    state.withLock { state in
      let answer = state.answers.popFirst()
      if answer == nil { state.isAnswering = false }
      return answer
    }
  }
}
