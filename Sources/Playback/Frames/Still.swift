import Pixels

/// A single frame as an image with square pixels.
public struct Still: Sendable {
  /// The image, upright and with square pixels.
  public var image: PixelImage
  /// The frame's timing.
  public var timing: FrameTiming

  /// Creates a still of the frame with this timing.
  public init(image: PixelImage, timing: FrameTiming) {
    self.image = image
    self.timing = timing
  }

  /// Returns the largest size of the same shape within `maximum`, never larger than `full`. A side of 0 is unconstrained.
  public static func size(of full: PixelSize, maximum: PixelSize) -> PixelSize {
    let full = PixelSize(width: max(1, full.width), height: max(1, full.height))
    var factor = 1.0
    if maximum.width > 0 { factor = min(factor, Double(maximum.width) / Double(full.width)) }
    if maximum.height > 0 { factor = min(factor, Double(maximum.height) / Double(full.height)) }
    guard factor < 1 else { return full }
    return PixelSize(
      width: max(1, Int((Double(full.width) * factor).rounded())),
      height: max(1, Int((Double(full.height) * factor).rounded())))
  }
}
