import Libav

/// Inspects packets for what a container's keyframe flag does not tell: whether decoding can start there.
///
/// Sources: ITU-T H.264 (7.3.1, 7.4.1.2, D.1.8), H.265 (7.4.2.2), ISO/IEC 14496-2 (6.2).
struct BitstreamInspector: Sendable {
  private enum Codec {
    case h264(NALFraming)
    case hevc(NALFraming)
    /// Every packet can be decoded alone.
    case intraOnly
    /// Keyframes reset the decoder completely, and can be recognised from the bitstream.
    case keys(KeyframeTest.Test)
    /// Keyframes reset the decoder completely; only the container says which packets they are.
    case flaggedKeys
    /// Any frame may depend on all earlier ones, whatever the flags say.
    case unreliable
  }

  private let codec: Codec
  /// True if a frame that is marked as no reference is one for no other frame at all.
  let canSkipNonReference: Bool
  private let name: String
  private var hasAlphaLayer = false

  /// - Parameters:
  ///   - name: libav's short name of the codec.
  ///   - headers: the codec headers from the container.
  ///   - isIntraOnly: true if every frame of the codec can be decoded alone.
  init(codec name: String, headers: [UInt8], isIntraOnly: Bool) {
    canSkipNonReference = name == "h264" || name == "mpeg2video" || name == "hevc" && Self.hasOneLayer(headers)
    self.name = name
    switch name {
    case _ where isIntraOnly: codec = .intraOnly
    case "h264":
      codec = .h264(NALFraming(avcC: headers))
    case "hevc":
      codec = .hevc(NALFraming(hvcC: headers))
    case "vp6", "vp6f", "rv30", "rv40": codec = .flaggedKeys
    default: codec = KeyframeTest.test(codec: name).map(Codec.keys) ?? .unreliable
    }
  }

  /// Returns true if a HEVC stream has one temporal layer only: frames that are no reference in their own layer can be one
  /// in a higher layer.
  private static func hasOneLayer(_ headers: [UInt8]) -> Bool {
    // hvcC says it itself, 0 being unknown. Else it stands in the sequence parameter set, type 33, behind its two
    // bytes of header and four bits.
    if headers.count > 22, headers[0] == 1 { return (headers[21] >> 3) & 7 == 1 }
    var hasOne = false
    headers.withUnsafeBufferPointer { bytes in
      NALFraming.annexB.forEachStart(bytes) { unit in
        guard unit.count > 2, (unit[0] >> 1) & 0x3F == 33 else { return true }
        hasOne = (unit[2] >> 1) & 7 == 0
        return false
      }
    }
    return hasOne
  }

  /// For the packets of one stream of an open file.
  init(_ demuxer: Demuxer, stream: StreamInfo) {
    self.init(
      codec: stream.codecName, headers: demuxer.codecHeaders(ofStream: stream.index),
      isIntraOnly: demuxer.isIntraOnly(stream: stream.index))
    hasAlphaLayer = stream.hasAlphaLayer
  }

  /// For packets of a coding.
  init(_ format: StreamFormat) {
    self.init(codec: format.codecName, headers: format.headers, isIntraOnly: format.isIntraOnly)
  }

  /// Returns the suitability of a packet as a start for decoding, including its alpha layer, which has separate keyframes.
  func randomAccess(of packet: Packet) -> RandomAccess {
    let start = packet.withBytes { randomAccess(of: $0, isKey: packet.isKey) }
    guard hasAlphaLayer, start == .verified else { return start }
    return packet.withAlphaLayer { randomAccess(of: $0, isKey: true) } == .verified ? start : .flagged
  }

  /// Returns the suitability of a packet with these bytes as a start for decoding.
  func randomAccess(of bytes: UnsafeBufferPointer<UInt8>, isKey: Bool) -> RandomAccess {
    switch codec {
    case .intraOnly: return .verified
    case .keys(let isKeyframe): return isKey && isKeyframe(bytes) ? .verified : .none
    case .flaggedKeys: return isKey ? .verified : .none
    case .unreliable: return isKey ? .flagged : .none
    case .h264(let framing):
      guard isKey else { return .none }
      var isInstant = false
      var recovery: Recovery?
      framing.forEachUnit(bytes) { unit in
        switch unit[0] & 0x1F {
        case 5: isInstant = true
        case 6: recovery = recovery ?? Self.recovery(in: unit)
        default: break
        }
      }
      if isInstant { return .verified }
      return recovery?.isExactAtOnce == true ? .verified : .flagged
    case .hevc(let framing):
      var isRandomAccess = false
      // Types 16…21 are BLA, IDR and CRA: frames displayed after them do not depend on anything before.
      framing.forEachUnit(bytes) { if (16...21).contains(($0[0] >> 1) & 0x3F) { isRandomAccess = true } }
      return isRandomAccess ? .verified : isKey ? .flagged : .none
    }
  }

  /// Returns true if a start point resets even what only a broken stream could still need: reference frames, picture
  /// order counts and the like.
  func isInstant(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var isInstant = false
    switch codec {
    case .h264(let framing):
      framing.forEachStart(bytes) { unit in
        isInstant = unit[0] & 0x1F == 5
        return !(1...5).contains(unit[0] & 0x1F)
      }
    case .hevc(let framing):
      // BLA and IDR, but not CRA.
      framing.forEachStart(bytes) { unit in
        isInstant = (16...20).contains((unit[0] >> 1) & 0x3F)
        return (unit[0] >> 1) & 0x3F >= 32
      }
    case .intraOnly: isInstant = true
    case .keys: isInstant = !name.hasPrefix("mpeg")
    case .flaggedKeys, .unreliable: break
    }
    return isInstant
  }

  /// Returns the headers in a packet that also apply to later packets, framed as the packets are.
  func parameterSets(_ bytes: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
    switch codec {
    case .h264(let framing):
      // Parameter sets, and the encoder's version note, by which libavcodec knows the faults of old encoders.
      return collect(bytes, framing) { unit in
        switch unit[0] & 0x1F {
        case 7, 8: .take
        case 6: Self.isVersionNote(unit) ? .take : .leave
        case 1...5: .stop
        default: .leave
        }
      }
    case .hevc(let framing):
      return collect(bytes, framing) { unit in
        switch (unit[0] >> 1) & 0x3F {
        case 32...34: .take
        case 0..<32: .stop
        default: .leave
        }
      }
    case .keys where name == "mpeg4":
      // All before the first group of pictures or picture, start codes 00 00 01 B3 and B6.
      var place = 0
      while let next = NALFraming.placeBehindStartCode(bytes, from: place), next < bytes.count {
        if bytes[next] == 0xB3 || bytes[next] == 0xB6 { return next > 3 ? [Array(bytes[..<(next - 3)])] : [] }
        place = next
      }
      return []
    case .intraOnly, .keys, .flaggedKeys, .unreliable: return []
    }
  }

  private enum Choice { case take, leave, stop }

  private func collect(
    _ bytes: UnsafeBufferPointer<UInt8>, _ framing: NALFraming,
    _ choose: (UnsafeBufferPointer<UInt8>) -> Choice
  ) -> [[UInt8]] {
    var isWanted = false
    // Most packets have none: only the beginnings of units are looked at first.
    framing.forEachStart(bytes) { unit in
      let choice = choose(unit)
      if choice == .take { isWanted = true }
      return choice != .stop
    }
    guard isWanted else { return [] }
    var result: [[UInt8]] = []
    framing.forEachUnit(bytes) { if choose($0) == .take { result.append(framing.framed($0)) } }
    return result
  }

  /// Returns true if a message is x264's version note: "x264 - core" after a UUID (libavcodec's h264_sei.c).
  private static func isVersionNote(_ unit: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unit.count > 2, unit[1] == 5 else { return false }
    var i = 2
    while i < unit.count, unit[i] == 255 { i += 1 }
    return unit.dropFirst(i + 17).starts(with: "x264 - core".utf8)
  }

  // MARK: - Recovery points

  /// H.264's recovery point message (D.1.8).
  private struct Recovery {
    var frameCount: UInt32
    var isExact: Bool
    var hasDiscontinuity: Bool

    var isExactAtOnce: Bool { frameCount == 0 && isExact && !hasDiscontinuity }
  }

  private static func recovery(in unit: UnsafeBufferPointer<UInt8>) -> Recovery? {
    guard let message = SEIMessages(unit.dropFirst()).first(where: { $0.type == 6 }) else { return nil }
    var bits = BitReader(message.payload)
    guard let count = bits.unsignedExpGolomb(), let exact = bits.bit(), let broken = bits.bit() else { return nil }
    return Recovery(frameCount: count, isExact: exact == 1, hasDiscontinuity: broken == 1)
  }
}
