/// The pairs of frames that a path may go through: for each candidate frame some ranges of reference frames.
///
/// The values of all pairs lie in one array, candidate frame by candidate frame. For short clips these are all pairs; for
/// long ones what the index proposes, so that their number grows with the length.
struct CellWindows {
  struct Window {
    var first: Int
    var end: Int
    /// The place of the first one's value.
    var offset: Int
  }

  let referenceCount: Int
  let candidateCount: Int
  private(set) var windows: [Window] = []
  private(set) var rowStarts = [0]
  private(set) var cellCount = 0

  /// All pairs.
  init(candidateCount: Int, referenceCount: Int) {
    self.init(referenceCount: referenceCount, rows: (0..<candidateCount).map { _ in [0..<referenceCount] })
  }

  /// Pairs in ranges that may overlap and reach beyond the reference.
  init(referenceCount: Int, rows: [[Range<Int>]]) {
    self.referenceCount = referenceCount
    candidateCount = rows.count
    for row in rows {
      var last: Range<Int>?
      for range in row.map({ $0.clamped(to: 0..<referenceCount) }).filter({ !$0.isEmpty })
        .sorted(by: { $0.lowerBound < $1.lowerBound })
      {
        if let open = last, range.lowerBound <= open.upperBound {
          last = open.lowerBound..<max(open.upperBound, range.upperBound)
        } else {
          if let open = last { add(open) }
          last = range
        }
      }
      if let open = last { add(open) }
      rowStarts.append(windows.count)
    }
  }

  private mutating func add(_ range: Range<Int>) {
    windows.append(Window(first: range.lowerBound, end: range.upperBound, offset: cellCount))
    cellCount += range.count
  }

  /// True if these are all pairs.
  var isFull: Bool { cellCount == referenceCount * candidateCount }

  func row(_ candidate: Int) -> ArraySlice<Window> { windows[rowStarts[candidate]..<rowStarts[candidate + 1]] }

  /// The place of a pair's value; nil if it is in no window.
  func index(_ candidate: Int, _ reference: Int) -> Int? {
    for window in row(candidate) where reference >= window.first && reference < window.end {
      return window.offset + reference - window.first
    }
    return nil
  }

  /// The cells of a candidate frame.
  func cells(_ candidate: Int) -> Range<Int> {
    let row = row(candidate)
    guard let first = row.first, let last = row.last else { return 0..<0 }
    return first.offset..<last.offset + last.end - last.first
  }

  /// Both clips backwards. The value of the last cell comes first.
  var reversed: CellWindows {
    CellWindows(
      referenceCount: referenceCount,
      rows: (0..<candidateCount).reversed().map { c in
        row(c).reversed().map { referenceCount - $0.end..<referenceCount - $0.first }
      })
  }
}
