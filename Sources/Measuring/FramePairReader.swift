import Libav
import Pixels
import Playback

/// Decodes the frames of a reference and of a candidate that belong together, in the candidate's order.
///
/// Use from one thread at a time.
final class FramePairReader {
  private let open: (Side) throws -> SequentialFrames
  private var reference: SequentialFrames
  private var candidate: SequentialFrames

  enum Side { case reference, candidate }

  /// - Parameter open: opens one of the clips at its beginning.
  init(open: @escaping (Side) throws -> SequentialFrames) throws {
    self.open = open
    (reference, candidate) = (try open(.reference), try open(.candidate))
  }

  /// Goes to a pair, by the numbers of its frames. Returns nil if one of the clips has ended before.
  ///
  /// Frames of the reference that were passed are decoded again from the beginning, as where a candidate shows an earlier part.
  func go(to pair: (candidate: Int, reference: Int)) throws -> (reference: DecodedFrame, candidate: DecodedFrame)? {
    if pair.reference < reference.count - 1 { reference = try open(.reference) }
    while reference.count <= pair.reference { guard try reference.next() else { return nil } }
    while candidate.count <= pair.candidate { guard try candidate.next() else { return nil } }
    return (reference.frame, candidate.frame)
  }

  /// The time of the candidate's frame, in nanoseconds.
  var candidateTime: Int64 { candidate.time }

  /// The orientation in which the candidate's frames look like the reference's as they are stored.
  var turning: Orientation { candidate.track.turning(to: reference.track) }

  var framesPerSecond: Double { reference.track.nominalFrameRate }
}
