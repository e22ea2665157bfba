/// Finds out which flagged random access points are right, from frames that were decoded anyway.
///
/// A random access point is right when each frame of its group, decoded from there, is the same as decoded from an
/// earlier random access point that is verified. A flag alone does not tell: clips that refresh themselves bit by bit give
/// wrong frames after their "key" packets, with right time stamps and no error.
struct RandomAccessProof {
  /// The frames that a random access point has to give.
  struct Group: Equatable {
    var start: Int
    /// The packet behind its last.
    var end: Int
    /// Ordinals of the frames that are shown from the random access point's own on, before the next random access point.
    var ordinals: [Int]
  }

  /// Hashes of frames from verified runs, and from runs that began at a random access point on trial, by ordinal.
  private var certain: [Int: UInt64] = [:]
  private var trials: [Int: [Int: UInt64]] = [:]
  private(set) var refuted: Set<Int> = []

  /// Hashes of either kind that are kept at the most.
  private static let capacity = 8192

  /// Notes a frame of a verified run, which belongs to the group of a random access point that is not verified.
  ///
  /// - Returns: whether that random access point is now proven.
  mutating func note(_ ordinal: Int, _ hash: UInt64, of group: Group) -> Bool {
    if certain.count >= Self.capacity { certain = [:] }
    certain[ordinal] = hash
    return check(group)
  }

  /// Notes a frame of a run that began at the group's random access point.
  ///
  /// - Returns: whether that random access point is now proven.
  mutating func note(trial ordinal: Int, _ hash: UInt64, of group: Group) -> Bool {
    if trials.reduce(0, { $0 + $1.value.count }) >= Self.capacity { trials = [:] }
    trials[group.start, default: [:]][ordinal] = hash
    return check(group)
  }

  private mutating func check(_ group: Group) -> Bool {
    guard let trial = trials[group.start], !refuted.contains(group.start) else { return false }
    var isComplete = true
    for ordinal in group.ordinals {
      guard let found = trial[ordinal], let expected = certain[ordinal] else {
        isComplete = false
        continue
      }
      guard found == expected else {
        refuted.insert(group.start)
        trials[group.start] = nil
        return false
      }
    }
    guard isComplete, !group.ordinals.isEmpty else { return false }
    trials[group.start] = nil
    return true
  }
}
