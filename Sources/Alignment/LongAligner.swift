/// Aligns clips of which not all pairs of frames can be compared: an index proposes where parts of the candidate lie in the
/// reference, and each part is aligned with what lies around there.
struct LongAligner {
  /// Up to so many pairs are compared all.
  private static let mostPairs = 1_000_000
  /// Candidate frames of a part, and those around it that are aligned with it and left out of the result.
  private static let partLength = 1500, margin = 150
  /// Reference frames before and after each proposed place.
  private static let reach = 40

  static func isLong(_ reference: Int, _ candidate: Int) -> Bool { reference * candidate > mostPairs }

  private var pair: PairAligner

  init(_ pair: PairAligner) { self.pair = pair }

  func map(_ supervision: PairAligner.Supervision) throws -> AlignmentMap {
    var copy = self
    return try copy.run(supervision)
  }

  private mutating func run(_ supervision: PairAligner.Supervision) throws -> AlignmentMap {
    pair.guessPlacement()
    try supervision.reached(0.1)
    let use = pair.mask(.coarse, pair.placement.rect)
    let index = SignatureIndex(pair.reference, pair.placement.rect, use)
    let step = max(4, (pair.m + SignatureIndex.mostQueries - 1) / SignatureIndex.mostQueries)
    let queries = Array(stride(from: step / 2, to: pair.m, by: step))
    let hits = try index.hits(SignatureIndex.descriptors(pair.candidate, queries, .whole, use), supervision)
    let proposals = pair.rates.map { (rate: $0, places: self.proposals(queries, hits, $0)) }
    guard let best = proposals.max(by: { $0.places.support < $1.places.support }) else {
      return AlignmentMap(frames: [], referenceCount: pair.n)
    }
    return try alignParts(queries, best.places.offsets, best.rate, supervision)
  }

  /// For each query the distances (reference frame − rate × candidate frame) that neighbouring queries confirm, best first.
  private func proposals(
    _ queries: [Int], _ hits: [[SignatureIndex.Hit]], _ rate: Double
  ) -> (support: Float, offsets: [[Int]]) {
    func offset(_ q: Int, _ hit: SignatureIndex.Hit) -> Int { hit.reference - Int((rate * Double(queries[q])).rounded()) }
    var total: Float = 0
    let offsets = queries.indices.map { q -> [Int] in
      var votes: [(offset: Int, support: Float)] = hits[q].map { hit in
        let own = offset(q, hit)
        var support = max(0, hit.likeness)
        for other in max(0, q - 6)...min(queries.count - 1, q + 6) where other != q {
          let best = hits[other].filter { abs(offset(other, $0) - own) <= 24 }.map(\.likeness).max() ?? 0
          support += max(0, best)
        }
        return (own, support)
      }
      votes.sort { $0.support > $1.support }
      guard let first = votes.first, first.support > 3 else { return [] }
      total += first.support
      var result: [Int] = []
      for vote in votes where vote.support > 0.6 * first.support && result.count < 3 {
        if result.allSatisfy({ abs($0 - vote.offset) > Self.reach }) { result.append(vote.offset) }
      }
      return result
    }
    return (total, offsets)
  }

  private func alignParts(
    _ queries: [Int], _ offsets: [[Int]], _ rate: Double, _ supervision: PairAligner.Supervision
  ) throws -> AlignmentMap {
    var outcome = PairAligner.Outcome(
      frames: [Int?](repeating: nil, count: pair.m), confidences: [Float](repeating: 0.9, count: pair.m), rate: rate,
      isRelated: false)
    var stillParts = 0, parts = 0
    for first in stride(from: 0, to: pair.m, by: Self.partLength) {
      let share = Double(first) / Double(pair.m)
      try supervision.reached(0.3 + 0.7 * share)
      let own = first..<min(pair.m, first + Self.partLength)
      let part = max(0, own.lowerBound - Self.margin)..<min(pair.m, own.upperBound + Self.margin)
      guard let (frames, windows) = referenceFrames(part, queries, offsets, rate), frames.count >= Aligner.fewestFrames else {
        continue
      }
      let numbers = Dictionary(uniqueKeysWithValues: frames.enumerated().map { ($1, $0) })
      var aligner = PairAligner(
        reference: pair.reference.frames(frames), candidate: pair.candidate.frames(part), rate: rate, windows: windows,
        placement: pair.placement, candidatePicture: pair.candidatePicture,
        syncPoints: pair.syncPoints.compactMap { point in
          guard part.contains(point.candidate), let number = numbers[point.reference] else { return nil }
          return SyncPoint(reference: number, candidate: point.candidate - part.lowerBound)
        })
      let result = try aligner.run(PairAligner.Supervision(progress: { _ in }, isCancelled: supervision.isCancelled))
      guard result.isRelated else { continue }
      outcome.isRelated = true
      parts += 1
      stillParts += result.isStill ? 1 : 0
      outcome.tone = outcome.tone ?? result.tone
      for c in own {
        outcome.frames[c] = result.frames[c - part.lowerBound].map { frames[$0] }
        outcome.confidences[c] = result.confidences[c - part.lowerBound]
      }
    }
    outcome.isStill = parts > 0 && stillParts == parts
    for point in pair.syncPoints {
      outcome.frames[point.candidate] = point.reference
      outcome.confidences[point.candidate] = 1
    }
    try supervision.reached(1)
    return pair.map(of: outcome)
  }

  /// The reference frames for a part, and its windows among these; nil if nothing is proposed.
  private func referenceFrames(
    _ part: Range<Int>, _ queries: [Int], _ offsets: [[Int]], _ rate: Double
  ) -> (frames: [Int], windows: CellWindows)? {
    let step = queries.count > 1 ? queries[1] - queries[0] : 1
    let rows = part.map { c -> [Range<Int>] in
      // What the queries around propose, so that both sides of a change are among the windows.
      let q = min(queries.count - 1, max(0, (c - queries[0]) / step))
      let near = max(0, q - 2)...min(queries.count - 1, q + 2)
      var own = near.flatMap { offsets[$0] }
      if own.isEmpty {
        own = (offsets[..<q].last { !$0.isEmpty } ?? []) + (offsets[q...].first { !$0.isEmpty } ?? [])
      }
      own += pair.syncPoints.filter { $0.candidate == c }.map { $0.reference - Int((rate * Double(c)).rounded()) }
      let middle = Int((rate * Double(c)).rounded())
      return own.map { middle + $0 - Self.reach..<middle + $0 + Self.reach + 1 }
    }
    // At most 16 ranges: a part that may be anywhere is none.
    var covered: [Range<Int>] = []
    for range in rows.flatMap({ $0 }).map({ $0.clamped(to: 0..<pair.n) }).filter({ !$0.isEmpty })
      .sorted(by: { $0.lowerBound < $1.lowerBound })
    {
      if let last = covered.last, range.lowerBound <= last.upperBound {
        covered[covered.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        covered.append(range)
      }
    }
    let frames = covered.flatMap { Array($0) }
    guard !frames.isEmpty, frames.count <= 40 * Self.partLength else { return nil }
    var starts: [Int] = [], count = 0
    for range in covered {
      starts.append(count)
      count += range.count
    }
    let windows = CellWindows(
      referenceCount: frames.count,
      rows: rows.map { ranges in
        ranges.flatMap { range in
          covered.indices.compactMap { i in
            let common = range.clamped(to: covered[i])
            guard !common.isEmpty else { return nil }
            let moved = starts[i] - covered[i].lowerBound
            return common.lowerBound + moved..<common.upperBound + moved
          }
        }
      })
    return (frames, windows)
  }
}
