import CMetricLoops

@testable import Metrics

/// What the loops in C compute, said as plainly as possible.
enum PlainKernels {
  typealias Samples = [[Int]]

  static func squaredError(_ a: Samples, _ b: Samples) -> Int {
    zip(a, b).reduce(0) { sum, rows in zip(rows.0, rows.1).reduce(sum) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
  }

  /// The weights of the texture of one sample, and of 2×2 samples.
  static let single = [[-1, -2, -1], [-2, 12, -2], [-1, -2, -1]]
  static let halved = [
    [0, -1, -1, -1, -1, 0], [-1, -2, -3, -3, -2, -1], [-1, -3, 12, 12, -3, -1],
    [-1, -3, 12, 12, -3, -1], [-1, -2, -3, -3, -2, -1], [0, -1, -1, -1, -1, 0],
  ]

  /// The sum over an area of the absolute values of a filter whose weights begin `reach` samples before each place.
  static func texture(_ s: Samples, _ weights: [[Int]], reach: Int, x: Int, y: Int, width: Int, height: Int, step: Int) -> Int {
    var sum = 0
    for v in stride(from: y, to: y + height, by: step) {
      for u in stride(from: x, to: x + width, by: step) {
        var value = 0
        for (j, row) in weights.enumerated() {
          for (i, weight) in row.enumerated() { value += weight * s[v + j - reach][u + i - reach] }
        }
        sum += abs(value)
      }
    }
    return sum
  }

  /// The sum of absolute values of frames weighed against each other, `step` × `step` samples at a time.
  static func change(_ frames: [Samples], _ weights: [Int], width: Int, height: Int, step: Int) -> Int {
    var sum = 0
    for y in stride(from: 0, to: height, by: step) {
      for x in stride(from: 0, to: width, by: step) {
        var value = 0
        for v in y..<y + step {
          for u in x..<x + step { for (frame, weight) in zip(frames, weights) { value += weight * frame[v][u] } }
        }
        sum += abs(value)
      }
    }
    return sum
  }

  /// The SSIM of each window of 8×8 samples, four apart.
  static func similarities(_ a: Samples, _ b: Samples, depth: Int) -> [[Float]] {
    let peak = Double(1 << depth - 1)
    let c1 = Int(0.01 * 0.01 * peak * peak * 64 + 0.5), c2 = Int(0.03 * 0.03 * peak * peak * 64 * 63 + 0.5)
    let columns = (a.first?.count ?? 0) / 4 - 1, rows = a.count / 4 - 1
    return (0..<max(0, rows)).map { row in
      (0..<max(0, columns)).map { column in
        var (sumA, sumB, squares, products) = (0, 0, 0, 0)
        for y in 4 * row..<4 * row + 8 {
          for x in 4 * column..<4 * column + 8 {
            let (p, q) = (a[y][x], b[y][x])
            sumA += p
            sumB += q
            squares += p * p + q * q
            products += p * q
          }
        }
        let variances = squares * 64 - sumA * sumA - sumB * sumB, covariance = products * 64 - sumA * sumB
        return Float(2 * sumA * sumB + c1) * Float(2 * covariance + c2)
          / (Float(sumA * sumA + sumB * sumB + c1) * Float(variances + c2))
      }
    }
  }
}
