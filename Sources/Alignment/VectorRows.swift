import CAlignmentLoops

/// Vectors of equal length, one for each frame, one after another in memory.
struct VectorRows {
  let length: Int
  private(set) var count: Int
  var values: [Float]

  init(count: Int, length: Int) {
    self.count = count
    self.length = length
    values = [Float](repeating: 0, count: count * length)
  }

  subscript(row: Int) -> ArraySlice<Float> { values[row * length..<(row + 1) * length] }

  func withRow<T>(_ row: Int, _ body: (UnsafePointer<Float>) -> T) -> T? {
    values.withUnsafeBufferPointer { values in values.baseAddress.map { body($0 + row * length) } }
  }

  /// The rows of some frames.
  func rows(_ indices: [Int]) -> VectorRows {
    var chosen = VectorRows(count: indices.count, length: length)
    for (k, i) in indices.enumerated() {
      chosen.values.replaceSubrange(k * length..<(k + 1) * length, with: self[i])
    }
    return chosen
  }

  /// Weighted mean and mean square of each row; the weights' sum is 1.
  func moments(_ weights: [Float]) -> (means: [Float], squares: [Float]) {
    var means = [Float](repeating: 0, count: count)
    var squares = means
    values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for i in 0..<count { qd_moments(base + i * length, weights, length, &means[i], &squares[i]) }
    }
    return (means, squares)
  }

  /// Weighted variance over the cells of each row.
  func variances(_ weights: [Float]) -> [Float] {
    let (means, squares) = moments(weights)
    return zip(means, squares).map { max(0, $1 - $0 * $0) }
  }

  /// Each row without its mean and divided by its deviation, times the roots of the weights: the product of two rows is then
  /// their correlation.
  func normalised(_ weights: [Float], floor: Float = 2.5) -> VectorRows {
    let (means, squares) = moments(weights)
    let roots = weights.map { $0.squareRoot() }
    return mapRows { i, input, output in
      let variance = max(0, squares[i] - means[i] * means[i])
      qd_centre(input, means[i], roots, 1 / (variance + floor * floor).squareRoot(), length, output)
    }
  }

  /// Each row without its weighted mean, times the roots of the weights.
  func centred(_ weights: [Float]) -> (rows: VectorRows, means: [Float], variances: [Float]) {
    let (means, squares) = moments(weights)
    let roots = weights.map { $0.squareRoot() }
    let rows = mapRows { i, input, output in qd_centre(input, means[i], roots, 1, length, output) }
    return (rows, means, zip(means, squares).map { max(0, $1 - $0 * $0) })
  }

  private func mapRows(_ body: (Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void) -> VectorRows {
    var result = VectorRows(count: count, length: length)
    values.withUnsafeBufferPointer { values in
      result.values.withUnsafeMutableBufferPointer { output in
        guard let from = values.baseAddress, let to = output.baseAddress else { return }
        for i in 0..<count { body(i, from + i * length, to + i * length) }
      }
    }
    return result
  }

  /// Each row without the mean of those up to `reach` away, scaled to length 1: what moves.
  func movements(reach: Int) -> VectorRows {
    var result = VectorRows(count: count, length: length)
    guard count > 0 else { return result }
    var sum = [Float](repeating: 0, count: length)
    values.withUnsafeBufferPointer { rows in
      result.values.withUnsafeMutableBufferPointer { output in
        func add(_ i: Int, _ factor: Float) {
          for p in 0..<length { sum[p] += factor * rows[i * length + p] }
        }
        for i in 0...min(reach, count - 1) { add(i, 1) }
        for i in 0..<count {
          let size = Float(min(count, i + reach + 1) - max(0, i - reach))
          var squares: Float = 0
          for p in 0..<length {
            let d = rows[i * length + p] - sum[p] / size
            output[i * length + p] = d
            squares += d * d
          }
          // 0.01 keeps what is noise from becoming a movement.
          let factor = 1 / (squares + 0.0001).squareRoot()
          for p in 0..<length { output[i * length + p] *= factor }
          if i + reach + 1 < count { add(i + reach + 1, 1) }
          if i - reach >= 0 { add(i - reach, -1) }
        }
      }
    }
    return result
  }

  /// The products of some rows with a row of others.
  func products(_ range: ClosedRange<Int>, _ other: VectorRows, _ row: Int) -> [Float] {
    var result = [Float](repeating: 0, count: range.count)
    _ = withRow(range.lowerBound) { rows in
      other.withRow(row) { qd_inner_products(rows, range.count, length, $0, &result) }
    }
    return result
  }

  /// Weighted mean square of the difference of two rows.
  func distance(_ row: Int, _ other: VectorRows, _ otherRow: Int, _ weights: [Float]) -> Float {
    values.withUnsafeBufferPointer { a in
      other.values.withUnsafeBufferPointer { b in
        guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
        return qd_weighted_distance(a + row * length, b + otherRow * length, weights, length)
      }
    }
  }

  /// The distance of each row to the one before; 0 for the first one.
  func stepDistances(_ weights: [Float]) -> [Float] {
    (0..<count).map { $0 == 0 ? 0 : distance($0 - 1, self, $0, weights) }
  }

  /// For each row, the larger one of its distances to the row before and the row after.
  func activity(_ weights: [Float]) -> [Float] {
    let steps = (0..<max(0, count - 1)).map { distance($0, self, $0 + 1, weights) }
    return (0..<count).map { i in max(i > 0 ? steps[i - 1] : 0, i < steps.count ? steps[i] : 0) }
  }
}

/// The value below which a share of some values lie.
func quantile(_ values: [Float], _ share: Float) -> Float {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  let at = share * Float(sorted.count - 1), i = Int(at)
  let next = sorted[min(i + 1, sorted.count - 1)]
  return sorted[i] + (next - sorted[i]) * (at - Float(i))
}

func median(_ values: [Float]) -> Float { quantile(values, 0.5) }

func mean(_ values: [Float]) -> Float { values.isEmpty ? 0 : values.reduce(0, +) / Float(values.count) }

/// At most `most` of `count` indices, evenly spread.
func spread(_ count: Int, _ most: Int) -> [Int] {
  guard count > most else { return Array(0..<count) }
  return (0..<most).map { most == 1 ? 0 : $0 * (count - 1) / (most - 1) }
}
