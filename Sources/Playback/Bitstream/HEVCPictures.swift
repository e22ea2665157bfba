/// Finds the packets of an H.265 stream whose pictures are output.
///
/// Source: ITU-T H.265, table 7-1 (types of NAL units) and 8.1.3: RASL pictures are not output if the decoder restarts at
/// the random access point before them.
struct HEVCPictures {
  let framing: NALFraming
  /// True if the last random access point restarted the decoder.
  private var isAnew = false
  private var endsSequence = false

  init(framing: NALFraming) { self.framing = framing }

  /// Notes the next packet of the stream. Returns true if its picture is output.
  mutating func notePacket(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var slice: UInt8?
    var beginsSequence = endsSequence
    framing.forEachStart(bytes) { unit in
      switch (unit[0] >> 1) & 0x3F {
      case let type where type < 32: slice = type
      // End of sequence and of bitstream, before what follows.
      case 36, 37: beginsSequence = true
      default: break
      }
      return slice == nil
    }
    guard let slice else {
      endsSequence = beginsSequence
      return false
    }
    endsSequence = Self.isEndOfSequence(bytes.suffix(2))
    switch slice {
    case 8, 9: return !isAnew
    case 16...18: isAnew = true
    case 19, 20: isAnew = false
    case 21...23: isAnew = beginsSequence
    default: break
    }
    return true
  }

  /// Returns true if a packet ends with such a unit, which is nothing but a header.
  private static func isEndOfSequence(_ end: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    end.elementsEqual([36 << 1, 1]) || end.elementsEqual([37 << 1, 1])
  }
}
