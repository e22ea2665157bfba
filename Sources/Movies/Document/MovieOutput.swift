import Playback

/// What a movie is made into; what is not said is taken from its first piece.
public struct MovieOutput: Hashable, Sendable {
  /// Width and height of a frame in pixels.
  public var size: PixelSize?
  /// Frames a second, exact.
  public var rate: Ratio?
  /// The pixel format's name, as FFmpeg spells it: "yuv420p".
  public var pixelFormat: String?

  /// An output as its properties say.
  public init(size: PixelSize? = nil, rate: Ratio? = nil, pixelFormat: String? = nil) {
    self.size = size
    self.rate = rate
    self.pixelFormat = pixelFormat
  }

  /// A rate as people write it: "25", "24000/1001", "23.976", which stands for the same; nil for what is none.
  public static func rate(_ text: String) -> Ratio? { TimeText.rate(text) }

  /// A size as people write it: "1280x720"; nil for what is none, or larger than movies are.
  package static func size(_ text: String) -> PixelSize? { PixelSize(text, sides: 1...MovieLimits.side) }
}
