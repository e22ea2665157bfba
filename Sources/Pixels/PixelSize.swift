/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size, whatever the numbers.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads a size as people write it: "1280x720" or "1280×720"; nil for other text, and where a side is not in the range.
  package init?(_ text: String, sides range: ClosedRange<Int>) {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }.map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width), range.contains(height) else { return nil }
    self.init(width: width, height: height)
  }

  /// Number of pixels.
  public var area: Int { width * height }
  /// Whether a side is 0 or less.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension PixelSize: CustomStringConvertible {
  /// The size as people write it: "1920×1080".
  public var description: String { "\(width)×\(height)" }
}

/// A rectangle in pixels; x to the right, y downwards, half open.
public struct PixelRect: Hashable, Sendable {
  /// The left edge.
  public var x: Int
  /// The upper edge.
  public var y: Int
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A rectangle, whatever the numbers.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A rectangle of a size, at 0, 0 unless told otherwise.
  public init(origin: (x: Int, y: Int) = (0, 0), size: PixelSize) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// The right edge: the first column that is outside.
  public var maxX: Int { x + width }
  /// The lower edge: the first row that is outside.
  public var maxY: Int { y + height }
  /// Whether a side is 0 or less.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Whether the pixel (x, y) is inside.
  public func contains(x px: Int, y py: Int) -> Bool {
    px >= x && px < maxX && py >= y && py < maxY
  }

  /// The part that both rectangles cover; empty (with no negative side) when they do not meet.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x), top = max(y, other.y)
    return PixelRect(
      x: left, y: top,
      width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
  }
}
