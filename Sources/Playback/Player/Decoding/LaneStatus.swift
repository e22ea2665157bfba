/// An item's knowledge of its lane and of other players, and whether its index has been requested.
struct LaneStatus {
  /// Memory used by retained decoders, in bytes.
  private(set) var retainedBytes = 0
  /// True if any player that shares the pool is scrubbing.
  private(set) var isAnyPlayerScrubbing = false
  private var hasAskedForIndex = false

  mutating func setRetainedBytes(_ bytes: Int) { retainedBytes = bytes }

  mutating func setAnyPlayerScrubbing(_ scrubbing: Bool) { isAnyPlayerScrubbing = scrubbing }

  /// Requests the index, once.
  mutating func askForIndex() -> Effects {
    guard !hasAskedForIndex else { return .none }
    hasAskedForIndex = true
    return .wake(.index)
  }
}
