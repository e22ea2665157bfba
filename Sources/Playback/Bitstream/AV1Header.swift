/// The first frame header in a temporal unit of AV1 (bitstream specification, 5.3, 5.5, 5.9).
struct AV1Header {
  /// True if it is a shown keyframe, which replaces all references.
  private(set) var isShownKey = false

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var i = 0
    var isReduced = false
    while i < bytes.count {
      let header = bytes[i]
      let type = (header >> 3) & 15
      i += header & 4 != 0 ? 2 : 1
      var size = bytes.count - i
      if header & 2 != 0 {
        guard let found = Self.number(bytes, &i) else { return nil }
        size = found
      }
      guard size >= 0, size <= bytes.count - i else { return nil }
      let payload = bytes[i..<i + size]
      i += size
      switch type {
      case 1:
        // Sequence header: profile of 3 bits, still picture, reduced header.
        isReduced = payload.first.map { $0 & 0x08 != 0 } ?? false
      case 3, 6:
        guard let first = payload.first else { return nil }
        // Show existing frame, type of 2 bits (0 is key), show frame.
        isShownKey = isReduced || first & 0xF0 == 0x10
        return
      default: break
      }
    }
    return nil
  }

  /// A number of seven bits a byte, the lowest first.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ i: inout Int) -> Int? {
    var value = 0
    for shift in 0..<8 {
      guard i < bytes.count else { return nil }
      value |= Int(bytes[i] & 0x7F) << (7 * shift)
      i += 1
      if bytes[i - 1] < 0x80 { return value }
    }
    return nil
  }
}
