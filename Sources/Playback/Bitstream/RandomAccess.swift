/// The suitability of a packet as a start for decoding.
enum RandomAccess: UInt8, Sendable {
  case none
  /// Marked as a keyframe by the container or parser, which does not prove that decoding from it is correct.
  case flagged
  /// Nothing displayed later can depend on anything before it.
  case verified
}
