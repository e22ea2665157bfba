/// One pixel of a decoded frame: its code values, and the colour that is shown for it.
public struct ProbedPixel: Hashable, Sendable {
  /// The values of a pixel at the frame's own depth.
  public enum Code: Hashable, Sendable {
    /// Luma and the chroma sample that covers the pixel; a frame in grey has no chroma.
    case yCbCr(y: Int, cb: Int?, cr: Int?)
    /// Red, green and blue.
    case rgb(red: Int, green: Int, blue: Int)
  }

  /// The column in the decoded frame, before its orientation is applied; 0 is the left one.
  public var x: Int
  /// The row in the decoded frame, before its orientation is applied; 0 is the top one.
  public var y: Int
  /// The code values, as stored.
  public var code: Code
  /// The opacity, as stored; nil for a frame without any.
  public var alpha: Int?
  /// The bits of a code value.
  public var bitDepth: Int
  /// The red value that is shown for the pixel at its full size, in BT.709 or sRGB; without what is behind it if transparent.
  public var red: UInt8
  /// The green value that is shown.
  public var green: UInt8
  /// The blue value that is shown.
  public var blue: UInt8

  /// Creates a pixel.
  public init(
    x: Int, y: Int, code: Code, alpha: Int? = nil, bitDepth: Int, shown: (red: UInt8, green: UInt8, blue: UInt8)
  ) {
    (self.x, self.y, self.code, self.alpha, self.bitDepth) = (x, y, code, alpha, bitDepth)
    (red, green, blue) = shown
  }
}
