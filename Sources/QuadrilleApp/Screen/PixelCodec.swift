import Playback
import Terminal

extension PixelTransport.Codec {
  /// libavcodec's encoders.
  static let standard = PixelTransport.Codec(
    png: { try? ImageFile.encode($0, as: .png) }, jpeg: { try? ImageFile.encode($0, as: .jpeg) })
}
