import Glibc

/// The change from the reference's cells to the candidate's: a tone curve for all of them, a factor and an offset for each
/// (logos, timecodes, shading), and how far each can be trusted.
struct Grading {
  /// The reference as the candidate shows it.
  var reference: VectorRows
  /// Their sum is 1.
  var weights: [Float]
  var tone: ToneCurve?

  /// - Parameters:
  ///   - pairs: Frames that belong together, of which the worst tenth has been left out.
  ///   - weights: Those of cells that both show; their sum is 1.
  init?(reference: VectorRows, candidate: VectorRows, pairs: [(candidate: Int, reference: Int)], weights: [Float]) {
    guard pairs.count >= 8 else { return nil }
    let length = reference.length
    // Frames that are brighter or darker than most say nothing about the rest.
    let deviationsA = reference.variances(weights), deviationsB = candidate.variances(weights)
    let ratios = pairs.map { log((deviationsB[$0.candidate] + 4) / (deviationsA[$0.reference] + 4)) / 2 }
    let usual = median(ratios), limit = max(0.05, median(ratios.map { abs($0 - usual) }))
    let pairs = zip(pairs, ratios).filter { abs($0.1 - usual) <= limit }.map(\.0)
    let sample = spread(pairs.count, 400).map { pairs[$0] }
    let used = (0..<length).filter { weights[$0] > 0 }
    tone = ToneSearch(reference: reference, candidate: candidate, weights: weights).tone(sample)
    self.reference = tone?.apply(reference) ?? reference
    self.weights = weights

    let count = Float(sample.count)
    var meanA = [Float](repeating: 0, count: length), meanB = meanA, squares = meanA, products = meanA
    for pair in sample {
      for p in 0..<length {
        let x = self.reference.values[pair.reference * length + p], y = candidate.values[pair.candidate * length + p]
        meanA[p] += x
        meanB[p] += y
      }
    }
    for p in 0..<length { (meanA[p], meanB[p]) = (meanA[p] / count, meanB[p] / count) }
    for pair in sample {
      for p in 0..<length {
        let x = self.reference.values[pair.reference * length + p] - meanA[p]
        let y = candidate.values[pair.candidate * length + p] - meanB[p]
        squares[p] += x * x
        products[p] += x * y
      }
    }
    // Where little moves, a factor near 1 is the best guess.
    let prior: Float = 30
    var gains = [Float](repeating: 1, count: length), offsets = meanB
    for p in 0..<length {
      gains[p] = min(1.6, max(0, (products[p] / count + prior) / (squares[p] / count + prior)))
      offsets[p] = meanB[p] - gains[p] * meanA[p]
    }
    // Most frames decide how far a cell can be trusted, so that a few wrong pairs do not hide what moves.
    let few = spread(sample.count, 80).map { sample[$0] }
    var residuals = [Float](repeating: 0, count: length), cell = [Float](repeating: 0, count: few.count)
    for p in used {
      // What the curve explains needs no factor of its own.
      for (i, pair) in few.enumerated() {
        let error = candidate.values[pair.candidate * length + p] - self.reference.values[pair.reference * length + p]
        cell[i] = error * error
      }
      cell.sort()
      let plain = 2 * mean(Array(cell.prefix(max(1, few.count * 3 / 5))))
      for (i, pair) in few.enumerated() {
        let expected = self.reference.values[pair.reference * length + p] * gains[p] + offsets[p]
        let error = candidate.values[pair.candidate * length + p] - expected
        cell[i] = error * error
      }
      cell.sort()
      residuals[p] = 2 * mean(Array(cell.prefix(max(1, few.count * 3 / 5))))
      if plain < 1 || residuals[p] > 0.5 * plain { (gains[p], offsets[p], residuals[p]) = (1, 0, plain) }
    }
    let middle = median(used.map { residuals[$0] })
    var sum: Float = 0
    for p in 0..<length {
      self.weights[p] = weights[p] / (residuals[p] + 0.3 * middle + 0.1)
      sum += self.weights[p]
    }
    for p in 0..<length { self.weights[p] /= sum }
    for i in 0..<self.reference.count {
      for p in 0..<length {
        self.reference.values[i * length + p] = self.reference.values[i * length + p] * gains[p] + offsets[p]
      }
    }
  }
}

extension PairCosts {
  /// Costs of frames in luma levels, after grading; a candidate frame may be brighter or darker as a whole for a price.
  init(_ grading: Grading, candidate: VectorRows, pairs: [(candidate: Int, reference: Int)], windows: CellWindows, fade: Float) {
    let (a, meansA, variancesA) = grading.reference.centred(grading.weights)
    let (b, meansB, variancesB) = candidate.centred(grading.weights)
    let products = Self.products(a, b, windows)
    let activity = candidate.activity(grading.weights)
    let of = pairs.compactMap { pair -> (Float, Float)? in
      windows.index(pair.candidate, pair.reference).map { cell in
        let r = pair.reference, c = pair.candidate
        return (max(0, variancesA[r] + variancesB[c] - 2 * products[cell]), activity[c])
      }
    }
    let middle = Alignment.median(of.map(\.1))
    let base = max(quantile(of.filter { $0.1 <= middle }.map(\.0), 0.4), 0.01)
    let perActivity = quantile(of.filter { $0.1 >= middle }.map { $0.0 / max($0.1, 1e-3) }, 0.4)
    let expected = activity.map { min(max(perActivity * $0, base), 30 * base) + 0.015 }
    let farTypical = windows.isFull ? 0 : Self.median(windows) { c, r in
      max(0, variancesA[r] + variancesB[c] - 2 * Self.product(a, r, b, c)) + (meansA[r] - meansB[c]) * (meansA[r] - meansB[c])
    }
    // Some frames are worse than others, and dark ones are better: what fits best of all frames costs little, if it fits better
    // than most.
    var noise = expected
    for c in 0..<windows.candidateCount {
      var distances: [Float] = []
      for window in windows.row(c) {
        for r in window.first..<window.end {
          distances.append(max(0, variancesA[r] + variancesB[c] - 2 * products[window.offset + r - window.first]))
        }
      }
      let least = distances.min() ?? 0
      let usual = windows.isFull ? Alignment.median(distances) : farTypical
      noise[c] = min(max(expected[c], min(0.5 * least, 6 * expected[c], usual / 40)), 2 * least + 0.01)
    }
    var plain = products, faded = products
    Self.forEach(windows) { c, r, cell in
      let product = products[cell], shift = meansA[r] - meansB[c], variance = variancesA[r]
      // The curve may be wrong by some 2 % of contrast and half a level, for all cells alike.
      let looseness = noise[c] / 0.0004, level = noise[c] / 0.25
      let excess = product - variance
      plain[cell] = max(
        0, variance + variancesB[c] - 2 * product - excess * excess / (variance + looseness)
          + shift * shift * level / (1 + level))
      // The best factor between 0.02 and 3, and any offset.
      let gain = min(3, max(0.02, product / (variance + 1)))
      faded[cell] = max(0, variancesB[c] - 2 * gain * product + gain * gain * variance)
    }
    let typical = windows.isFull ? Self.sampledMedian(plain) : farTypical
    var costs = Self.logCosts(plain, windows, noise: noise)
    let fadedCosts = Self.logCosts(faded, windows, noise: noise)
    Self.forEach(windows) { c, r, cell in
      guard fadedCosts[cell] + fade < costs[cell] else { return }
      let gain = min(3, max(0.02, products[cell] / (variancesA[r] + 1)))
      costs[cell] = min(costs[cell], fadedCosts[cell] + fade + 6 * abs(log(gain)))
    }
    let level = Alignment.median(noise)
    let limit = min(min(max((typical / level).squareRoot(), 2.5), 8), max(1.6, 0.7 * typical / level))
    let unmatched = zip(noise, variancesB).map { noise, variance in
      // A frame that shows nothing says nothing.
      variance < 3 + 10 * noise ? Self.evidence * log1p(min(limit, 2)) : Self.evidence * log1p(limit)
    }
    self.init(
      windows: windows, distances: plain, noise: noise, typical: typical, costs: costs, unmatched: unmatched,
      repeats: Self.repeats(candidate.stepDistances(grading.weights), expected))
  }
}
