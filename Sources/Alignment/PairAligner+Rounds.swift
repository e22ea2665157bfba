extension PairAligner {
  mutating func run(_ supervision: Supervision) throws -> Outcome {
    guard n >= 8, m >= 8 else { return unrelated() }
    if !isPlaced { guessPlacement() }
    try supervision.reached(0.1)
    let first = placement.rect
    var rate = 1.0
    var found: [Pair] = []
    var rowsA = VectorRows(count: 0, length: 576), rowsB = candidate.resampled(.whole, on: .coarse).rows
    var weights: [Float] = [], ncc: Float = 0
    var lagged = false
    var distrusted = [Bool](repeating: false, count: SignatureGrid.coarse.count)
    for round in 0..<6 {
      let (a, covered) = reference.resampled(placement.rect, on: .coarse)
      rowsA = a
      let use = zip(covered, mask(.coarse, placement.rect)).map { $0 && $1 }
      weights = Registration.weights(zip(use, distrusted).map { $0 && !$1 })
      let x = (toneFound?.apply(rowsA) ?? rowsA).normalised(weights), y = rowsB.normalised(weights)
      var best: (cost: Float, path: PathSearch.Path, rate: Double, costs: PairCosts)?
      for candidateRate in round == 0 ? rates : [rate] {
        var costs = PairCosts(
          coarse: x, y, candidateVariances: rowsB.variances(weights), windows: windows, rate: candidateRate)
        costs.pin(syncPoints)
        let search = search(candidateRate, costs)
        let path = search.path(search.field(costs: costs.costs, unmatched: costs.unmatched))
        if best == nil || path.cost < (best?.cost ?? 0) - 10 { best = (path.cost, path, candidateRate, costs) }
      }
      guard let best else { return unrelated() }
      try supervision.reached(0.1 + 0.1 * Double(round + 1))
      rate = best.rate
      found = pairs(best.path.frames)
      guard found.count >= 8 else { return unrelated() }
      let deviations = rowsA.variances(weights)
      var good = found.compactMap { pair in
        best.costs.windows.index(pair.candidate, pair.reference).map { (pair, best.costs.distances[$0]) }
      }
      ncc = mean(good.map { 1 - $0.1 / 2 })
      good = good.filter { deviations[$0.0.reference] > 36 }
      guard good.count >= 8, round < 5 else { break }
      let overlays = overlays(x, y, good.map(\.0), weights)
      let hasOverlays = overlays.contains(true)
      if hasOverlays { distrusted = zip(distrusted, overlays).map { $0 || $1 } }
      good.sort { $0.1 < $1.1 }
      let kept = good.prefix(max(8, good.count * 7 / 10)).map(\.0).sorted { $0.candidate < $1.candidate }
      let pick = spread(kept.count, 18).map { kept[$0] }
      let fineMask = mask(candidate.grid, placement.rect, without: distrusted)
      var registration = Registration(
        reference: reference.frames(pick.map(\.reference)), candidate: candidate.frames(pick.map(\.candidate)),
        mask: fineMask)
      registration.picture = candidatePicture
      let tone = ToneSearch(reference: rowsA, candidate: rowsB, weights: weights).best(for: kept).tone
      if round > 0 { registration.tone = tone }
      toneFound = tone
      let refined = registration.refine(placement.rect, coarseSteps: true)
      // Zooms and pans look like other crops: without a good reason, all of the frame is shown.
      if refined.after > 0.85 * refined.before - 0.0005, placement.rect == first, first == .whole {
        if hasOverlays, round == 0 { continue }
        break
      }
      let moved = refined.rect.distance(placement.rect)
      if (moved < 0.15 / 64 && !hasOverlays) || round > 2 {
        if !lagged, placement.rect != .whole, let rect = betterByLag(pick, rate, fineMask, tone) {
          lagged = true
          placement.rect = rect
          continue
        }
        break
      }
      placement.rect = refined.rect
    }
    return try fine(rowsA, rowsB, weights, found, rate, ncc, supervision)
  }

  /// Cells that differ far more than most in most pairs: logos, timecodes. None, if these were too many.
  func overlays(_ a: VectorRows, _ b: VectorRows, _ pairs: [Pair], _ weights: [Float]) -> [Bool] {
    let few = spread(pairs.count, 60).map { pairs[$0] }, length = a.length
    let used = (0..<length).filter { weights[$0] > 0 }
    var shifts = [Float](repeating: 0, count: length), scatter = shifts
    for pair in few {
      for p in used {
        let error = b.values[pair.candidate * length + p] - a.values[pair.reference * length + p]
        shifts[p] += error
        scatter[p] += error * error
      }
    }
    let count = Float(max(1, few.count))
    for p in used {
      shifts[p] = shifts[p] / count * (shifts[p] / count)
      scatter[p] = max(0, scatter[p] / count - shifts[p])
    }
    let middle = median(used.map { shifts[$0] + scatter[$0] })
    // What differs because wrong frames are compared differs in both directions.
    let result = zip(shifts, scatter).map { $0 > 12 * middle + 2e-3 / Float(length) && $0 > 0.5 * $1 }
    return result.filter { $0 }.count * 4 < used.count ? result : result.map { _ in false }
  }
}
