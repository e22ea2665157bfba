/// A region of a frame as displayed, as fractions of its sides.
public struct FrameRegion: Hashable, Sendable {
  /// The left edge, where 0 is the frame's left edge; `x` + `width` is at most 1.
  public let x: Double
  /// The top edge, where 0 is the frame's top edge.
  public let y: Double
  /// The width, above 0 and at most 1.
  public let width: Double
  /// The height, above 0 and at most 1; `y` + `height` is at most 1.
  public let height: Double

  /// The whole frame.
  public static let whole = FrameRegion(x: 0, y: 0, width: 1, height: 1)

  /// Creates a region, clamped to the frame. Sides that are not numbers become 1, and at least one pixel stays visible.
  public init(x: Double, y: Double, width: Double, height: Double) {
    func span(_ start: Double, _ length: Double) -> (Double, Double) {
      let length = length.isNaN ? 1 : min(max(length, 1e-9), 1)
      return (start.isNaN ? 0 : min(max(start, 0), 1 - length), length)
    }
    (self.x, self.width) = span(x, width)
    (self.y, self.height) = span(y, height)
  }

  /// Returns a region given as fractions of this region.
  func part(x: Double, y: Double, width: Double, height: Double) -> FrameRegion {
    FrameRegion(
      x: self.x + x * self.width, y: self.y + y * self.height, width: width * self.width, height: height * self.height)
  }
}
