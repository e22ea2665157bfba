import DecodePool
import DequeModule

/// An item, and what plays it.
struct PlayingItem {
  var core = PlayerCore()
  var item: PlayerItem?
  var lane: Lane?
  var index: FrameIndex?

  /// Its number, which the lane's tickets bear; 0 once nothing is decoded any more.
  var number: Int { core.decode.ticket.item }

  func close() {
    lane?.close()
    item?.interrupt()
  }
}

/// What a player has under its lock.
struct PlayerState {
  var current = PlayingItem()
  /// Items of the queue that have been opened: its first one, shortly before its turn, and such as others were put before.
  var ahead: [PlayingItem] = []
  var queue: [PlayerItem] = []
  private var itemCount = 0
  let decoderThreads: Int
  /// What wakes those that look, by output.
  var wakers: [Int: @Sendable () -> Void] = [:]
  /// Answers to seeks in order, which one thread at a time gives.
  var answers = Deque<SeekCompletion>()
  var isAnswering = false

  init(decoderThreads: Int) { self.decoderThreads = decoderThreads }

  /// What follows from decisions about the current item.
  mutating func takeEffects() -> Effects { note(current.core.takeEffects()) }

  /// Puts answers to seeks in their row. Returns all effects.
  mutating func note(_ effects: Effects) -> Effects {
    answers += effects.completions
    return effects
  }

  /// Changes what plays an item, or is to; nil when nothing is decoded of it any more.
  mutating func change<R>(item number: Int, _ body: (inout PlayingItem) -> R) -> R? {
    if current.number == number { return body(&current) }
    guard let index = ahead.firstIndex(where: { $0.number == number }) else { return nil }
    return body(&ahead[index])
  }

  /// What has been opened of an item of the queue, which is none of them any more; nil where nothing has.
  mutating func takeAhead(_ item: PlayerItem) -> PlayingItem? {
    ahead.firstIndex { $0.item === item }.map { ahead.remove(at: $0) }
  }

  mutating func open(_ item: PlayerItem) -> PlayingItem {
    itemCount += 1
    return PlayingItem(core: current.core.ahead(item: itemCount), item: item)
  }
}
