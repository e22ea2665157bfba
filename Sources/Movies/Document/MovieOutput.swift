import Playback

/// The format of a movie's frames; nil values are taken from the first piece.
public struct MovieOutput: Hashable, Sendable {
  /// Width and height of a frame in pixels.
  public var size: PixelSize?
  /// The exact frame rate.
  public var rate: Ratio?
  /// The FFmpeg name of the pixel format: "yuv420p".
  public var pixelFormat: String?
  /// The way of mixing colours in transitions and overlays.
  public var blending: ColorBlending

  /// Creates an output from its properties.
  public init(size: PixelSize? = nil, rate: Ratio? = nil, pixelFormat: String? = nil, blending: ColorBlending = .coded) {
    self.size = size
    self.rate = rate
    self.pixelFormat = pixelFormat
    self.blending = blending
  }

  /// Parses a rate: "25", "24000/1001" or "23.976", which means the same; nil if invalid.
  public static func rate(_ text: String) -> Ratio? { TimeText.rate(text) }

  /// Parses a size such as "1280x720"; nil if invalid or too large.
  package static func size(_ text: String) -> PixelSize? {
    PixelSize(text, sides: 1...MovieLimits.side).flatMap { $0.area <= MovieLimits.area ? $0 : nil }
  }
}
