/// How a player's clock came from one moment to another: what the observer bus reads.
enum Passage: Equatable {
  /// Played through, in nanoseconds of media time.
  case played(from: Int64, to: Int64)
  case jumped(to: Int64)
  case started(at: Int64)
  case stopped(at: Int64)
  case event(PlayerEvent)
}

/// Remembers passages until the bus reads them; bounded, because nobody may be reading.
struct TimeLog {
  private var entries: [Passage] = []
  /// Up to where playing has been reported.
  private(set) var reportedUpTo: Int64 = 0
  /// Number of the first of `entries`, counted from the first one ever.
  private var first = 0
  /// The last entry must not be changed any more.
  private var isSealed = false

  private static let capacity = 256

  mutating func played(to media: Int64) {
    guard media != reportedUpTo else { return }
    if case .played(let from, _)? = entries.last, !isSealed {
      entries[entries.count - 1] = .played(from: from, to: media)
    } else {
      append(.played(from: reportedUpTo, to: media))
    }
    reportedUpTo = media
  }

  mutating func jumped(to media: Int64) {
    // Of jumps in a row only the last can be seen.
    if case .jumped? = entries.last, !isSealed { entries.removeLast() }
    append(.jumped(to: media))
    reportedUpTo = media
  }

  mutating func started(at media: Int64) {
    append(.started(at: media))
    reportedUpTo = media
  }

  mutating func stopped(at media: Int64) { append(.stopped(at: media)) }

  mutating func event(_ event: PlayerEvent) {
    // What is the same each time it is looked at need not be reported twice in a row.
    if event == .loadedTimeRangesChanged, entries.last == .event(event), !isSealed { return }
    append(.event(event))
  }

  /// Number of the next entry; what is reported from here on will not be joined with what came before.
  mutating func mark() -> Int {
    isSealed = true
    return first + entries.count
  }

  private mutating func append(_ passage: Passage) {
    isSealed = false
    if entries.count >= Self.capacity {
      // Events must reach their observers; a lost stretch of playing costs a stale bar only.
      let i = entries.firstIndex { if case .event = $0 { false } else { true } }
      entries.remove(at: i ?? 0)
      first += 1
    }
    entries.append(passage)
  }

  /// Takes all that waits, with the number of its first.
  mutating func drain() -> (first: Int, passages: [Passage]) {
    defer {
      first += entries.count
      entries.removeAll(keepingCapacity: true)
    }
    return (first, entries)
  }

  var isEmpty: Bool { entries.isEmpty }
}
