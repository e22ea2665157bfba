import Pixels

/// Lines of a script at one time, and the picture that they are drawn for.
public struct TypesettingScene: Equatable, Sendable {
  /// A line of a script, with its times.
  public struct Line: Equatable, Sendable {
    /// ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect and Text, between commas.
    public let text: String
    /// In milliseconds.
    public let start: Int
    /// In milliseconds, at least 1.
    public let duration: Int

    /// The latest time in milliseconds, 34 years; the earliest one is as far before zero.
    private static let maxTime = 1 << 40

    /// Creates a line. Times too far from zero count as the farthest.
    public init(text: String, start: Int, end: Int) {
      self.text = text
      self.start = min(max(start, -Self.maxTime), Self.maxTime - 1)
      duration = max(1, min(max(end, -Self.maxTime), Self.maxTime) - self.start)
    }
  }

  /// The parts of the picture that were cut off at its sides, in its pixels.
  public struct Crop: Equatable, Sendable {
    public var top = 0
    public var bottom = 0
    public var left = 0
    public var right = 0

    public init() {}
  }

  /// The script before its lines: its styles, and the size that positions refer to.
  public var header: String
  public var lines: [Line]
  /// In milliseconds.
  public var time: Int
  /// The size of the picture, without what was cut off.
  public var size: PixelSize
  public var crop = Crop()
  /// The size of the frames in the file, which blurs and rotations refer to; empty if the script is not made for it.
  public var storage = PixelSize(width: 0, height: 0)
  /// Width divided by height of letters that should be square.
  public var pixelAspect = 1.0
  /// The part of the picture, from its bottom, that text without a place of its own stays out of, 0…1.
  public var lift = 0.0

  public init(header: String, lines: [Line], time: Int, size: PixelSize) {
    (self.header, self.lines, self.time, self.size) = (header, lines, time, size)
  }
}
