/// The facts that travel with a packet through the decoder to its frame, as one number.
struct PacketTag: Hashable {
  /// The packet's place in demuxing order; nil if unknown.
  var ordinal: Int?
  /// The packet's size in bytes; nil if unknown.
  var byteCount: Int?

  init(ordinal: Int?, byteCount: Int?) { (self.ordinal, self.byteCount) = (ordinal, byteCount) }

  /// Reads the number of a frame; a number that is no tag gives no facts.
  init(_ number: Int64) {
    ordinal = number >> 32 > 0 ? Int(number >> 32) - 1 : nil
    byteCount = number >= 0 && number & Self.mask > 0 ? Int(number & Self.mask) - 1 : nil
  }

  /// Each fact plus 1, so that 0 is unknown: the ordinal in the high half.
  var number: Int64 {
    let size = byteCount.map { Int64(clamping: $0) + 1 } ?? 0
    let place = ordinal.flatMap { $0 < Int32.max ? Int64($0) + 1 : nil } ?? 0
    return place << 32 | min(size, Self.mask)
  }

  private static let mask: Int64 = 0xFFFF_FFFF
}
