/// Detects the packets that bring a frame to display. Others contain only headers, a hidden frame that others depend on, or
/// the second field of a frame.
///
/// Must be given all packets of a stream in order.
struct OutputFrameDetector {
  private enum Codec {
    case h264(H264Fields)
    case hevc(HEVCPictures)
    case vp8
    case vp9
    case other
  }

  private var codec: Codec

  /// - Parameters:
  ///   - name: libav's short name of the codec.
  ///   - headers: the codec headers from the container.
  init(codec name: String, headers: [UInt8]) {
    codec =
      switch name {
      case "h264": .h264(H264Fields(headers: headers))
      case "hevc": .hevc(HEVCPictures(framing: NALFraming(hvcC: headers)))
      case "vp8": .vp8
      case "vp9": .vp9
      default: .other
      }
  }

  /// Notes the next packet of the stream. Returns true if it brings a frame to display.
  mutating func notePacket(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    switch codec {
    case .h264(var fields):
      defer { codec = .h264(fields) }
      return fields.notePacket(bytes)
    case .hevc(var pictures):
      defer { codec = .hevc(pictures) }
      return pictures.notePacket(bytes)
    case .vp8: return first & 0x10 != 0
    case .vp9: return VP9Header(bytes)?.isShown ?? true
    case .other: return true
    }
  }
}
