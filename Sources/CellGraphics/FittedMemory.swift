import Pixels

/// The cells drawn last at each position of a grid, used to steady an image in which only grain moves; see `PixelMemory`.
///
/// Not thread-safe.
public struct FittedMemory: Sendable {
  private var cells: [FittedCell?]
  private let columns: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    cells = Array(repeating: nil, count: max(0, columns * rows))
  }

  /// Replaces the cells of a run with the ones drawn before, if they are close, and remembers the others.
  ///
  /// - Parameter holds: whether to replace any; if false, all are remembered as they are.
  mutating func apply(to run: UnsafeMutableBufferPointer<FittedCell>, column: Int, row: Int, holds: Bool) {
    let start = row * columns + column
    guard column >= 0, column + run.count <= columns, start >= 0, start + run.count <= cells.count else { return }
    let table = ShapeTable.shared
    for n in 0..<run.count {
      if holds, let old = cells[start + n], Self.difference(run[n], old, table) <= 2 * PixelMemory.tolerance {
        run[n] = old
      } else {
        cells[start + n] = run[n]
      }
    }
  }

  /// The squared difference of two cells, summed over both halves.
  private static func difference(_ a: FittedCell, _ b: FittedCell, _ table: ShapeTable) -> Int32 {
    table.difference(
      Int(a.shape.index), Int(b.shape.index), colors: ((a.foreground, a.background), (b.foreground, b.background)),
      by: ColorDistance.squares)
  }
}
