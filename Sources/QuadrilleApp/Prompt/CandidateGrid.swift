import Terminal

/// Candidates in columns, read downwards as ls lists them: pure.
struct CandidateGrid: Equatable {
  /// The candidates that are shown.
  let shown: Range<Int>
  /// How many are not.
  let more: Int
  let columnWidth: Int
  /// Rows of candidates.
  let rows: Int

  static let gap = 2

  /// - Parameters:
  ///   - widths: columns that each candidate takes, at most `columns`.
  ///   - selected: is among those that are shown.
  ///   - rows: at least 1; the last one tells how many more there are.
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

  /// Where a candidate stands.
  func place(of index: Int) -> (row: Int, column: Int) {
    let offset = index - shown.lowerBound
    return (offset % max(1, rows), offset / max(1, rows) * columnWidth)
  }
}
