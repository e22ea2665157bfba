/// A width and height in cells. For pixels, see `PixelSize`.
public struct CellSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension CellSize: CustomStringConvertible {
  public var description: String { "\(width)×\(height) cells" }
}

/// A rectangle in cells, half open; x grows to the right and y downwards. For pixels, see `PixelRect`.
public struct CellRect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var size: CellSize { CellSize(width: width, height: height) }
  public var maxX: Int { x + width }
  public var maxY: Int { y + height }
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  public func contains(x column: Int, y row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }

  /// Returns the intersection of both rectangles; empty, with no negative side, if they do not overlap.
  public func intersection(_ other: CellRect) -> CellRect {
    let left = max(x, other.x), top = max(y, other.y)
    return CellRect(
      x: left, y: top,
      width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
  }
}
