/// A change of a player's clock from one time to another, as read by the observer bus.
package enum Passage: Equatable, Sendable {
  /// Played through, in nanoseconds of media time.
  case played(from: Int64, to: Int64)
  case jumped(to: Int64)
  case started(at: Int64)
  /// Playback begins at a time that the clock was set to, rather than one that was played to.
  case entered(at: Int64)
  case stopped(at: Int64)
  case event(PlayerEvent)
}

/// Records passages until the bus reads them; bounded, because nobody may be reading.
struct TimeLog {
  struct Entry: Equatable {
    /// Counted from the very first entry.
    let number: Int
    var passage: Passage
  }

  private var entries: [Entry] = []
  /// The time up to which playback has been reported.
  private(set) var reportedUpTo: Int64 = 0
  /// The number of the next entry.
  private var nextNumber = 0
  /// True if the clock was set to its time, and has not played from there yet.
  private var isSet = true
  /// True if the last entry must not be changed any more.
  private var isSealed = false

  private static let capacity = 256

  mutating func played(to media: Int64) {
    guard media != reportedUpTo else { return }
    if case .played(let from, _)? = entries.last?.passage, !isSealed {
      entries[entries.count - 1].passage = .played(from: from, to: media)
    } else {
      append(.played(from: reportedUpTo, to: media))
    }
    reportedUpTo = media
    isSet = false
  }

  mutating func jumped(to media: Int64) {
    // Of consecutive jumps, only the last is visible.
    if case .jumped? = entries.last?.passage, !isSealed {
      entries[entries.count - 1].passage = .jumped(to: media)
    } else {
      append(.jumped(to: media))
    }
    reportedUpTo = media
    isSet = true
  }

  /// - Parameter backwards: after a wait in reverse playback, it may start before the time already played.
  mutating func started(at media: Int64, backwards: Bool = false) {
    append(.started(at: media))
    reportedUpTo = backwards ? min(reportedUpTo, media) : media
  }

  /// Notes that the clock plays from its time on, if it was set to it.
  mutating func entered(at media: Int64) {
    guard isSet else { return }
    isSet = false
    append(.entered(at: media))
  }

  mutating func stopped(at media: Int64) { append(.stopped(at: media)) }

  mutating func event(_ event: PlayerEvent) {
    // An event without a value need not be reported twice in a row.
    if event == .cachedTimeRangesChanged, entries.last?.passage == .event(event), !isSealed { return }
    append(.event(event))
  }

  /// Returns the number of the next entry; later entries will not be merged with earlier ones.
  mutating func mark() -> Int {
    isSealed = true
    return nextNumber
  }

  private mutating func append(_ passage: Passage) {
    isSealed = false
    if entries.count >= Self.capacity { entries.remove(at: expendableIndex) }
    entries.append(Entry(number: nextNumber, passage: passage))
    nextNumber += 1
  }

  /// The most expendable entry: the oldest stretch of playback, which costs a stale bar or a boundary; else an event that a
  /// later one of its kind supersedes; else the oldest.
  /// that a later one of its kind supersedes; else the oldest.
  private var expendableIndex: Int {
    if let i = entries.firstIndex(where: { if case .event = $0.passage { false } else { true } }) { return i }
    var newer: Set<StateKind> = []
    var superseded: Int?
    for (i, entry) in entries.enumerated().reversed() {
      guard case .event(let event) = entry.passage, let kind = StateKind(event) else { continue }
      if !newer.insert(kind).inserted { superseded = i }
    }
    return superseded ?? 0
  }

  /// Takes all waiting entries, in order.
  mutating func drain() -> [Entry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  var isEmpty: Bool { entries.isEmpty }
}

/// The state an event reports, so that of several in a row only the newest matters.
private enum StateKind {
  case item, status, rate, time, duration, cachedTimeRanges, frames

  init?(_ event: PlayerEvent) {
    switch event {
    case .currentItemChanged: self = .item
    case .statusChanged: self = .status
    case .rateChanged: self = .rate
    case .timeJumped: self = .time
    case .durationChanged: self = .duration
    case .cachedTimeRangesChanged: self = .cachedTimeRanges
    case .framesIndexed: self = .frames
    case .itemReady, .itemFailed, .playedToEnd, .playedToStart, .stalled, .endedEarly: return nil
    }
  }
}
