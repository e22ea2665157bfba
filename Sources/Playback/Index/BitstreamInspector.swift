import Libav

/// Looks into packets for what a container's key flag does not tell: whether decoding can begin there.
///
/// Sources: ITU-T H.264 (7.3.1, 7.4.1.2, D.1.8), H.265 (7.4.2.2), ISO/IEC 14496-2 (6.2).
struct BitstreamInspector: Sendable {
  private enum Framing: Equatable {
    /// NAL units behind start codes.
    case annexB
    /// NAL units behind lengths of so many bytes.
    case lengths(Int)
  }

  private enum Codec: Equatable {
    case h264(Framing)
    case hevc(Framing)
    case mpeg4
    /// Every packet stands alone.
    case intraOnly
    /// Key frames are what they say.
    case trustedKeys
    /// Pictures may build on all before them, whatever the flags say.
    case untrusted
  }

  private let codec: Codec
  /// Whether a picture that is marked as no reference is one for no other picture at all.
  let canLeaveOut: Bool

  /// - Parameters:
  ///   - name: libav's short name of the codec.
  ///   - headers: the codec's headers from the container.
  ///   - isIntraOnly: whether every picture of the codec stands alone.
  init(codec name: String, headers: [UInt8], isIntraOnly: Bool) {
    canLeaveOut = name == "h264" || name == "mpeg2video" || name == "hevc" && Self.hasOneLayer(headers)
    switch name {
    case _ where isIntraOnly: codec = .intraOnly
    case "h264":
      // avcC begins with version 1; the fifth byte's low bits are the size of a length less one.
      codec = .h264(headers.count > 6 && headers[0] == 1 ? .lengths(Int(headers[4] & 3) + 1) : .annexB)
    case "hevc":
      let isHvcC = headers.count > 22 && (headers[0] == 1 || (headers[0] == 0 && headers[1] == 0 && headers[2] > 1))
      codec = .hevc(isHvcC ? .lengths(Int(headers[21] & 3) + 1) : .annexB)
    case "mpeg4": codec = .mpeg4
    case "vp8", "vp9", "av1", "mpeg1video", "mpeg2video", "theora", "flv1", "h263", "h263p", "msmpeg4v1", "msmpeg4v2",
      "msmpeg4v3", "vp6", "vp6f", "ffv1", "rv30", "rv40", "svq1", "svq3", "cinepak", "indeo5":
      codec = .trustedKeys
    default: codec = .untrusted
    }
  }

  /// Whether a HEVC stream has one temporal layer only: pictures that are no reference in their own layer can be one
  /// in a higher layer.
  private static func hasOneLayer(_ headers: [UInt8]) -> Bool {
    // hvcC says it itself, 0 being unknown. Else it stands in the sequence parameter set, type 33, behind its two bytes of
    // header and four bits.
    if headers.count > 22, headers[0] == 1 { return (headers[21] >> 3) & 7 == 1 }
    for i in 0..<max(0, headers.count - 5)
    where headers[i] == 0 && headers[i + 1] == 0 && headers[i + 2] == 1 && (headers[i + 3] >> 1) & 0x3F == 33 {
      return (headers[i + 5] >> 1) & 7 == 0
    }
    return false
  }

  /// For the packets of one stream of an open file.
  init(_ demuxer: Demuxer, stream: StreamInfo) {
    self.init(
      codec: stream.codecName, headers: demuxer.codecHeaders(ofStream: stream.index),
      isIntraOnly: demuxer.isIntraOnly(stream: stream.index))
  }

  /// Whether decoding can begin at a packet.
  func startPoint(_ bytes: UnsafeBufferPointer<UInt8>, isKey: Bool) -> PacketIndex.StartPoint {
    switch codec {
    case .intraOnly: return .trusted
    case .trustedKeys, .mpeg4: return isKey ? .trusted : .none
    case .untrusted: return isKey ? .claimed : .none
    case .h264(let framing):
      guard isKey else { return .none }
      var isInstant = false
      var recovery: Recovery?
      forEachUnit(bytes, framing) { unit in
        switch unit[0] & 0x1F {
        case 5: isInstant = true
        case 6: recovery = recovery ?? Self.recovery(in: unit)
        default: break
        }
      }
      if isInstant { return .trusted }
      return recovery?.isExactAtOnce == true ? .trusted : .claimed
    case .hevc(let framing):
      var isRandomAccess = false
      // Types 16…21 are BLA, IDR and CRA: what is shown after them leans on nothing before.
      forEachUnit(bytes, framing) { if (16...21).contains(($0[0] >> 1) & 0x3F) { isRandomAccess = true } }
      return isRandomAccess ? .trusted : isKey ? .claimed : .none
    }
  }

  /// The bytes of the first packet that every decoder must see, framed as the packets are.
  func headers(ofFirstPacket bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    switch codec {
    case .h264(let framing):
      // Parameter sets, and the encoder's version note, by which libavcodec knows the faults of old encoders.
      return collect(bytes, framing) { [6, 7, 8].contains($0 & 0x1F) }
    case .hevc(let framing):
      return collect(bytes, framing) { (32...34).contains(($0 >> 1) & 0x3F) }
    case .mpeg4:
      // All before the first picture's start code, 00 00 01 B6.
      for i in 0..<max(0, bytes.count - 3)
      where bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 1 && bytes[i + 3] == 0xB6 {
        return Array(bytes[..<i])
      }
      return []
    case .intraOnly, .trustedKeys, .untrusted: return []
    }
  }

  // MARK: - NAL units

  private func collect(
    _ bytes: UnsafeBufferPointer<UInt8>, _ framing: Framing, where isWanted: (UInt8) -> Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    forEachUnit(bytes, framing) { unit in
      guard isWanted(unit[0]) else { return }
      switch framing {
      case .annexB: result += [0, 0, 0, 1]
      case .lengths(let size): for i in (0..<size).reversed() { result.append(UInt8(truncatingIfNeeded: unit.count >> (8 * i))) }
      }
      result += unit
    }
    return result
  }

  /// Calls `body` with each unit that has at least one byte, without its framing.
  private func forEachUnit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ framing: Framing, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    switch framing {
    case .lengths(let size):
      var i = 0
      while i + size < bytes.count {
        var length = 0
        for k in 0..<size { length = length << 8 | Int(bytes[i + k]) }
        i += size
        guard length > 0, length <= bytes.count - i else { return }
        body(UnsafeBufferPointer(rebasing: bytes[i..<i + length]))
        i += length
      }
    case .annexB:
      var start: Int?
      var i = 0
      while i + 2 < bytes.count {
        if bytes[i + 2] > 1 {
          i += 3
        } else if bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 1 {
          if let start { emit(bytes, start, i, body) }
          start = i + 3
          i += 3
        } else {
          i += 1
        }
      }
      if let start { emit(bytes, start, bytes.count, body) }
    }
  }

  private func emit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var end = end
    // Zeros before the next start code belong to that.
    while end > start, bytes[end - 1] == 0 { end -= 1 }
    if end > start { body(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
  }

  // MARK: - Recovery points

  /// H.264's recovery point message (D.1.8).
  private struct Recovery {
    var frameCount: UInt32
    var isExact: Bool
    var isBroken: Bool

    var isExactAtOnce: Bool { frameCount == 0 && isExact && !isBroken }
  }

  private static func recovery(in unit: UnsafeBufferPointer<UInt8>) -> Recovery? {
    var payload = unescaped(unit.dropFirst())[...]
    while payload.count > 2 {
      guard let type = varying(&payload), let size = varying(&payload), size <= payload.count else { return nil }
      if type == 6 {
        var bits = BitReader(payload.prefix(size))
        guard let count = bits.unsignedExpGolomb(), let exact = bits.bit(), let broken = bits.bit() else { return nil }
        return Recovery(frameCount: count, isExact: exact == 1, isBroken: broken == 1)
      }
      payload = payload.dropFirst(size)
    }
    return nil
  }

  /// A number written as bytes of 255 and a rest.
  private static func varying(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    while let byte = bytes.popFirst() {
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }

  /// Takes out the bytes 3 that keep start codes from occurring in data.
  private static func unescaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}

/// Reads bits from the most significant on.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  mutating func bit() -> UInt32? {
    guard position < bytes.count * 8 else { return nil }
    defer { position += 1 }
    return UInt32(bytes[position / 8] >> (7 - UInt8(position % 8))) & 1
  }

  mutating func unsignedExpGolomb() -> UInt32? {
    var zeros = 0
    while let bit = bit() {
      if bit == 1 { break }
      zeros += 1
      if zeros > 31 { return nil }
    }
    var value: UInt32 = 1
    for _ in 0..<zeros {
      guard let bit = bit() else { return nil }
      value = value << 1 | bit
    }
    return value - 1
  }
}
