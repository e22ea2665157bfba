import Pixels

/// A single frame for its own sake, in square pixels.
public struct Still: Sendable {
  /// Upright, in square pixels.
  public var image: PixelImage
  /// When the frame is shown.
  public var timing: FrameTiming

  /// A still of the frame with this timing.
  public init(image: PixelImage, timing: FrameTiming) {
    self.image = image
    self.timing = timing
  }

  /// The largest size of the same shape within `maximum`, of which a side of 0 is free; never larger than `full`.
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
