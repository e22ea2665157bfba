import DecodePool
import DequeModule

/// An item with its lane and index.
struct OpenedItem {
  var item: PlayerItem?
  var lane: Lane?
  var index: FrameIndex?

  func close() {
    lane?.close()
    item?.interrupt()
  }
}

/// An item of the queue that has been opened before its turn.
struct UpcomingItem {
  var playback: ItemPlayback
  var opened: OpenedItem
}

/// A player's state, which its lock protects: the core, and what belongs to its items.
struct PlayerState {
  var core = PlayerCore()
  /// The current item.
  var current = OpenedItem()
  /// Opened items of the queue: the first one, shortly before its turn, and any that others were inserted before.
  var ahead: [UpcomingItem] = []
  var queue: [PlayerItem] = []
  private var itemCount = 0
  let decoderThreads: Int
  /// The wakers of the outputs, by output.
  var wakers: [Int: @Sendable () -> Void] = [:]
  /// Results of seeks in order, delivered by one thread at a time.
  var answers = Deque<SeekCompletion>()
  var isAnswering = false
  /// True if the player has sound, which follows the clock's course.
  var followsSound = false
  private(set) var soundCourse = SoundCourse()
  /// Counts the changes of the course.
  private(set) var soundVersion = 0

  init(decoderThreads: Int) { self.decoderThreads = decoderThreads }

  /// Takes the effects of decisions about the current item.
  mutating func takeEffects() -> Effects {
    var effects = note(core.takeEffects())
    if followsSound, noteSoundCourse() { effects.wakes.insert(.sound) }
    return effects
  }

  /// Returns true if the sound has to follow another course.
  private mutating func noteSoundCourse() -> Bool {
    let next = openedNextItem
    guard let course = core.soundCourse(nextItem: next), course != soundCourse else { return false }
    soundCourse = course
    soundVersion += 1
    return true
  }

  /// The number of the queue's first item, once it has been opened, and so can follow the current one; nil before. Others may
  /// have been opened earlier.
  private var openedNextItem: Int? {
    guard let item = queue.first else { return nil }
    return ahead.first { $0.opened.item === item }?.playback.number
  }

  /// The current item and those opened ahead, by number.
  var itemsByNumber: [Int: PlayerItem] {
    var items: [Int: PlayerItem] = [:]
    if let item = current.item { items[core.item.number] = item }
    for upcoming in ahead { items[upcoming.playback.number] = upcoming.opened.item }
    return items
  }

  /// Queues the results of seeks. Returns all effects.
  mutating func note(_ effects: Effects) -> Effects {
    answers += effects.completions
    return effects
  }

  /// Changes the state of an item, current or opened ahead; nil if nothing is decoded of it any more.
  mutating func change<R>(item number: Int, _ body: (inout PlayerCore) -> R) -> (result: R, effects: Effects)? {
    if core.item.number == number {
      let result = body(&core)
      return (result, takeEffects())
    }
    guard let index = ahead.firstIndex(where: { $0.playback.number == number }) else { return nil }
    return prepare(index, body)
  }

  /// Changes the state of an item that is opened ahead, by its index among these.
  mutating func prepare<R>(_ index: Int, _ body: (inout PlayerCore) -> R) -> (result: R, effects: Effects) {
    var core = PlayerCore(ahead: ahead[index].playback, for: core.outputs)
    let result = body(&core)
    let effects = note(core.takeEffects())
    ahead[index].playback = core.item
    return (result, effects)
  }

  /// Reads the state of an item, current or opened ahead; nil if nothing is decoded of it any more.
  func read<R>(item number: Int, _ body: (PlayerCore) -> R) -> R? {
    if core.item.number == number { return body(core) }
    return ahead.first { $0.playback.number == number }.map { body(PlayerCore(ahead: $0.playback, for: core.outputs)) }
  }

  /// Changes what belongs to an item, current or opened ahead; nil if nothing is decoded of it any more.
  mutating func withOpened<R>(item number: Int, _ body: (inout OpenedItem) -> R) -> R? {
    if core.item.number == number { return body(&current) }
    guard let index = ahead.firstIndex(where: { $0.playback.number == number }) else { return nil }
    return body(&ahead[index].opened)
  }

  /// Takes what has been opened of an item that has left the queue; nil if nothing has.
  mutating func takeAhead(_ item: PlayerItem) -> UpcomingItem? {
    ahead.firstIndex { $0.opened.item === item }.map { ahead.remove(at: $0) }
  }

  mutating func open(_ item: PlayerItem) -> UpcomingItem {
    itemCount += 1
    return UpcomingItem(playback: ItemPlayback(number: itemCount), opened: OpenedItem(item: item))
  }
}
