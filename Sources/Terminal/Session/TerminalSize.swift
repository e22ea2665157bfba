/// The size of a terminal, and of its cells if reported.
public struct TerminalSize: Hashable, Sendable {
  /// Maximum columns and rows used of a window: each cell costs memory and time.
  public static let largest = (columns: 4096, rows: 2048)
  /// Maximum cells used: of a wide window, fewer rows.
  public static let maxCells = 1 << 20

  /// In cells, at least 1 and at most as in `largest`.
  public let columns: Int
  public let rows: Int
  /// True if the window is larger than the part used.
  public let isCut: Bool
  /// Width and height of a cell in pixels, possibly fractional; nil if not reported.
  public var cellWidth: Double?
  public var cellHeight: Double?

  public init(columns: Int, rows: Int, cellWidth: Double? = nil, cellHeight: Double? = nil) {
    self.columns = min(max(1, columns), Self.largest.columns)
    self.rows = min(max(1, rows), Self.largest.rows, Self.maxCells / self.columns)
    isCut = columns > self.columns || rows > self.rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
  }

  /// Aspect ratio of a cell; nil if not reported or implausible.
  public var cellAspect: Double? {
    guard let cellWidth, let cellHeight, cellWidth > 0, cellHeight > 0 else { return nil }
    let aspect = cellWidth / cellHeight
    return (0.2...2).contains(aspect) ? aspect : nil
  }
}
