extension Array {
  /// The first index whose element satisfies a predicate that holds for all elements after it.
  func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
