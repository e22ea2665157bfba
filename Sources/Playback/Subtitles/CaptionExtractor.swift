import Libav

/// Extracts the captions in the coded frames of video, as CEA-708 wraps them (ATSC A/53).
struct CaptionExtractor {
  /// Kinds of captions.
  struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: Int
    static let eia608 = Kinds(rawValue: 1)
    static let eia708 = Kinds(rawValue: 2)

    /// The kinds in the set, each alone.
    var parts: [Kinds] { [.eia608, .eia708].filter(contains) }
  }

  private enum Form {
    case h264(NALFraming)
    case h265(NALFraming)
    case mpeg2
  }

  private let form: Form

  /// - Parameter headers: the codec headers as stored in the container.
  /// - Returns: nil for codecs whose frames carry no captions.
  init?(codec: String, headers: [UInt8]) {
    switch codec {
    case "h264": form = .h264(NALFraming(avcC: headers))
    case "hevc": form = .h265(NALFraming(hvcC: headers))
    case "mpeg2video": form = .mpeg2
    default: return nil
    }
  }

  /// Returns the caption data of a packet: triplets whose first byte gives the kind of the other two.
  func triplets(in packet: Packet) -> [UInt8] {
    packet.withBytes { bytes in
      var result: [UInt8] = []
      switch form {
      case .h264(let framing):
        framing.forEachUnit(bytes) { unit in if unit[0] & 0x1F == 6 { result += Self.messages(unit.dropFirst(1)) } }
      case .h265(let framing):
        framing.forEachUnit(bytes) { unit in
          if unit[0] >> 1 & 0x3F == 39, unit.count > 2 { result += Self.messages(unit.dropFirst(2)) }
        }
      case .mpeg2:
        var place = NALFraming.placeBehindStartCode(bytes, from: 0)
        while let start = place, start < bytes.count {
          if bytes[start] == 0xB2 { result += Self.captions(in: Array(bytes[(start + 1)...].prefix(128))) }
          place = NALFraming.placeBehindStartCode(bytes, from: start)
        }
      }
      return result
    }
  }

  /// Returns the kinds of the triplets that are valid and not only filler.
  static func kinds(of triplets: [UInt8]) -> Kinds {
    var kinds: Kinds = []
    for start in stride(from: 0, to: triplets.count - 2, by: 3) where triplets[start] & 4 != 0 {
      let isFilling = triplets[start + 1] & 0x7F == 0 && triplets[start + 2] & 0x7F == 0
      if !isFilling { kinds.insert(triplets[start] & 3 < 2 ? .eia608 : .eia708) }
    }
    return kinds
  }

  /// Returns true if there are EIA-608 triplets among some, be they filling.
  static func have608(_ triplets: [UInt8]) -> Bool {
    stride(from: 0, to: triplets.count - 2, by: 3).contains { triplets[$0] & 4 != 0 && triplets[$0] & 3 < 2 }
  }

  /// Returns the captions in the messages of an SEI unit.
  private static func messages(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    // User data registered by a maker: the United States, ATSC.
    SEIMessages(unit).filter { $0.type == 4 && $0.payload.starts(with: [0xB5, 0, 0x31]) }
      .flatMap { captions(in: Array($0.payload.dropFirst(3))) }
  }

  /// Returns the captions in user data: "GA94", 3, a count, and the triplets.
  private static func captions(in data: [UInt8]) -> [UInt8] {
    guard data.count > 7, data.starts(with: [0x47, 0x41, 0x39, 0x34, 3]), data[5] & 0x40 != 0 else { return [] }
    let count = 3 * Int(data[5] & 0x1F)
    return data.count >= 7 + count ? Array(data[7..<7 + count]) : []
  }
}
