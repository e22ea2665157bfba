/// The core's knowledge of its lane and of other players, and whether it has requested the index.
struct LaneStatus {
  /// Bytes of decoders that wait where seeks to elsewhere have left them.
  private(set) var retainedBytes = 0
  /// True if any player that shares the pool is scrubbing.
  private(set) var isAnyPlayerScrubbing = false
  /// True if the player still plays the item before: nothing that is decoded is due yet.
  private(set) var isAhead = false
  private var hasAskedForIndex = false

  /// Of an item that is to follow another.
  static var ahead: LaneStatus {
    var status = LaneStatus()
    status.isAhead = true
    return status
  }

  mutating func setRetainedBytes(_ bytes: Int) { retainedBytes = bytes }

  mutating func setAnyPlayerScrubbing(_ scrubbing: Bool) { isAnyPlayerScrubbing = scrubbing }

  /// The item is the present one from now on.
  mutating func becomePresent() { isAhead = false }

  /// Asks for the index, once, and not for an item that is still ahead.
  mutating func askForIndex() -> Effects {
    guard !hasAskedForIndex, !isAhead else { return .none }
    hasAskedForIndex = true
    return .wake(.index)
  }
}
