/// Tells from a packet itself whether it is a key picture: containers flag others as keys, too.
///
/// A function for each codec whose key pictures reset everything.
enum KeyframeTest {
  typealias Test = @Sendable (UnsafeBufferPointer<UInt8>) -> Bool

  /// The test for libav's short name of a codec; nil where there is none.
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
    // The extended form; without its optional part it builds on that of an earlier picture.
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

  /// The place behind the first start code 00 00 01 `code`.
  private static func place(of code: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var i = 0
    while let place = NALFraming.placeBehindStartCode(bytes, from: i), place < bytes.count {
      if bytes[place] == code { return place + 1 }
      i = place
    }
    return nil
  }
}

/// The first bits of a VP9 frame (bitstream specification, 6.2).
struct VP9Header {
  var isKey = false
  /// Whether the packet has a picture to be shown.
  var isShown = true

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var bits = BitReader(bytes.prefix(2))
    guard let last = bytes.last, bits.bits(2) == 2, let profile = bits.bits(2) else { return nil }
    if profile == 3, bits.bit() == nil { return nil }
    guard let showsExisting = bits.bit() else { return nil }
    if showsExisting == 1 { return }
    guard let type = bits.bit(), let shows = bits.bit() else { return nil }
    isKey = type == 0
    // Of the frames in a superframe one is to be shown.
    isShown = shows == 1 || last & 0xE0 == 0xC0
  }
}

/// The first frame header in a temporal unit of AV1 (bitstream specification, 5.3, 5.5, 5.9).
struct AV1Header {
  /// Whether it is a key picture that is shown at once, with which all references are replaced.
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
