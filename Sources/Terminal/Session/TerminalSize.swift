/// The size of a terminal, and of one of its cells where it tells.
public struct TerminalSize: Hashable, Sendable {
  /// In cells, at least 1.
  public var columns: Int
  public var rows: Int
  /// Width and height of a cell in pixels; nil when the terminal does not tell. May have fractions.
  public var cellWidth: Double?
  public var cellHeight: Double?

  public init(columns: Int, rows: Int, cellWidth: Double? = nil, cellHeight: Double? = nil) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
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
