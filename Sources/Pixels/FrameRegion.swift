/// A part of a frame as it is to be seen, as fractions of its sides, whatever its size.
public struct FrameRegion: Hashable, Sendable {
  /// The left edge: 0 is that of the frame; `x` + `width` is at most 1.
  public let x: Double
  /// The upper edge, likewise.
  public let y: Double
  /// Above 0, at most 1.
  public let width: Double
  /// Above 0, at most 1; `y` + `height` is at most 1.
  public let height: Double

  /// All of the frame.
  public static let whole = FrameRegion(x: 0, y: 0, width: 1, height: 1)

  /// Sides are brought to above 0 … 1, where 1 stands for what is no number, and edges to where all of the region lies in
  /// the frame. At least one pixel is always seen.
  public init(x: Double, y: Double, width: Double, height: Double) {
    func span(_ start: Double, _ length: Double) -> (Double, Double) {
      let length = length.isNaN ? 1 : min(max(length, 1e-9), 1)
      return (start.isNaN ? 0 : min(max(start, 0), 1 - length), length)
    }
    (self.x, self.width) = span(x, width)
    (self.y, self.height) = span(y, height)
  }

  /// A region of this region, told as fractions of it.
  func part(x: Double, y: Double, width: Double, height: Double) -> FrameRegion {
    FrameRegion(
      x: self.x + x * self.width, y: self.y + y * self.height, width: width * self.width, height: height * self.height)
  }
}
