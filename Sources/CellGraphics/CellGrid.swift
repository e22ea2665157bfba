/// A screen of cells, row after row: what is to be shown, or what a terminal shows.
///
/// A value: copies share their cells until one of them changes.
public struct CellGrid: Equatable, Sendable {
  /// Width in cells, at least 0.
  public private(set) var columns: Int
  /// Height in cells, at least 0.
  public private(set) var rows: Int
  /// `columns * rows` cells; cell (column, row) is at `row * columns + column`.
  var cells: [Cell]

  /// Makes a grid whose cells are all `cell`; negative sizes count as 0.
  public init(columns: Int, rows: Int, filledWith cell: Cell = .blank) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: cell, count: self.columns * self.rows)
  }

  /// The cell at a place inside the grid. For single cells; loops use `withCells` and `withMutableCells`.
  public subscript(column column: Int, row row: Int) -> Cell {
    get {
      precondition(column >= 0 && column < columns && row >= 0 && row < rows)
      return cells[row * columns + column]
    }
    set {
      precondition(column >= 0 && column < columns && row >= 0 && row < rows)
      cells[row * columns + column] = newValue
    }
  }

  /// Takes a new size and fills every cell with `cell`; the old cells are gone.
  public mutating func resize(columns: Int, rows: Int, filledWith cell: Cell = .blank) {
    let count = max(0, columns) * max(0, rows)
    if count == cells.count {
      self.columns = max(0, columns)
      self.rows = max(0, rows)
      fill(with: cell)
    } else {
      self = CellGrid(columns: columns, rows: rows, filledWith: cell)
    }
  }

  /// Fills every cell with `cell`.
  public mutating func fill(with cell: Cell) {
    cells.withUnsafeMutableBufferPointer { $0.update(repeating: cell) }
  }

  /// Fills the part of `rect` (in cells) that lies in the grid with `cell`.
  public mutating func fill(_ rect: CellRect, with cell: Cell) {
    let part = rect.intersection(bounds)
    guard !part.isEmpty else { return }
    let stride = columns
    cells.withUnsafeMutableBufferPointer { all in
      for row in part.y..<part.maxY {
        all[(row * stride + part.x)..<(row * stride + part.maxX)].update(repeating: cell)
      }
    }
  }

  /// The grid's rectangle in cells, at (0, 0).
  public var bounds: CellRect { CellRect(x: 0, y: 0, width: columns, height: rows) }

  /// Gives `body` all cells to read, row after row; the pointer is good only inside.
  @inline(__always)
  public func withCells<R>(_ body: (UnsafeBufferPointer<Cell>) throws -> R) rethrows -> R {
    try cells.withUnsafeBufferPointer(body)
  }

  /// Gives `body` all cells to change, row after row; the pointer is good only inside.
  @inline(__always)
  public mutating func withMutableCells<R>(
    _ body: (UnsafeMutableBufferPointer<Cell>) throws -> R
  ) rethrows -> R {
    try cells.withUnsafeMutableBufferPointer { try body($0) }
  }
}
