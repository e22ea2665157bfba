/// Judges decoding runs: whether a run gives the same frames as a decode from the beginning, and where to start instead.
///
/// A value without a decoder. Its user reports what happened to the target frame, and does what it returns.
struct RunVerifier {
  /// The finding on the frame that is sought.
  enum Finding {
    /// The frame differs from a decode from the beginning, or another frame came in its place.
    case wrong
    /// The frame did not come, and nothing more will.
    case missing
    /// The frame has not come, although frames decoded long after it have. The random access point may be right for others.
    case late
  }

  /// The next action.
  enum Verdict: Equatable {
    /// Nothing to do: no other run leads to the frame, or none is sought.
    case ok
    /// Start at another random access point, where 0 is the first packet. `refuted` is the point of the evaluated run, if
    /// it is proven not to be one.
    case restart(at: Int, refuted: Int?)
    /// Reopen the input and decode from its beginning.
    case reopen
  }

  /// The packet of the target frame; nil if there is none, or it has come.
  private(set) var target: Int?
  /// True if returning to the first packet was found to give other data than a newly opened input.
  private(set) var rewindIsUnreliable = false
  /// Only random access points before this one are considered.
  private var limit = Int.max
  private var restarts = 0

  /// The number of random access points that may fail to lead to a frame before decoding starts with the first packet.
  private static let maxRestarts = 5

  /// Sets another target frame.
  mutating func seek(to ordinal: Int?) {
    target = ordinal
    limit = .max
    restarts = 0
  }

  /// Notes that a frame has come, correct or not.
  mutating func didPass(_ ordinal: Int?) {
    if ordinal == target { target = nil }
  }

  /// Judges a run by what happened to the target frame.
  ///
  /// - Parameters:
  ///   - start: the run's first packet; nil if unknown.
  ///   - isResumed: true if the run had already started when the frame became the target.
  mutating func evaluate(_ finding: Finding, start: Int?, isResumed: Bool = false, in index: PacketIndex) -> Verdict {
    guard let target, let start else { return .ok }
    var refuted: Int?
    if start > 0 {
      if finding == .late {
        if !isResumed { limit = min(limit, start) }
      } else {
        // It has been refuted elsewhere meanwhile, or was only flagged: nothing better was available.
        guard index.entries.indices.contains(start), index.entries[start].randomAccess == .verified else { return .ok }
        refuted = start
      }
    } else if !isResumed || finding != .late {
      guard !rewindIsUnreliable else { return .ok }
      rewindIsUnreliable = true
    }
    restarts += 1
    guard restarts < Self.maxRestarts || finding == .late else { return beginning(refuted) }
    let next = index.randomAccessPoint(for: target, before: limit, except: refuted)
    return next > 0 ? .restart(at: next, refuted: refuted) : beginning(refuted)
  }

  private func beginning(_ refuted: Int?) -> Verdict {
    rewindIsUnreliable && refuted == nil ? .reopen : .restart(at: 0, refuted: refuted)
  }
}
