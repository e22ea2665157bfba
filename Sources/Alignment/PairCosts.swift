import CAlignmentLoops
import Glibc

/// Costs of the cells of a path search, and of leaving frames without a partner.
struct PairCosts {
  /// The number of cells of a signature that count as independent, halved: the factor of logarithms of distances.
  static let evidence: Float = 22

  var windows: CellWindows
  /// Mean square differences.
  var distances: [Float]
  /// The difference to expect of each candidate frame from its partner.
  var noise: [Float]
  /// The typical difference of frames that do not belong together.
  var typical: Float
  var costs: [Float]
  var unmatched: [Float]
  /// See `PathSearch.repeats`.
  var repeats: [Float]

  /// The products of the rows of a candidate with those of a reference, for all cells.
  static func products(_ reference: VectorRows, _ candidate: VectorRows, _ windows: CellWindows) -> [Float] {
    var result = [Float](repeating: 0, count: windows.cellCount)
    let length = reference.length
    reference.values.withUnsafeBufferPointer { reference in
      candidate.values.withUnsafeBufferPointer { candidate in
        result.withUnsafeMutableBufferPointer { result in
          guard let a = reference.baseAddress, let b = candidate.baseAddress, let output = result.baseAddress else { return }
          if windows.isFull {
            qd_inner_product_matrix(
              a, windows.referenceCount, length, b, windows.candidateCount, output, windows.referenceCount)
            return
          }
          for c in 0..<windows.candidateCount {
            for window in windows.row(c) {
              qd_inner_products(
                a + window.first * length, window.end - window.first, length, b + c * length, output + window.offset)
            }
          }
        }
      }
    }
    return result
  }

  /// Sum of squares of each row.
  static func squares(_ rows: VectorRows) -> [Float] {
    (0..<rows.count).map { i in
      rows.withRow(i) { row in
        var sum: Float = 0
        qd_inner_products(row, 1, rows.length, row, &sum)
        return sum
      } ?? 0
    }
  }

  /// Replaces the values of all cells.
  static func forEach(_ windows: CellWindows, _ body: (_ candidate: Int, _ reference: Int, _ cell: Int) -> Void) {
    for c in 0..<windows.candidateCount {
      for window in windows.row(c) {
        for r in window.first..<window.end { body(c, r, window.offset + r - window.first) }
      }
    }
  }

  /// `evidence` × log(1 + distance ÷ noise) for all cells.
  static func logCosts(_ distances: [Float], _ windows: CellWindows, noise: [Float]) -> [Float] {
    var costs = [Float](repeating: 0, count: distances.count)
    distances.withUnsafeBufferPointer { distances in
      costs.withUnsafeMutableBufferPointer { costs in
        guard let from = distances.baseAddress, let to = costs.baseAddress else { return }
        for c in 0..<windows.candidateCount {
          let cells = windows.cells(c)
          qd_log1p(from + cells.lowerBound, 1 / noise[c], evidence, cells.count, to + cells.lowerBound)
        }
      }
    }
    return costs
  }

  /// A frame that is a repeated one differs from the one before by noise only.
  static func repeats(_ steps: [Float], _ noise: [Float]) -> [Float] {
    zip(steps, noise).map { max(0, min(20, evidence * log((1 + $0 / (2 * $1)) / 2))) }
  }

  /// Leaves no other way than through some pairs.
  mutating func pin(_ points: [SyncPoint]) {
    for point in points {
      guard let pinned = windows.index(point.candidate, point.reference) else { continue }
      for cell in windows.cells(point.candidate) { costs[cell] = cell == pinned ? 0 : 1e6 }
      unmatched[point.candidate] = 1e6
    }
  }

  /// The median of at most some thousands of values.
  static func sampledMedian(_ values: [Float]) -> Float {
    Alignment.median(spread(values.count, 8191).map { values[$0] })
  }

  /// The median of a distance over some pairs from anywhere: frames in windows resemble each other.
  static func median(_ windows: CellWindows, _ distance: (_ candidate: Int, _ reference: Int) -> Float) -> Float {
    var values: [Float] = []
    for (i, c) in spread(windows.candidateCount, 64).enumerated() {
      for r in spread(windows.referenceCount, 32) {
        values.append(distance(c, (r + i * 7) % windows.referenceCount))
      }
    }
    return Alignment.median(values)
  }

  static func product(_ a: VectorRows, _ i: Int, _ b: VectorRows, _ j: Int) -> Float {
    var sum: Float = 0
    _ = a.withRow(i) { x in b.withRow(j) { y in qd_inner_products(x, 1, a.length, y, &sum) } }
    return sum
  }

  /// The smallest distance of each candidate frame.
  static func smallest(_ distances: [Float], _ windows: CellWindows) -> [Float] {
    (0..<windows.candidateCount).map { c in windows.cells(c).reduce(Float.infinity) { min($0, distances[$1]) } }
  }
}

extension PairCosts {
  /// Costs of frames by their correlation and that of what moves, before anything is known about the grading.
  init(coarse reference: VectorRows, _ candidate: VectorRows, candidateVariances: [Float], windows: CellWindows, rate: Double) {
    let a = Self.squares(reference), b = Self.squares(candidate)
    var distances = Self.products(reference, candidate, windows)
    Self.forEach(windows) { c, r, cell in distances[cell] = max(0, a[r] + b[c] - 2 * distances[cell]) }
    let typical = windows.isFull ? Self.sampledMedian(distances) : Self.median(windows) { c, r in
      a[r] + b[c] - 2 * Self.product(reference, r, candidate, c)
    }
    let smallest = Self.smallest(distances, windows)
    let level = min(max(1.5 * quantile(smallest.filter(\.isFinite), 0.3), 0.0001), max(0.5 * typical, 1e-4))
    let noise = candidateVariances.map { level + 0.25 / ($0 + 6.25) }
    var costs = Self.logCosts(distances, windows, noise: noise)
    let movements = Self.products(
      reference.movements(reach: 12), candidate.movements(reach: max(4, Int((12 / rate).rounded()))), windows)
    for i in 0..<costs.count { costs[i] += 15 * (1 - max(-1, min(1, movements[i]))) }
    let middle = Alignment.median(noise), floor = max(0.02, min(0.15, 0.5 * typical))
    let limit = min(min(max((typical / middle).squareRoot(), 2.5), 8), max(2.5, 0.7 * typical / middle))
    let unmatched = noise.map { Self.evidence * log1p(max(limit, floor / $0)) + 10 }
    let equal = [Float](repeating: 1, count: candidate.length)
    self.init(
      windows: windows, distances: distances, noise: noise, typical: typical, costs: costs, unmatched: unmatched,
      repeats: Self.repeats(candidate.stepDistances(equal), noise))
  }
}
