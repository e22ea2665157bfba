import Glibc

extension PairAligner {
  /// The last rounds: costs in luma levels, after grading, and checks of the result.
  mutating func fine(
    _ rowsA: VectorRows, _ rowsB: VectorRows, _ weights: [Float], _ coarse: [Pair], _ rate: Double,
    _ ncc: Float, _ supervision: Supervision
  ) throws -> Outcome {
    var found = coarse
    var costs: PairCosts?
    var last: (search: PathSearch, field: PathSearch.Field, path: PathSearch.Path)?
    var distances: [Float] = []
    var grading: Grading?
    for pass in 0..<3 {
      if let costs {
        distances = found.map { costs.windows.index($0.candidate, $0.reference).map { costs.distances[$0] } ?? 0 }
      }
      let limit = distances.isEmpty ? Float.infinity : quantile(distances, 0.9)
      let kept = distances.isEmpty ? found : zip(found, distances).filter { $0.1 <= limit }.map(\.0)
      guard let next = Grading(reference: rowsA, candidate: rowsB, pairs: kept, weights: weights) else { break }
      var nextCosts = PairCosts(next, candidate: rowsB, pairs: kept, windows: windows, fade: 10)
      nextCosts.pin(syncPoints)
      let search = search(rate, nextCosts)
      let field = search.field(costs: nextCosts.costs, unmatched: nextCosts.unmatched)
      let path = search.path(field)
      let nextFound = pairs(path.frames)
      (costs, grading, last) = (nextCosts, next, (search, field, path))
      try supervision.reached(0.7 + 0.08 * Double(pass))
      guard nextFound.count >= 8 else { return unrelated() }
      found = nextFound
    }
    guard let costs, let grading, let last else { return unrelated() }
    let ratio = costs.typical / median(costs.noise)
    let x = grading.reference.normalised(grading.weights), y = rowsB.normalised(grading.weights)
    var correlations: [Float] = []
    let energy = rowsB.variances(grading.weights)
    for (c, r) in found {
      let a = x[r], b = y[c]
      if energy[c] > 10 { correlations.append(zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }) }
    }
    let correlation = correlations.isEmpty ? 1 : mean(correlations)
    if ncc < 0.4 || correlation < 0.4 || (ratio < 2 && ncc < 0.6) {
      return unrelated()
    }
    var frames = last.path.frames
    let filled = fillHoles(&frames, costs, rate)
    var look = CloserLook(
      reference: reference, candidate: candidate, rect: placement.rect, mask: mask(.fine, placement.rect), tone: grading.tone,
      frames: frames)
    if look != nil { check(&frames, &look, rate) }
    releaseEdges(&frames, rate)
    var (confidences, isStill) = confidences(
      of: frames, last.search, last.field, last.path.cost, costs, grading, filled: filled, look)
    // Without the grading, too, no other frame may fit much better.
    let graded = PairedTest(
      reference: grading.reference, candidate: rowsB, weights: grading.weights, frames: frames, rate: rate)
      .confidences(margin: 0, still: 0.4)
    let plain = PairedTest(reference: rowsA, candidate: rowsB, weights: weights, frames: frames, rate: rate)
      .confidences(margin: -0.4, still: 1)
    for c in 0..<m where frames[c] != nil { confidences[c] = min(confidences[c], graded[c], plain[c]) }
    return Outcome(
      frames: frames, confidences: confidences, rate: rate, isRelated: true, tone: grading.tone, isStill: isStill)
  }

  /// The distance of the next best way, through another, visibly different frame, from the best one, for each candidate frame,
  /// less where it does not fit well; and if hardly any frame has neighbours that look different.
  private func confidences(
    of frames: [Int?], _ search: PathSearch, _ field: PathSearch.Field, _ best: Float, _ costs: PairCosts, _ grading: Grading,
    filled: Set<Int>, _ look: CloserLook?
  ) -> (confidences: [Float], isStill: Bool) {
    let through = search.throughCosts(field, costs: costs.costs, unmatched: costs.unmatched)
    func isOther(_ r: Int, _ own: Int, _ c: Int) -> Bool {
      grading.reference.distance(r, grading.reference, own, grading.weights) > max(0.02, 0.5 * costs.noise[c])
    }
    func isApart(_ r: Int, _ own: Int, _ c: Int) -> Bool {
      grading.reference.distance(r, grading.reference, own, grading.weights) > 2.5 * costs.noise[c]
    }
    var confidences = [Float](repeating: 0, count: m), distinct = 0
    for c in 0..<m {
      let cells = windows.cells(c)
      guard let r = frames[c] else {
        let least = cells.reduce(Float.infinity) { min($0, through[$1]) } - best
        confidences[c] = 1 - exp(-max(0, least) / 8)
        continue
      }
      var margin: Float = 50
      if (max(0, r - 12)...min(n - 1, r + 12)).contains(where: { isApart($0, r, c) }) { distinct += 1 }
      for window in windows.row(c) {
        for other in window.first..<window.end {
          let cost = through[window.offset + other - window.first] - best
          if cost < margin, isOther(other, r, c) { margin = cost }
        }
      }
      let fit = (windows.index(c, r).map { costs.distances[$0] } ?? 0) / costs.noise[c]
      confidences[c] = (1 - exp(-max(0, margin) / 6)) / (1 + max(0, fit - 4) / 8)
      if filled.contains(c) { confidences[c] *= 0.6 }
      if let look { confidences[c] /= 1 + max(0, look.differences[c] / (6 * look.usualDifference) - 1) }
    }
    return (confidences, distinct * 20 < m)
  }
}
