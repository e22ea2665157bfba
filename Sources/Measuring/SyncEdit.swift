import Alignment
import Playback

/// A change to the sync points of a candidate.
package enum SyncEdit: Hashable, Sendable {
  /// - Parameters:
  ///   - reference: a time at which the reference shows a frame, in nanoseconds.
  ///   - candidate: a time at which the candidate shows the frame that belongs to it.
  case add(reference: Int64, candidate: Int64)
  case remove(SyncPoint)

  /// Changes points. A frame has one partner: a new point replaces others of its frames.
  ///
  /// - Parameter times: of all frames of the reference and of the candidate, in nanoseconds.
  func apply(to points: inout [SyncPoint], times: (reference: [Int64], candidate: [Int64])) {
    switch self {
    case .remove(let point): points.removeAll { $0 == point }
    case .add(let one, let other):
      guard let reference = FrameNumbering(times: times.reference, numbers: []).frame(at: one),
        let candidate = FrameNumbering(times: times.candidate, numbers: []).frame(at: other)
      else { return }
      points.removeAll { $0.reference == reference || $0.candidate == candidate }
      points.append(SyncPoint(reference: reference, candidate: candidate))
      points.sort { ($0.candidate, $0.reference) < ($1.candidate, $1.reference) }
    }
  }
}
