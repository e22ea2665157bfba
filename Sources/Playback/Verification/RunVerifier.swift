/// Judges runs of decoding: whether what comes of one is what a decode from the beginning gives, and where to begin instead.
///
/// A value that knows no decoder. Whoever decodes tells it what came of the frame that is sought, and does what it returns.
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

  /// The packet of the frame that is sought; nil when none is, or it has come.
  private(set) var target: Int?
  /// True if going back to the first packet was found not to give what the input gave when it was just opened.
  private(set) var rewindIsUnreliable = false
  /// Only points before this one will do.
  private var limit = Int.max
  private var restarts = 0

  /// Points that do not lead to a frame; after so many, decoding begins with the first packet.
  private static let maxRestarts = 5

  /// Another frame is sought.
  mutating func seek(to ordinal: Int?) {
    target = ordinal
    limit = .max
    restarts = 0
  }

  /// A frame has come out, right or not.
  mutating func didPass(_ ordinal: Int?) {
    if ordinal == target { target = nil }
  }

  /// Judges a run by what came of the frame that is sought.
  ///
  /// - Parameters:
  ///   - start: the packet with which the run began; nil when not known.
  ///   - isResumed: whether the run was under way when the frame was first sought.
  mutating func evaluate(_ finding: Finding, start: Int?, isResumed: Bool = false, in index: PacketIndex) -> Verdict {
    guard let target, let start else { return .ok }
    var refuted: Int?
    if start > 0 {
      if finding == .late {
        if !isResumed { limit = min(limit, start) }
      } else {
        // Somebody else has refuted it meanwhile, or it was only flagged: nothing better was to be had.
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
