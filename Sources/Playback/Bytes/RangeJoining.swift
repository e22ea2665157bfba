extension [Range<Int64>] {
  /// Appends a range that begins no earlier than the last one; those that touch or overlap become one.
  mutating func join(_ range: Range<Int64>) {
    guard let last, last.upperBound >= range.lowerBound else { return append(range) }
    self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
  }
}
