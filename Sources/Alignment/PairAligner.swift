import Glibc

/// The work of aligning one pair.
struct PairAligner {
  typealias Pair = (candidate: Int, reference: Int)

  let reference: Pictures
  var candidate: Pictures
  /// Rates to try, in reference frames for each candidate frame.
  let rates: [Double]
  var placement: PicturePlacement
  /// Inside the candidate's borders, in the orientation of `candidate`.
  var candidatePicture = PictureRect.whole

  struct PicturePlacement {
    var rect = PictureRect.whole
    var isMirrored = false
    var quarterTurns = 0
  }

  struct Outcome {
    var frames: [Int?]
    var confidences: [Float]
    var rate = 1.0
    var isRelated: Bool
    var tone: ToneCurve?
    /// Too little moves to tell frames apart.
    var isStill = false
    var notes: [String: Double] = [:]
  }

  let n: Int, m: Int
  private let windows: CellWindows

  /// Who waits for the result.
  struct Supervision {
    var progress: (Double) -> Void
    var isCancelled: () -> Bool

    func reached(_ share: Double) throws {
      if isCancelled() { throw CancellationError() }
      progress(share)
    }
  }

  private let syncPoints: [SyncPoint]

  init(reference: SignatureSequence, candidate: SignatureSequence, rates: [Double], syncPoints: [SyncPoint] = []) {
    self.syncPoints = syncPoints.filter {
      (0..<reference.count).contains($0.reference) && (0..<candidate.count).contains($0.candidate)
    }
    self.reference = Pictures(reference)
    self.candidate = Pictures(candidate)
    self.rates = rates
    placement = PicturePlacement()
    n = reference.count
    m = candidate.count
    windows = CellWindows(candidateCount: m, referenceCount: n)
  }

  private func unrelated() -> Outcome {
    Outcome(
      frames: [Int?](repeating: nil, count: m), confidences: [Float](repeating: 0.9, count: m), isRelated: false)
  }

  /// Cells of the coarse grid that lie within the candidate's picture.
  private func mask(_ grid: SignatureGrid, _ rect: PictureRect) -> [Bool] {
    let inside = candidatePicture
    let slack = 0.25
    let columns = (0..<grid.width).map { x in
      Double(x) + slack >= inside.left * Double(grid.width) && Double(x + 1) - slack <= inside.right * Double(grid.width)
    }
    let rows = (0..<grid.height).map { y in
      Double(y) + slack >= inside.top * Double(grid.height) && Double(y + 1) - slack <= inside.bottom * Double(grid.height)
    }
    return rows.flatMap { row in columns.map { row && $0 } }
  }

  /// The same without some cells of the coarse grid.
  private func mask(_ grid: SignatureGrid, _ rect: PictureRect, without cells: [Bool]) -> [Bool] {
    let scale = grid.width / SignatureGrid.coarse.width
    return mask(grid, rect).enumerated().map { i, isUsed in
      isUsed && !cells[i / grid.width / scale * SignatureGrid.coarse.width + i % grid.width / scale]
    }
  }

  private func tone(_ a: VectorRows, _ b: VectorRows, _ pairs: [Pair], _ weights: [Float]) -> ToneCurve? {
    var x: [Float] = [], y: [Float] = []
    for pair in pairs {
      for p in 0..<a.length where weights[p] > 0 {
        x.append(a.values[pair.reference * a.length + p])
        y.append(b.values[pair.candidate * b.length + p])
      }
    }
    return ToneCurve(reference: x, candidate: y)
  }

  // MARK: Placement

  /// Chooses where the candidate's picture lies before any frames are known to belong together.
  private mutating func guessPlacement() -> Double {
    let ra = BorderDetection.picture(in: reference), rb = BorderDetection.picture(in: candidate)
    var rects: [(PictureRect, PictureRect, Double)] = []
    func add(_ rect: PictureRect, _ picture: PictureRect, _ price: Double) {
      guard !rects.contains(where: { $0.0.distance(rect) < 0.004 && $0.1.distance(picture) < 0.004 }) else { return }
      rects.append((rect, picture, price))
    }
    add(.placing(rb, on: ra), rb, 1)
    add(.whole, rb, 1.1)
    add(.placing(rb, on: .whole), rb, 1.15)
    add(.whole, .whole, 1.15)
    add(ra, .whole, 1.15)
    // What the mean pictures show: enough where a camera stands still.
    let meanA = meanPicture(reference), meanB = meanPicture(candidate)
    candidatePicture = rb
    let registration = Registration(reference: meanA, candidate: meanB, mask: mask(meanB.grid, .whole))
    for start in [PictureRect.placing(rb, on: ra), .placing(rb, on: .whole), .whole] {
      let found = registration.refine(start)
      if found.after < 0.05, found.rect.distance(start) > 0.02 { add(found.rect, rb, 1.15) }
    }
    let a = reference.frames(spread(n, 400)), b = candidate.frames(spread(m, 60))
    var best = (score: Double.infinity, rect: PictureRect.whole, picture: rb, isMirrored: false)
    for (i, (rect, picture, price)) in rects.enumerated() {
      for isMirrored in [false, true] {
        let score = score(
          a, b.oriented(isMirrored: isMirrored, quarterTurns: 0), rect,
          isMirrored ? picture.mirrored : picture)
        let priced = score * (isMirrored ? 3 : price) + (i > 0 || isMirrored ? 0.002 : 0)
        if priced < best.score {
          best = (priced, isMirrored ? rect : rect, isMirrored ? picture.mirrored : picture, isMirrored)
        }
      }
    }
    placement = PicturePlacement(rect: best.rect, isMirrored: best.isMirrored, quarterTurns: 0)
    candidatePicture = best.picture
    candidate = candidate.oriented(isMirrored: best.isMirrored, quarterTurns: 0)
    if best.score > 0.04 {
      searchCrop(from: best.score)
    }
    return best.score
  }

  /// Searches for a crop together with the frames that show it.
  private mutating func searchCrop(from start: Double) {
    let a = reference.frames(spread(n, 160)), b = candidate.frames(spread(m, 32))
    func rects(_ base: PictureRect) -> [PictureRect] {
      var result: [PictureRect] = []
      for zoom in [0.94, 0.88, 0.82] {
        for x in [0, 0.5, 1] {
          for y in [0, 0.5, 1] {
            let width = base.width * zoom, height = base.height * zoom
            let left = base.left + (base.width - width) * x, top = base.top + (base.height - height) * y
            result.append(PictureRect(left: left, right: left + width, top: top, bottom: top + height))
          }
        }
      }
      return result
    }
    var tried: [(Double, PictureRect)] = [(score(a, b, placement.rect, candidatePicture), placement.rect)]
    for rect in rects(placement.rect) { tried.append((score(a, b, rect, candidatePicture), rect)) }
    tried.sort { $0.0 < $1.0 }
    let first = tried[0].0
    var best = (score: score(a, b, placement.rect, candidatePicture), rect: placement.rect)
    for (_, rect) in tried.prefix(4) {
      var rect = rect
      var value = first
      for _ in 0..<3 {
        guard let refined = refineByNearest(a, b, rect) else { break }
        let next = score(a, b, refined, candidatePicture)
        let isEnough = rect.distance(refined) < 0.004
        (rect, value) = (refined, next)
        if isEnough { break }
      }
      if value < best.score * 0.92 { best = (value, rect) }
    }
    placement.rect = best.rect
  }

  /// Refines a placement with the nearest reference frames of those candidate frames that fit best.
  private func refineByNearest(_ a: Pictures, _ b: Pictures, _ rect: PictureRect) -> PictureRect? {
    let (rowsA, covered) = a.resampled(rect, on: .coarse)
    let rowsB = b.resampled(.whole, on: .coarse).rows
    let weights = Registration.weights(zip(covered, mask(.coarse, rect)).map { $0 && $1 })
    let x = rowsA.normalised(weights), y = rowsB.normalised(weights)
    let products = PairCosts.products(x, y, CellWindows(candidateCount: y.count, referenceCount: x.count))
    let contrast = rowsB.variances(weights)
    var matches: [(Float, Int, Int)] = []
    for c in 0..<y.count where contrast[c] > 60 {
      let row = products[c * x.count..<(c + 1) * x.count]
      if let best = row.indices.max(by: { row[$0] < row[$1] }) { matches.append((row[best], c, best - c * x.count)) }
    }
    guard matches.count >= 6 else { return nil }
    matches.sort { $0.0 > $1.0 }
    let used = matches.prefix(max(6, matches.count * 2 / 5))
    let registration = Registration(
      reference: a.frames(used.map(\.2)), candidate: b.frames(used.map(\.1)), mask: mask(.coarse, rect), grid: .coarse)
    return registration.refine(rect).rect
  }

  /// Frames earlier or later may fit through another crop: where things move evenly, one explains the other. Returns the crop
  /// that fits best, if it fits much better.
  private func betterByLag(_ pairs: [Pair], _ rate: Double, _ mask: [Bool], _ tone: ToneCurve?) -> PictureRect? {
    let pick = spread(pairs.count, 12).map { pairs[$0] }
    func refined(_ lag: Int) -> Registration.Result? {
      let moved = pick.map { ($0.candidate, $0.reference + lag) }.filter { $0.1 >= 0 && $0.1 < n }
      guard moved.count >= 8 else { return nil }
      var registration = Registration(
        reference: reference.frames(moved.map(\.1)), candidate: candidate.frames(moved.map(\.0)), mask: mask)
      registration.tone = tone
      return registration.refine(placement.rect, coarseSteps: false)
    }
    guard let here = refined(0) else { return nil }
    var best = here
    for lag in [-1, 1, -2, 2, -3, 3, -4, 4] {
      guard let other = refined(lag) else { continue }
      if other.after < best.after { best = other }
    }
    return best.after < 0.88 * here.after - 0.0002 ? best.rect : nil
  }

  private func meanPicture(_ pictures: Pictures) -> Pictures {
    let sample = spread(pictures.count, 64), size = pictures.grid.count
    var sums = [Int](repeating: 0, count: size)
    for i in sample { for p in 0..<size { sums[p] += Int(pictures.luma[i * size + p]) } }
    return Pictures(grid: pictures.grid, luma: sums.map { UInt8($0 / max(1, sample.count)) }, count: 1)
  }

  /// How badly the best third of some candidate frames fits the nearest reference frames.
  private func score(_ a: Pictures, _ b: Pictures, _ rect: PictureRect, _ picture: PictureRect) -> Double {
    let (rowsA, covered) = a.resampled(rect, on: .coarse)
    let rowsB = b.resampled(.whole, on: .coarse).rows
    var copy = self
    copy.candidatePicture = picture
    let use = zip(covered, copy.mask(.coarse, rect)).map { $0 && $1 }
    guard use.filter({ $0 }).count > 100 else { return .infinity }
    let weights = Registration.weights(use)
    let x = rowsA.normalised(weights), y = rowsB.normalised(weights)
    let windows = CellWindows(candidateCount: y.count, referenceCount: x.count)
    let products = PairCosts.products(x, y, windows)
    let sx = PairCosts.squares(x), sy = PairCosts.squares(y)
    let least = (0..<y.count).map { c in
      windows.cells(c).reduce(Float.infinity) { min($0, sx[$1 % x.count] + sy[c] - 2 * products[$1]) }
    }
    let sorted = least.sorted().prefix(max(1, y.count * 3 / 10))
    return Double(mean(Array(sorted)))
  }

  // MARK: Rounds

  private func steps(_ rate: Double) -> [Float] { [Float](repeating: Float(rate), count: m) }

  private func search(_ rate: Double, _ costs: PairCosts) -> PathSearch {
    PathSearch(
      windows: windows, steps: steps(rate), hints: [Int8](repeating: -1, count: m), repeats: costs.repeats)
  }

  private func pairs(_ frames: [Int?]) -> [Pair] {
    frames.enumerated().compactMap { c, r in r.map { (c, $0) } }
  }

  func map(_ supervision: Supervision) throws -> AlignmentMap {
    var copy = self
    var outcome = try copy.run(supervision)
    for point in syncPoints {
      outcome.frames[point.candidate] = point.reference
      outcome.confidences[point.candidate] = 1
    }
    try supervision.reached(1)
    return copy.map(of: outcome)
  }

  private func map(of outcome: Outcome) -> AlignmentMap {
    var map = AlignmentMap(
      frames: zip(outcome.frames, outcome.confidences).map { AlignmentMap.Frame(reference: $0, confidence: $1) },
      referenceCount: n, rate: outcome.rate,
      verdict: !outcome.isRelated ? .unrelated : outcome.isStill ? .ambiguous : .related, syncPoints: syncPoints)
    map.picture.shown = placement.rect
    map.picture.candidatePicture = candidatePicture
    map.picture.isMirrored = placement.isMirrored
    map.picture.quarterTurns = placement.quarterTurns
    map.picture.tone = outcome.tone?.points ?? []
    let pairs = pairs(outcome.frames)
    guard !pairs.isEmpty else { return map }
    let offsets = pairs.map { Float(Double($0.reference) - outcome.rate * Double($0.candidate)) }
    map.offset = Double(median(offsets))
    if abs(outcome.rate - outcome.rate.rounded()) < 0.01 {
      map.events = AlignmentEvent.events(of: outcome.frames, rate: outcome.rate).map { event in
        var event = event
        func around(_ c: Int) -> Float { mean(Array(outcome.confidences[max(0, c - 2)..<min(m, c + 2)])) }
        event.confidence = max(around(event.candidate.lowerBound), around(event.candidate.upperBound))
        return event
      }
    }
    return map
  }

  private mutating func run(_ supervision: Supervision) throws -> Outcome {
    guard n >= 8, m >= 8 else { return unrelated() }
    var notes: [String: Double] = [:]
    notes["hyp"] = guessPlacement()
    try supervision.reached(0.1)
    let first = placement.rect
    var rate = 1.0
    var found: [Pair] = []
    var rowsA = VectorRows(count: 0, length: 576), rowsB = candidate.resampled(.whole, on: .coarse).rows
    var weights: [Float] = [], ncc: Float = 0
    var lagged = false, toneFound: ToneCurve?
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
      notes["pairs\(round)"] = Double(found.count)
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
      let tone = tone(rowsA, rowsB, pick, weights)
      if round > 0 { registration.tone = tone }
      toneFound = tone
      let refined = registration.refine(placement.rect, coarseSteps: true)
      notes["geo\(round)"] = refined.after
      notes["geob\(round)"] = refined.before
      if refined.after > 0.85 * refined.before - 0.0005, placement.rect == first, first == .whole, !hasOverlays { break }
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
    notes["ncc"] = Double(ncc)
    return try fine(rowsA, rowsB, weights, found, rate, notes, supervision)
  }

  /// Cells that differ far more than most in most pairs: logos, timecodes. None, if these were too many.
  private func overlays(_ a: VectorRows, _ b: VectorRows, _ pairs: [Pair], _ weights: [Float]) -> [Bool] {
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

  private mutating func fine(
    _ rowsA: VectorRows, _ rowsB: VectorRows, _ weights: [Float], _ coarse: [Pair], _ rate: Double,
    _ coarseNotes: [String: Double], _ supervision: Supervision
  ) throws -> Outcome {
    var found = coarse, notes = coarseNotes
    var costs: PairCosts?
    var last: (search: PathSearch, field: PathSearch.Field, path: PathSearch.Path)?
    var distances: [Float] = []
    var grading: Grading?
    for pass in 0..<3 {
      if let costs { distances = found.map { pair in costs.windows.index(pair.candidate, pair.reference).map { costs.distances[$0] } ?? 0 } }
      let limit = distances.isEmpty ? Float.infinity : quantile(distances, 0.9)
      let kept = distances.isEmpty ? found : zip(found, distances).filter { $0.1 <= limit }.map(\.0)
      guard let next = Grading(reference: rowsA, candidate: rowsB, pairs: kept, weights: weights) else { break }
      var nextCosts = PairCosts(next, candidate: rowsB, pairs: kept, windows: windows, fade: 6)
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
    notes["e2"] = Double(median(costs.noise))
    notes["V"] = Double(costs.typical)
    let ratio = costs.typical / median(costs.noise)
    let x = grading.reference.normalised(grading.weights), y = rowsB.normalised(grading.weights)
    var correlations: [Float] = []
    let energy = rowsB.variances(grading.weights)
    for (c, r) in found {
      let a = x[r], b = y[c]
      if energy[c] > 10 { correlations.append(zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }) }
    }
    let correlation = correlations.isEmpty ? 1 : mean(correlations)
    notes["ncc2"] = Double(correlation)
    notes["share"] = Double(found.count) / Double(m)
    let ncc = Float(notes["ncc"] ?? 0)
    if ncc < 0.4 || correlation < 0.4 || (ratio < 2 && ncc < 0.6) {
      var result = unrelated()
      result.notes = notes
      return result
    }
    var frames = last.path.frames
    let filled = fillHoles(&frames, costs, rate)
    var look = CloserLook(
      reference: reference, candidate: candidate, rect: placement.rect, mask: mask(.fine, placement.rect), tone: grading.tone,
      frames: frames)
    if look != nil { check(&frames, &look, rate) }
    releaseEdges(&frames, rate)
    // Confidence.
    let through = last.search.throughCosts(last.field, costs: costs.costs, unmatched: costs.unmatched)
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
        let least = cells.reduce(Float.infinity) { min($0, through[$1]) } - last.path.cost
        confidences[c] = 1 - exp(-max(0, least) / 8)
        continue
      }
      var margin: Float = 50
      if (max(0, r - 12)...min(n - 1, r + 12)).contains(where: { isApart($0, r, c) }) { distinct += 1 }
      for other in 0..<n where through[cells.lowerBound + other] - last.path.cost < margin {
        if isOther(other, r, c) { margin = through[cells.lowerBound + other] - last.path.cost }
      }
      let fit = costs.distances[cells.lowerBound + r] / costs.noise[c]
      confidences[c] = (1 - exp(-max(0, margin) / 6)) / (1 + max(0, fit - 4) / 8)
      if filled.contains(c) { confidences[c] *= 0.6 }
      if let look { confidences[c] /= 1 + max(0, look.differences[c] / (6 * look.usualDifference) - 1) }
    }
    return Outcome(frames: frames, confidences: confidences, rate: rate, isRelated: true, tone: grading.tone,
      isStill: distinct * 20 < m, notes: notes)
  }
}

extension PairAligner {
  /// Gives frames without a partner within a run that goes on as if nothing had been, and at the ends of runs, the partner that
  /// the run suggests, where it is not too different. Returns those.
  private func fillHoles(_ frames: inout [Int?], _ costs: PairCosts, _ rate: Double) -> Set<Int> {
    var filled: Set<Int> = []
    func fit(_ c: Int, _ r: Int) -> Float {
      costs.windows.index(c, r).map { costs.distances[$0] / costs.noise[c] } ?? .infinity
    }
    var c = 1
    while c < m {
      guard frames[c] == nil, let before = frames[c - 1] else {
        c += 1
        continue
      }
      var end = c
      while end < m, frames[end] == nil { end += 1 }
      guard end < m, let after = frames[end] else { break }
      let length = end - c + 1
      if abs(Double(after - before) - rate * Double(length)) < 1.01, length <= 40 {
        let suggested = (c..<end).map { before + Int((Double(after - before) * Double($0 - c + 1) / Double(length)).rounded()) }
        let fits = zip(c..<end, suggested).map { fit($0, $1) }
        let distances = zip(c..<end, suggested).map { c, r in costs.windows.index(c, r).map { costs.distances[$0] } ?? .infinity }
        if median(fits) < 12 || (length <= 4 && mean(distances) < 0.15 * costs.typical) {
          for (c, r) in zip(c..<end, suggested) {
            frames[c] = r
            filled.insert(c)
          }
        }
      }
      c = end
    }
    return filled
  }
}

extension PairAligner {
  /// Moves runs that fit better some frames earlier or later, and takes the partner from those, and from ends of runs, that do
  /// not fit.
  private func check(_ frames: inout [Int?], _ look: inout CloserLook?, _ rate: Double) {
    guard var closer = look else { return }
    let usual = closer.usualDifference
    for run in runs(frames, rate) {
      var run = run
      if run.count >= 4 {
        let sample = spread(run.count, 32).map { run[$0] }
        func level(_ lag: Int) -> Float? {
          var sum: Float = 0, count = 0
          for c in sample {
            guard let r = frames[c], r + lag >= 0, r + lag < n else { continue }
            sum += log(closer.difference(of: c, from: r + lag) + 0.5)
            count += 1
          }
          return count >= max(4, sample.count * 4 / 5) ? sum / Float(count) : nil
        }
        if let here = level(0) {
          var best = (level: here, lag: 0)
          for lag in [-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8, 8] {
            if let other = level(lag), other < best.level - 1e-6 { best = (other, lag) }
          }
          if best.lag != 0, best.level < here - 0.3, best.level < log(8 * usual) {
            for c in run {
              frames[c] = frames[c].flatMap { r in r + best.lag >= 0 && r + best.lag < n ? r + best.lag : nil }
              closer.set(c, frames[c].map { closer.difference(of: c, from: $0) } ?? 0)
            }
            run = run.filter { frames[$0] != nil }
          }
        }
      }
      guard !run.isEmpty else { continue }
      let values = run.map { closer.differences[$0] }
      if median(values) > max((run.count > 4 ? 15 : 6) * usual, run.count > 4 ? 40 : 12) {
        for c in run { frames[c] = nil }
        continue
      }
      for ends in [run, run.reversed()] {
        let isWrong = ends.map { closer.differences[$0] > max(18 * usual, 40) }
        var count = 0
        while count < isWrong.count {
          let next = isWrong[count..<min(isWrong.count, count + 5)]
          guard Double(next.filter { $0 }.count) > 0.7 * Double(next.count) else { break }
          count += 1
        }
        if count >= 3 { for c in ends.prefix(count) { frames[c] = nil } }
      }
    }
    extendRuns(&frames, &closer, rate)
    look = closer
  }

  /// Continues runs into frames without a partner as far as they fit.
  private func extendRuns(_ frames: inout [Int?], _ closer: inout CloserLook, _ rate: Double) {
    let limit = max(5 * closer.usualDifference, 15)
    for order in [Array(0..<m), Array((0..<m).reversed())] {
      var i = 1
      while i < m {
        guard frames[order[i]] == nil, let from = frames[order[i - 1]] else {
          i += 1
          continue
        }
        let start = order[i - 1]
        var gain = closer.fade(of: start, from: from).gain
        var bad = 0, taken: [(Int, Int, Float)] = []
        while i < m, frames[order[i]] == nil {
          let c = order[i]
          let r = from + Int((rate * Double(c - start)).rounded())
          guard r >= 0, r < n else { break }
          let (difference, nextGain) = closer.fade(of: c, from: r)
          // A fade is gradual; what is black at once has been inserted.
          guard abs(nextGain - gain) < 0.15 else { break }
          gain = nextGain
          bad = difference > limit ? bad + 1 : 0
          guard bad < 2 else { break }
          taken.append((c, r, difference))
          i += 1
        }
        while let last = taken.last, last.2 > limit { taken.removeLast() }
        if taken.count >= 1 {
          for (c, r, difference) in taken {
            frames[c] = r
            closer.set(c, difference)
          }
        }
        while i < m, frames[order[i]] == nil { i += 1 }
      }
    }
  }

  /// Frames before the first one of the reference, and after its last one, resemble those: only one of them is the frame itself.
  private func releaseEdges(_ frames: inout [Int?], _ rate: Double) {
    let most = max(1, Int((1 / rate).rounded(.up)))
    for c in 0..<m where frames[c] == 0 {
      // The last ones before the reference goes on.
      if (1...most).allSatisfy({ c + $0 < m && frames[c + $0] == 0 }) { frames[c] = nil }
    }
    for c in (0..<m).reversed() where frames[c] == n - 1 {
      if (1...most).allSatisfy({ c >= $0 && frames[c - $0] == n - 1 }) { frames[c] = nil }
    }
  }

  /// Candidate frames whose partners follow one another.
  private func runs(_ frames: [Int?], _ rate: Double) -> [[Int]] {
    var runs: [[Int]] = []
    for c in 0..<m {
      guard let r = frames[c] else { continue }
      if let last = runs.last?.last, let before = frames[last], c - last <= 3,
        abs(Double(r - before) - rate * Double(c - last)) <= 6
      {
        runs[runs.count - 1].append(c)
      } else {
        runs.append([c])
      }
    }
    return runs
  }
}

extension PictureRect {
  var mirrored: PictureRect { PictureRect(left: 1 - right, right: 1 - left, top: top, bottom: bottom) }
}
