/// Verifies flagged random access points with frames that are decoded anyway.
///
/// A random access point is correct if each frame of its group, decoded from there, equals the one decoded from an earlier
/// verified random access point. A flag alone proves nothing: intra-refresh clips give wrong frames after their "key"
/// packets, with correct timestamps and no error.
struct RandomAccessProof {
  /// The frames that must match for a random access point to be correct.
  struct Group: Equatable {
    var start: Int
    /// The packet after its last one.
    var end: Int
    /// Ordinals of the frames displayed from the random access point on, before the next one.
    var ordinals: [Int]
  }

  /// Hashes by ordinal of frames from verified runs, and from runs that started at a random access point on trial.
  private var certain: [Int: UInt64] = [:]
  private var trials: [Int: [Int: UInt64]] = [:]
  private(set) var refuted: Set<Int> = []

  /// The maximum number of hashes of either kind.
  private static let capacity = 8192

  /// Notes a frame of a verified run that belongs to the group of an unverified random access point.
  ///
  /// - Returns: true if the random access point is now proven.
  mutating func note(_ ordinal: Int, _ hash: UInt64, of group: Group) -> Bool {
    if certain.count >= Self.capacity { certain = [:] }
    certain[ordinal] = hash
    return check(group)
  }

  /// Notes a frame of a run that started at the group's random access point.
  ///
  /// - Returns: true if the random access point is now proven.
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
