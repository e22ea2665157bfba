/// Decides which side of a transition dominates, and when.
struct TransitionShares {
  /// The transitions in time order.
  private let instructions: [VideoCompositionInstruction]

  init(_ instructions: [VideoCompositionInstruction]) {
    self.instructions = instructions.sorted { $0.timeRange.start < $1.timeRange.start }
  }

  /// Returns the part of a track's range in which no other track dominates: up to the middle of a transition away from it,
  /// and from the middle of one to it.
  func main(of range: TimeRange, track: Int) -> TimeRange {
    var (start, end) = (range.start, range.end)
    let first = instructions.partitioningIndex { $0.timeRange.end > range.start }
    for item in instructions[first...].prefix(while: { $0.timeRange.start < range.end }) {
      let middle = item.timeRange.start + item.timeRange.duration.multiplied(by: 1, dividedBy: 2)
      if item.from == track { end = min(end, middle) }
      if item.to == track { start = max(start, middle) }
    }
    return TimeRange(start: min(start, end), end: end)
  }
}
