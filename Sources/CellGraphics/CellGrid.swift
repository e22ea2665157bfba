import Pixels

/// A screen of cells in row-major order: either the target or what a terminal shows.
///
/// A value type; copies share storage until one of them changes.
public struct CellGrid: Equatable, Sendable {
  /// Width in cells, at least 0.
  public private(set) var columns: Int
  /// Height in cells, at least 0.
  public private(set) var rows: Int
  /// `columns * rows` cells; cell (column, row) is at `row * columns + column`.
  var cells: [Cell]
  /// The cells of images as fitted, for plans; empty if no image has shapes. Entries of other cells are undefined.
  var fitted: [FittedCell] = []

  /// Creates a grid filled with `cell`; negative sizes count as 0.
  public init(columns: Int, rows: Int, filledWith cell: Cell = .blank) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: cell, count: self.columns * self.rows)
  }

  /// The cell at a position inside the grid. In loops, use `withCells` or `withMutableCells` instead.
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

  /// Resizes the grid and fills it with `cell`, discarding its previous content.
  public mutating func resize(columns: Int, rows: Int, filledWith cell: Cell = .blank) {
    let count = max(0, columns) * max(0, rows)
    if count == cells.count {
      self.columns = max(0, columns)
      self.rows = max(0, rows)
      fitted = []
      fill(with: cell)
    } else {
      self = CellGrid(columns: columns, rows: rows, filledWith: cell)
    }
  }

  /// Fills the grid with `cell`.
  public mutating func fill(with cell: Cell) {
    cells.withUnsafeMutableBufferPointer { $0.update(repeating: cell) }
  }

  /// Fills the part of `rect` that lies within the grid with `cell`.
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

  /// The rectangle of the whole grid, in cells, with its origin at (0, 0).
  public var bounds: CellRect { CellRect(x: 0, y: 0, width: columns, height: rows) }

  /// Calls `body` with the cells in row-major order; the pointer is valid only during the call.
  @inline(__always)
  public func withCells<R>(_ body: (UnsafeBufferPointer<Cell>) throws -> R) rethrows -> R {
    try cells.withUnsafeBufferPointer(body)
  }

  /// Calls `body` with the mutable cells in row-major order; the pointer is valid only during the call.
  @inline(__always)
  public mutating func withMutableCells<R>(
    _ body: (UnsafeMutableBufferPointer<Cell>) throws -> R
  ) rethrows -> R {
    try cells.withUnsafeMutableBufferPointer { try body($0) }
  }
}
