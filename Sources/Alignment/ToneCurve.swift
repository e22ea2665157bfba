/// The luma levels in the candidate for those of the reference: a rising curve through the middles of 32 ranges.
struct ToneCurve {
  private var from: [Float]
  private var to: [Float]

  /// The curve that makes the levels of one clip as frequent as those of the other. Frames need not be paired exactly: in a fade,
  /// a wrong pair and a wrong curve would explain each other.
  ///
  /// Nil if there are too few levels.
  init?(reference: [Float], candidate: [Float]) {
    let slices = 48
    func means(_ values: [Float]) -> [Float] {
      // Sums of eighths of levels, then of slices with equally many values.
      var counts = [Int](repeating: 0, count: 2048), sums = [Float](repeating: 0, count: 2048)
      for value in values {
        let bin = min(2047, max(0, Int(value * 8)))
        counts[bin] += 1
        sums[bin] += value
      }
      var result: [Float] = []
      var bin = 0, taken = 0
      for slice in 1...slices {
        let wanted = values.count * slice / slices - values.count * (slice - 1) / slices
        var sum: Float = 0, count = 0
        while count < wanted, bin < 2048 {
          let left = counts[bin] - taken, some = min(left, wanted - count)
          if some > 0 {
            sum += sums[bin] / Float(counts[bin]) * Float(some)
            count += some
            taken += some
          }
          if taken == counts[bin] { (bin, taken) = (bin + 1, 0) }
        }
        result.append(count > 0 ? sum / Float(count) : 0)
      }
      return result
    }
    guard reference.count >= slices * 4, candidate.count >= slices * 4 else { return nil }
    from = []
    to = []
    var weights: [Float] = []
    for (a, b) in zip(means(reference), means(candidate)) {
      if let last = from.last, a - last < 2 {
        let weight = weights[weights.count - 1]
        from[from.count - 1] = (last * weight + a) / (weight + 1)
        to[to.count - 1] = (to[to.count - 1] * weight + b) / (weight + 1)
        weights[weights.count - 1] = weight + 1
      } else {
        from.append(a)
        to.append(b)
        weights.append(1)
      }
    }
    guard from.count > 2 else { return nil }
    // Beyond the ends the curve goes on as it ends.
    let n = from.count
    func slope(_ i: Int) -> Float { min(2, max(0.3, (to[i + 1] - to[i]) / max(1, from[i + 1] - from[i]))) }
    let low = slope(0), high = slope(n - 2)
    from = [from[0] - 60] + from + [from[n - 1] + 60]
    to = [to[0] - 60 * low] + to + [to[n - 1] + 60 * high]
  }

  /// The curve at the whole levels −64…319, of which `apply` reads.
  private var table: [Float] {
    var i = 0
    return (-64..<320).map { level in
      let x = Float(level)
      while i + 2 < from.count, from[i + 1] < x { i += 1 }
      let share = (x - from[i]) / max(0.001, from[i + 1] - from[i])
      return to[i] + (to[i + 1] - to[i]) * share
    }
  }

  /// The curve's points within the levels that were seen.
  var points: [PictureChange.TonePoint] {
    zip(from, to).dropFirst().dropLast().map { PictureChange.TonePoint(reference: $0, candidate: $1) }
  }

  func apply(_ rows: VectorRows) -> VectorRows {
    let table = table
    var result = rows
    for i in 0..<result.values.count {
      let x = min(254.99, max(0, result.values[i])), level = Int(x)
      result.values[i] = table[level + 64] + (table[level + 65] - table[level + 64]) * (x - Float(level))
    }
    return result
  }
}
