import Glibc

/// Finds a tone curve together with the frames that it makes equal.
///
/// In a fade, a wrong curve and a wrong frame explain each other, so each curve may choose the best frames near the pairs that it
/// is given. The curve whose best frames differ least wins; without need, there is none.
struct ToneSearch {
  typealias Pair = (candidate: Int, reference: Int)

  let reference: VectorRows
  let candidate: VectorRows
  /// Their sum is 1.
  let weights: [Float]
  /// Frames before and after, among which a curve may choose.
  private let reach = 4

  struct Result {
    var tone: ToneCurve?
    var pairs: [Pair]
    fileprivate var score: Float
  }

  func best(for pairs: [Pair]) -> Result {
    let sample = spread(pairs.count, 160).map { pairs[$0] }
    var best = matched(nil, sample)
    let plain = best
    var start = best.pairs
    for _ in 0..<2 {
      guard let tone = tone(start) else { break }
      let next = matched(tone, sample)
      if next.score < best.score { best = next }
      start = next.pairs
    }
    // A curve from the pairs as they are, for gradings that make other frames look alike.
    if let tone = tone(sample) {
      let next = matched(tone, sample)
      if next.score < best.score { best = next }
      if let tone = self.tone(next.pairs) {
        let next = matched(tone, sample)
        if next.score < best.score { best = next }
      }
    }
    return best.score < plain.score - 0.1 ? best : plain
  }

  /// The curve of some pairs as they are.
  func tone(_ pairs: [Pair]) -> ToneCurve? {
    let length = reference.length
    var a: [Float] = [], b: [Float] = []
    for (i, pair) in pairs.enumerated() {
      for p in 0..<length where (p + i) % 3 == 0 && weights[p] > 0 {
        a.append(reference.values[pair.reference * length + p])
        b.append(candidate.values[pair.candidate * length + p])
      }
    }
    return ToneCurve(reference: a, candidate: b)
  }

  /// The frames that a curve makes most alike, and the mean logarithm of the differences of the better three quarters.
  private func matched(_ tone: ToneCurve?, _ pairs: [Pair]) -> Result {
    let rows = tone?.apply(reference) ?? reference
    var matched: [(pair: Pair, distance: Float)] = []
    for pair in pairs {
      var best = (reference: pair.reference, distance: Float.infinity)
      for r in max(0, pair.reference - reach)...min(rows.count - 1, pair.reference + reach) {
        let distance = rows.distance(r, candidate, pair.candidate, weights)
        if distance < best.distance { best = (r, distance) }
      }
      matched.append(((pair.candidate, best.reference), best.distance))
    }
    let sorted = matched.map(\.distance).sorted()
    let limit = sorted[min(sorted.count - 1, sorted.count * 3 / 4)]
    let score = mean(sorted.prefix(max(1, sorted.count * 3 / 4)).map { log($0 + 0.1) })
    return Result(tone: tone, pairs: matched.filter { $0.distance <= limit }.map(\.pair), score: score)
  }
}
