extension PairAligner {
  /// Chooses where the candidate's picture lies before any frames are known to belong together.
  mutating func guessPlacement() {
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
    var registration = Registration(reference: meanA, candidate: meanB, mask: mask(meanB.grid, .whole))
    registration.picture = rb
    for start in [PictureRect.placing(rb, on: ra), .placing(rb, on: .whole), .whole] {
      let found = registration.refine(start)
      if found.after < 0.05, found.rect.distance(start) > 0.02 { add(found.rect, rb, 1.15) }
    }
    let a = reference.frames(spread(n, n > 3000 ? 5000 : 400)), b = candidate.frames(spread(m, 60))
    var best = (score: Double.infinity, rect: PictureRect.whole, picture: rb, isMirrored: false)
    for (i, (rect, picture, price)) in rects.enumerated() {
      for isMirrored in [false, true] {
        let score = score(
          a, b.oriented(isMirrored: isMirrored, quarterTurns: 0), rect,
          isMirrored ? picture.mirrored : picture)
        let priced = score * (isMirrored ? 3 : price) + (i > 0 || isMirrored ? 0.002 : 0)
        if priced < best.score {
          best = (priced, rect, isMirrored ? picture.mirrored : picture, isMirrored)
        }
      }
    }
    placement = PicturePlacement(rect: best.rect, isMirrored: best.isMirrored, quarterTurns: 0)
    candidatePicture = best.picture
    candidate = candidate.oriented(isMirrored: best.isMirrored, quarterTurns: 0)
    if best.score > 0.04 { searchCrop() }
  }

  /// Searches for a crop together with the frames that show it.
  mutating func searchCrop() {
    let a = reference.frames(spread(n, n > 3000 ? 2000 : 160)), b = candidate.frames(spread(m, 32))
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
  func refineByNearest(_ a: Pictures, _ b: Pictures, _ rect: PictureRect) -> PictureRect? {
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
    var registration = Registration(
      reference: a.frames(used.map(\.2)), candidate: b.frames(used.map(\.1)), mask: mask(.coarse, rect), grid: .coarse)
    registration.picture = candidatePicture
    return registration.refine(rect).rect
  }

  /// Frames earlier or later may fit through another crop: where things move evenly, one explains the other. Returns the crop
  /// that fits best, if it fits much better.
  func betterByLag(_ pairs: [Pair], _ rate: Double, _ mask: [Bool], _ tone: ToneCurve?) -> PictureRect? {
    let pick = spread(pairs.count, 12).map { pairs[$0] }
    func refined(_ lag: Int) -> Registration.Result? {
      let moved = pick.map { ($0.candidate, $0.reference + lag) }.filter { $0.1 >= 0 && $0.1 < n }
      guard moved.count >= 8 else { return nil }
      var registration = Registration(
        reference: reference.frames(moved.map(\.1)), candidate: candidate.frames(moved.map(\.0)), mask: mask)
      registration.tone = tone
      registration.picture = candidatePicture
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

  func meanPicture(_ pictures: Pictures) -> Pictures {
    let sample = spread(pictures.count, 64), size = pictures.grid.count
    var sums = [Int](repeating: 0, count: size)
    for i in sample { for p in 0..<size { sums[p] += Int(pictures.luma[i * size + p]) } }
    return Pictures(grid: pictures.grid, luma: sums.map { UInt8($0 / max(1, sample.count)) }, count: 1)
  }

  /// The misfit of the best third of some candidate frames to the nearest reference frames.
  func score(_ a: Pictures, _ b: Pictures, _ rect: PictureRect, _ picture: PictureRect) -> Double {
    let (rowsA, covered) = a.resampled(rect, on: .coarse)
    let rowsB = b.resampled(.whole, on: .coarse).rows
    var copy = self
    copy.candidatePicture = picture
    let use = zip(covered, copy.mask(.coarse, rect)).map { $0 && $1 }
    return Self.score(rowsA, rowsB, use, share: 0.3)
  }

  static func score(_ rowsA: VectorRows, _ rowsB: VectorRows, _ use: [Bool], share: Double) -> Double {
    guard use.filter({ $0 }).count > 100 else { return .infinity }
    let weights = Registration.weights(use)
    let x = rowsA.normalised(weights), y = rowsB.normalised(weights)
    let windows = CellWindows(candidateCount: y.count, referenceCount: x.count)
    let products = PairCosts.products(x, y, windows)
    let sx = PairCosts.squares(x), sy = PairCosts.squares(y)
    let least = (0..<y.count).map { c in
      windows.cells(c).reduce(Float.infinity) { min($0, sx[$1 % x.count] + sy[c] - 2 * products[$1]) }
    }
    let sorted = least.sorted().prefix(max(1, Int(Double(y.count) * share)))
    return Double(mean(Array(sorted)))
  }
}

extension PictureRect {
  var mirrored: PictureRect { PictureRect(left: 1 - right, right: 1 - left, top: top, bottom: bottom) }
}
