/// The size of a terminal, and of one of its cells where it tells.
public struct TerminalSize: Hashable, Sendable {
  /// The most columns and rows that are used of a window: a screen costs memory and time for each cell.
  public static let largest = (columns: 4096, rows: 2048)
  /// The most cells that are used: of a wide window fewer rows.
  public static let maxCells = 1 << 20

  /// In cells, at least 1 and at most as in `largest`.
  public let columns: Int
  public let rows: Int
  /// Whether the window is larger than what is used of it.
  public let isCut: Bool
  /// Width and height of a cell in pixels; nil when the terminal does not tell. May have fractions.
  public var cellWidth: Double?
  public var cellHeight: Double?

  public init(columns: Int, rows: Int, cellWidth: Double? = nil, cellHeight: Double? = nil) {
    self.columns = min(max(1, columns), Self.largest.columns)
    self.rows = min(max(1, rows), Self.largest.rows, Self.maxCells / self.columns)
    isCut = columns > self.columns || rows > self.rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
  }

  /// Width over height of a cell; nil when the terminal does not tell or what it says is absurd.
  public var cellAspect: Double? {
    guard let cellWidth, let cellHeight, cellWidth > 0, cellHeight > 0 else { return nil }
    let aspect = cellWidth / cellHeight
    return (0.2...2).contains(aspect) ? aspect : nil
  }
}
