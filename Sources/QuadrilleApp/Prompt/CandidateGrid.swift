import Terminal

/// Candidates in columns, read downwards as in ls: pure.
struct CandidateGrid: Equatable {
  /// The visible candidates.
  let shown: Range<Int>
  /// Number of hidden candidates.
  let more: Int
  let columnWidth: Int
  /// Rows of candidates.
  let rows: Int

  static let gap = 2

  /// - Parameters:
  ///   - widths: Width of each candidate in columns, at most `columns`.
  ///   - selected: Index of a candidate that must be visible.
  ///   - rows: At least 1; the last row shows the number of hidden candidates.
  init(widths: [Int], selected: Int?, columns: Int, rows: Int) {
    columnWidth = max(1, widths.max() ?? 0) + Self.gap
    let across = max(1, (columns + Self.gap) / columnWidth)
    let needed = (widths.count + across - 1) / across
    guard needed > rows else {
      (shown, more, self.rows) = (0..<widths.count, 0, needed)
      return
    }
    let high = max(1, rows - 1)
    let first = (selected ?? 0) / (high * across) * (high * across)
    shown = first..<min(widths.count, first + high * across)
    more = widths.count - shown.count
    self.rows = min(high, (shown.count + across - 1) / across)
  }

  /// Position of a candidate.
  func place(of index: Int) -> (row: Int, column: Int) {
    let offset = index - shown.lowerBound
    return (offset % max(1, rows), offset / max(1, rows) * columnWidth)
  }
}
