/// Finds which part of the reference's frames the candidate's frames show.
struct Registration {
  struct Result {
    var rect: PictureRect
    /// 1 minus the mean correlation, before and after.
    var before: Double
    var after: Double
  }

  let reference: Pictures
  /// The candidate's frames that belong to those, on the fine grid.
  let candidate: VectorRows
  /// Cells of the candidate inside its borders.
  let mask: [Bool]
  /// The curve from the reference's levels to the candidate's.
  var tone: ToneCurve?
  /// The candidate's frames without borders: all of it must lie within the reference's frames, or nearly.
  var picture = PictureRect.whole
  private let grid: SignatureGrid

  /// Both hold the same number of frames.
  init(reference: Pictures, candidate: Pictures, mask: [Bool], grid: SignatureGrid? = nil) {
    self.reference = reference
    self.grid = grid ?? candidate.grid
    self.candidate = candidate.resampled(.whole, on: self.grid).rows
    self.mask = mask
  }

  /// 1 minus the mean correlation; a little more where less of the frame is covered, and infinite for what is no crop.
  func mismatch(_ rect: PictureRect) -> Double {
    guard (0.4...2.2).contains(rect.width), (0.4...2.2).contains(rect.height) else { return 9 }
    let shown = rect.part(picture)
    guard min(shown.left, shown.top) > -0.08, max(shown.right, shown.bottom) < 1.08 else { return 9 }
    let (rows, covered) = warped(rect)
    let use = zip(covered, mask).map { $0 && $1 }
    let share = Double(use.filter { $0 }.count) / Double(max(1, mask.filter { $0 }.count))
    guard share > 0.45 else { return 9 }
    let weights = Self.weights(use)
    var sum = 0.0
    let a = rows.normalised(weights, floor: 1), b = candidate.normalised(weights, floor: 1)
    for i in 0..<rows.count {
      sum += Double(a.withRow(i) { x in b.withRow(i) { y in dot(x, y, a.length) } ?? 0 } ?? 0)
    }
    return 1 - sum / Double(max(1, rows.count)) + 0.02 * (1 - share)
  }

  private func warped(_ rect: PictureRect) -> (rows: VectorRows, isCovered: [Bool]) {
    let (rows, covered) = reference.resampled(rect, on: grid)
    return (tone?.apply(rows) ?? rows, covered)
  }

  private func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int) -> Float {
    var sum: Float = 0
    for i in 0..<count { sum += x[i] * y[i] }
    return sum
  }

  static func weights(_ use: [Bool]) -> [Float] {
    let count = Float(max(1, use.filter { $0 }.count))
    return use.map { $0 ? 1 / count : 0 }
  }

  /// Moves edges by ever smaller steps while that helps, then by Gauss and Newton's method.
  func refine(_ start: PictureRect, coarseSteps: Bool = true) -> Result {
    var rect = start, best = mismatch(start)
    let before = best
    // Directions in cells of a 64 × 36 grid: move, stretch one edge, zoom.
    let directions: [(Double, Double, Double, Double)] = [
      (1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, -1, 0, 0), (0, 0, 1, -1),
      (1, -1, 0.5625, -0.5625),
    ]
    if coarseSteps {
      for step in [3.0, 1.5, 0.75] {
        for _ in 0..<6 {
          var hasMoved = false
          for (l, r, t, b) in directions {
            for sign in [step, -step] {
              let next = PictureRect(
                left: rect.left + sign * l / 64, right: rect.right + sign * r / 64, top: rect.top + sign * t / 36,
                bottom: rect.bottom + sign * b / 36)
              let value = mismatch(next)
              if value < best - 1e-5 { (rect, best, hasMoved) = (next, value, true) }
            }
          }
          if !hasMoved { break }
        }
      }
    }
    descend(&rect, &best)
    return Result(rect: rect, before: before, after: best)
  }

  private func descend(_ rect: inout PictureRect, _ best: inout Double) {
    var damping = 0.01
    for _ in 0..<10 {
      guard let step = step(from: rect, damping: damping) else { return }
      let next = PictureRect(
        left: rect.left + step[0] / 64, right: rect.right + step[1] / 64, top: rect.top + step[2] / 36,
        bottom: rect.bottom + step[3] / 36)
      let value = mismatch(next)
      if value < best - 1e-7 {
        (rect, best, damping) = (next, value, damping * 0.3)
      } else {
        damping *= 10
      }
      if step.map(abs).max() ?? 0 < 0.01 || damping > 100 { return }
    }
  }

  /// The step of damped Gauss and Newton's method, in cells of a 64 × 36 grid.
  private func step(from rect: PictureRect, damping: Double) -> [Double]? {
    let (rows, covered) = warped(rect)
    let use = zip(covered, mask).map { $0 && $1 }
    let weights = Self.weights(use)
    let b = candidate.normalised(weights, floor: 2), a = rows.normalised(weights, floor: 2)
    let delta = 0.25
    let moved = (0..<4).map { edge in
      var next = rect
      switch edge {
      case 0: next.left += delta / 64
      case 1: next.right += delta / 64
      case 2: next.top += delta / 36
      default: next.bottom += delta / 36
      }
      return warped(next).rows.normalised(weights, floor: 2)
    }
    let cells = use.indices.filter { use[$0] }
    guard cells.count >= 16 else { return nil }
    var errors: [Float] = []
    errors.reserveCapacity(cells.count * rows.count)
    for i in 0..<rows.count {
      // Some of them tell the scale.
      for p in cells where p % 3 == 0 { errors.append(abs(b.values[i * b.length + p] - a.values[i * a.length + p])) }
    }
    let scale = 2 * median(errors) + 1e-7
    var h = [Double](repeating: 0, count: 16), g = [Double](repeating: 0, count: 4)
    for i in 0..<rows.count {
      for p in cells {
        let at = i * a.length + p
        let error = b.values[at] - a.values[at]
        let weight = 1 / (1 + error / scale * (error / scale))
        let j0 = moved[0].values[at] - a.values[at], j1 = moved[1].values[at] - a.values[at]
        let j2 = moved[2].values[at] - a.values[at], j3 = moved[3].values[at] - a.values[at]
        let w0 = Double(j0 * weight), w1 = Double(j1 * weight), w2 = Double(j2 * weight), w3 = Double(j3 * weight)
        let d0 = Double(j0), d1 = Double(j1), d2 = Double(j2), d3 = Double(j3), e = Double(error)
        h[0] += w0 * d0
        h[1] += w0 * d1
        h[2] += w0 * d2
        h[3] += w0 * d3
        h[5] += w1 * d1
        h[6] += w1 * d2
        h[7] += w1 * d3
        h[10] += w2 * d2
        h[11] += w2 * d3
        h[15] += w3 * d3
        g[0] += w0 * e
        g[1] += w1 * e
        g[2] += w2 * e
        g[3] += w3 * e
      }
    }
    for y in 0..<4 {
      for x in 0..<y { h[y * 4 + x] = h[x * 4 + y] }
      h[y * 5] *= 1 + damping
      h[y * 5] += 1e-12
    }
    return Self.solve(h, g).map { $0.map { max(-4, min(4, $0 * delta)) } }
  }

  /// Solves four linear equations; nil if there is no solution.
  private static func solve(_ matrix: [Double], _ right: [Double]) -> [Double]? {
    var m = matrix, b = right
    for i in 0..<4 {
      let pivot = (i..<4).max { abs(m[$0 * 4 + i]) < abs(m[$1 * 4 + i]) } ?? i
      guard abs(m[pivot * 4 + i]) > 1e-15 else { return nil }
      if pivot != i {
        for x in 0..<4 { m.swapAt(pivot * 4 + x, i * 4 + x) }
        b.swapAt(pivot, i)
      }
      for y in i + 1..<4 {
        let factor = m[y * 4 + i] / m[i * 4 + i]
        for x in i..<4 { m[y * 4 + x] -= factor * m[i * 4 + x] }
        b[y] -= factor * b[i]
      }
    }
    var x = [0.0, 0, 0, 0]
    for y in (0..<4).reversed() {
      x[y] = (b[y] - (y + 1..<4).reduce(0) { $0 + m[y * 4 + $1] * x[$1] }) / m[y * 5]
    }
    return x
  }
}
