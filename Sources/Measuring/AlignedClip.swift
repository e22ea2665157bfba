import Alignment
import Playback

/// A candidate aligned with its reference: which frame is which, and when each is shown.
package struct AlignedClip: Sendable {
  package let map: AlignmentMap
  /// The reference's frames, numbered by themselves.
  package let reference: FrameNumbering
  /// The candidate's frames with the numbers of their reference frames.
  package let candidate: FrameNumbering
  /// The reason for which sync points could not be read or kept, naming their file; nil if there is none.
  package let syncFailure: PlaybackError?

  /// - Parameters:
  ///   - referenceTimes: presentation times of all frames of the reference, in nanoseconds.
  ///   - candidateTimes: the same of the candidate.
  package init(map: AlignmentMap, referenceTimes: [Int64], candidateTimes: [Int64], syncFailure: PlaybackError? = nil) {
    self.map = map
    self.syncFailure = syncFailure
    reference = FrameNumbering(times: referenceTimes, numbers: Array(referenceTimes.indices))
    candidate = FrameNumbering(times: candidateTimes, numbers: map.frames.map(\.reference))
  }
}
