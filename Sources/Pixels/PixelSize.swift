/// A width and height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// Creates a size; any numbers are allowed.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Parses a size such as "1280x720" or "1280×720"; nil for other text, and if a side is out of range.
  package init?(_ text: String, sides range: ClosedRange<Int>) {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }.map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width), range.contains(height) else { return nil }
    self.init(width: width, height: height)
  }

  /// The number of pixels; `Int.max` if there are more.
  public var area: Int { width.saturatingMultiply(height) }
  /// True if either side is 0 or less.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension PixelSize: CustomStringConvertible {
  /// The size as text: "1920×1080".
  public var description: String { "\(width)×\(height)" }
}

/// A rectangle in pixels, half open; x grows to the right and y downwards. Edges that exceed an `Int` lie at its limits.
public struct PixelRect: Hashable, Sendable {
  /// The left edge.
  public var x: Int
  /// The top edge.
  public var y: Int
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// Creates a rectangle; any numbers are allowed.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle of a size, by default at (0, 0).
  public init(origin: (x: Int, y: Int) = (0, 0), size: PixelSize) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// The width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// The right edge: the first column outside the rectangle.
  public var maxX: Int { x.saturatingAdd(width) }
  /// The bottom edge: the first row outside the rectangle.
  public var maxY: Int { y.saturatingAdd(height) }
  /// True if either side is 0 or less.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns true if pixel (x, y) is inside.
  public func contains(x px: Int, y py: Int) -> Bool {
    px >= x && px < maxX && py >= y && py < maxY
  }

  /// Returns the intersection of both rectangles; empty, with no negative side, if they do not overlap.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x), top = max(y, other.y)
    return PixelRect(
      x: left, y: top,
      width: max(0, min(maxX, other.maxX).saturatingSubtract(left)),
      height: max(0, min(maxY, other.maxY).saturatingSubtract(top)))
  }
}
