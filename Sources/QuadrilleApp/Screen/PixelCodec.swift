import Playback
import Terminal

extension PixelTransport.Codec {
  /// libavcodec's encoders.
  static let standard = PixelTransport.Codec(
    png: { ImageFile.quickPNG($0) }, jpeg: { try? ImageFile.encode($0, as: .jpeg) })
}
