/// How a player's clock came from one moment to another: what the observer bus reads.
enum Travel: Equatable {
  /// Played through, in nanoseconds of media time.
  case played(from: Int64, to: Int64)
  case jumped(to: Int64)
  case started(at: Int64)
  case stopped(at: Int64)
  case event(PlayerEvent)
}

/// Remembers travels until the bus reads them; bounded, because nobody may be reading.
struct TravelLog {
  private var entries: [Travel] = []
  /// Up to where playing has been told.
  private(set) var told: Int64 = 0

  private static let capacity = 256

  mutating func played(to media: Int64) {
    guard media != told else { return }
    if case .played(let from, _)? = entries.last {
      entries[entries.count - 1] = .played(from: from, to: media)
    } else {
      append(.played(from: told, to: media))
    }
    told = media
  }

  mutating func jumped(to media: Int64) {
    // Of jumps in a row only the last can be seen.
    if case .jumped? = entries.last { entries.removeLast() }
    append(.jumped(to: media))
    told = media
  }

  mutating func started(at media: Int64) {
    append(.started(at: media))
    told = media
  }

  mutating func stopped(at media: Int64) { append(.stopped(at: media)) }

  mutating func event(_ event: PlayerEvent) { append(.event(event)) }

  private mutating func append(_ travel: Travel) {
    if entries.count >= Self.capacity {
      // Events must reach their observers; a lost stretch of playing costs a stale bar only.
      let i = entries.firstIndex { if case .event = $0 { false } else { true } }
      entries.remove(at: i ?? 0)
    }
    entries.append(travel)
  }

  mutating func drain() -> [Travel] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  var isEmpty: Bool { entries.isEmpty }
}
