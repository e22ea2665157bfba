/// Whether decoding can begin at a packet.
enum RandomAccess: UInt8, Sendable {
  case none
  /// The container or the parser marks it as a keyframe, which does not prove that what follows is right.
  case flagged
  /// Nothing that is shown later can depend on anything before it.
  case verified
}
