/// The core's knowledge of its lane and of other players, and whether it has requested the index.
struct LaneStatus {
  /// Memory used by retained decoders, in bytes.
  private(set) var retainedBytes = 0
  /// True if any player that shares the pool is scrubbing.
  private(set) var isAnyPlayerScrubbing = false
  /// True if the player still plays the item before: nothing that is decoded is due yet.
  private(set) var isAhead = false
  private var hasAskedForIndex = false

  /// The status of an item that will follow another.
  static var ahead: LaneStatus {
    var status = LaneStatus()
    status.isAhead = true
    return status
  }

  mutating func setRetainedBytes(_ bytes: Int) { retainedBytes = bytes }

  mutating func setAnyPlayerScrubbing(_ scrubbing: Bool) { isAnyPlayerScrubbing = scrubbing }

  /// Notes that the item is now the current one.
  mutating func becomePresent() { isAhead = false }

  /// Requests the index, once, and not for an item that is still ahead.
  mutating func askForIndex() -> Effects {
    guard !hasAskedForIndex, !isAhead else { return .none }
    hasAskedForIndex = true
    return .wake(.index)
  }
}
