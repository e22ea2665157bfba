/// How luma levels of the reference appear in the candidate: a rising curve through the middles of 32 ranges.
struct ToneCurve {
  private var from: [Float]
  private var to: [Float]

  /// A curve through the medians of values that belong together; nil if they cover too few levels.
  init?(reference: [Float], candidate: [Float]) {
    var values = [[Float]](repeating: [], count: 32), inputs = values
    for (a, b) in zip(reference, candidate) {
      let bin = min(31, max(0, Int(a / 8)))
      values[bin].append(b)
      inputs[bin].append(a)
    }
    from = []
    to = []
    for i in 0..<32 where values[i].count > 40 {
      from.append(median(inputs[i]))
      to.append(max(to.last ?? -.infinity, median(values[i])))
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
