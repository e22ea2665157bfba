/// Recognises keyframes from the packets themselves, since containers also flag others as keyframes.
///
/// Has a function for each codec whose keyframes reset the decoder completely.
enum KeyframeTest {
  typealias Test = @Sendable (UnsafeBufferPointer<UInt8>) -> Bool

  /// Returns the test for libav's short name of a codec; nil if there is none.
  static func test(codec name: String) -> Test? { tests[name] }

  private static let tests: [String: Test] = [
    "mpeg1video": isMPEG2Key, "mpeg2video": isMPEG2Key, "mpeg4": isMPEG4Key, "h263": isH263Key,
    "h263p": isH263Key, "flv1": isFLV1Key,
    "msmpeg4v2": isMSMPEG4Key,
    "msmpeg4v3": isMSMPEG4Key,
    "vp8": { !$0.isEmpty && $0[0] & 1 == 0 },
    "vp9": { VP9Header($0)?.isKey ?? false },
    "av1": { AV1Header($0)?.isShownKey ?? false },
    "theora": { !$0.isEmpty && $0[0] & 0xC0 == 0 },
    "ffv1": isFFV1Key,
  ]

  /// ITU-T H.262 (6.2.3): temporal reference of 10 bits, then the type, of which 1 is intra.
  private static let isMPEG2Key: Test = { bytes in
    guard let i = place(of: 0x00, in: bytes), i + 1 < bytes.count else { return false }
    return (bytes[i + 1] >> 3) & 7 == 1
  }

  /// ISO/IEC 14496-2 (6.2.5), or the short header of H.263.
  private static let isMPEG4Key: Test = { bytes in
    guard let i = place(of: 0xB6, in: bytes), i < bytes.count else { return isH263Key(bytes) }
    return bytes[i] >> 6 == 0
  }

  /// ITU-T H.263 (5.1).
  private static let isH263Key: Test = { bytes in
    var bits = BitReader(bytes.prefix(16))
    // Start code, temporal reference, the fixed bits 1 and 0, split screen, document camera, freeze release.
    guard bits.bits(22) == 0x20, bits.bits(8) != nil, bits.bits(2) == 2, bits.bits(3) != nil,
      let format = bits.bits(3)
    else { return false }
    guard format == 7 else { return bits.bit() == 0 }
    // The extended form; without its optional part it builds on that of an earlier frame.
    guard bits.bits(3) == 1, bits.bits(18) != nil else { return false }
    return bits.bits(3) == 0
  }

  /// As libavcodec's flvdec.c reads it: start code, version, time, size, type.
  private static let isFLV1Key: Test = { bytes in
    var bits = BitReader(bytes.prefix(16))
    guard bits.bits(17) == 1, bits.bits(13) != nil, let size = bits.bits(3) else { return false }
    if size < 2, bits.bits(size == 0 ? 16 : 32) == nil { return false }
    return bits.bits(2) == 0
  }

  private static let isMSMPEG4Key: Test = { !$0.isEmpty && $0[0] >> 6 == 0 }

  /// RFC 9043 (3.8.1, 4.4): the first bit of the range coder, at even odds.
  private static let isFFV1Key: Test = { $0.count > 1 && UInt16($0[0]) << 8 | UInt16($0[1]) >= 0x7F80 }

  /// Returns the position after the first start code 00 00 01 `code`.
  private static func place(of code: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var i = 0
    while let place = NALFraming.placeBehindStartCode(bytes, from: i), place < bytes.count {
      if bytes[place] == code { return place + 1 }
      i = place
    }
    return nil
  }
}
