extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies a predicate; it must hold for all elements after that one.
  func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Int {
    var low = startIndex, high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
