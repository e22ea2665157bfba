import CAlignmentLoops
import Glibc

/// Finds the cheapest way through the pairs of two clips.
///
/// A Viterbi search over states (candidate frame, reference frame), as in dynamic time warping, with states between for
/// candidate frames that have no partner. From one candidate frame to the next, the reference frame moves on as expected for
/// nothing, otherwise for a little, or jumps anywhere for more.
struct PathSearch {
  /// The prices in units of the costs (natural logarithms of probabilities).
  struct Prices {
    /// One reference frame more or fewer than expected, and each further one.
    var step: Float = 12, furtherStep: Float = 1
    var jump: Float = 26, jumpBack: Float = 34
    /// The first of several candidate frames without a partner.
    var opening: Float = 6
    /// Frames before the first and after the last frame of the reference cost less by this.
    var outside: Float = 6
  }

  static let mostSteps = 12
  static let impossible: Float = 1e18

  var prices = Prices()
  let windows: CellWindows
  /// The expected steps: for each candidate frame, how many reference frames it is from the one before. Not a whole number
  /// where both neighbouring ones are as likely as they are near.
  let steps: [Float]
  /// Another likely step for each candidate frame, from time stamps; negative for none.
  let hints: [Int8]
  /// The additional cost of a repeated frame, for each candidate frame: much where it differs from the one before.
  let repeats: [Float]

  struct Path {
    var frames: [Int?]
    var cost: Float
  }

  /// The cost of the cheapest way from the beginning to each cell, and where it came from.
  struct Field {
    var values: [Float]
    fileprivate var cameFrom: [Int32]
    fileprivate var isFromMatched: [Bool]
    fileprivate var tail: [Int32]
    fileprivate var end: Int32 = 0
    var cost: Float = 0
  }

  private enum Code {
    static let start: Int32 = -1
    static let unmatched: Int32 = 32
    static let before: Int32 = 64
    static let beforeInside: Int32 = 65
    static let jump: Int32 = 128
  }

  private func stepCosts(_ candidate: Int) -> [Float] {
    let expected = steps[candidate]
    return (0...Self.mostSteps).map { k in
      let distance = abs(Float(k) - expected)
      var cost = distance < 0.999
        ? (distance < 0.001 ? 0 : min(7, -log(max(0.001, 1 - distance))))
        : prices.step + prices.furtherStep * (distance - 1)
      if k == Int(hints[candidate]) { cost = min(cost, 1.5) }
      if k == 0, distance > 0.999 { cost += repeats[candidate] }
      return cost
    }
  }

  /// - Parameters:
  ///   - costs: One for each cell.
  ///   - unmatched: The cost of leaving each candidate frame without a partner.
  ///   - keepsWay: Pass false if only the values are wanted.
  func field(costs: [Float], unmatched: [Float], keepsWay: Bool = true) -> Field {
    let n = windows.referenceCount, m = windows.candidateCount, pad = Self.mostSteps + 1
    let cells = windows.cellCount, inf = Self.impossible
    var field = Field(
      values: [Float](repeating: inf, count: cells), cameFrom: [Int32](repeating: Code.start, count: keepsWay ? cells : 0),
      isFromMatched: [Bool](repeating: false, count: keepsWay ? cells : 0), tail: [Int32](repeating: -1, count: m))
    // Values of the row before at their reference frame, infinite elsewhere: matched, and unmatched since that frame.
    var matched = [Float](repeating: inf, count: n + pad), open = matched
    var best = [Float](repeating: inf, count: n), codes = [Int32](repeating: 0, count: n)
    var nextOpen = best
    var before: Float = 0, beforeInside: Float = 0, tail = inf
    for c in 0..<m {
      let outside = max(1, unmatched[c] - prices.outside)
      // The cheapest of all, for jumps.
      var least = inf, leastAt = 0, leastOpen = inf, leastOpenAt = 0, leastEdge = inf, leastEdgeAt = 0
      if c > 0 {
        for window in windows.row(c - 1) {
          for r in window.first..<window.end {
            if matched[r + pad] < least { (least, leastAt) = (matched[r + pad], r) }
            if open[r + pad] < leastOpen { (leastOpen, leastOpenAt) = (open[r + pad], r) }
          }
        }
        let edge = max(1, Int(steps[c].rounded(.up)))
        for r in max(0, n - edge)..<n where matched[r + pad] < leastEdge { (leastEdge, leastEdgeAt) = (matched[r + pad], r) }
      }
      let stepCosts = stepCosts(c)
      let row = windows.row(c)
      for window in row {
        let first = window.first, count = window.end - first
        for r in first..<window.end { best[r] = inf }
        guard c > 0 else {
          for r in first..<window.end { (best[r], codes[r]) = (0, Code.start) }
          continue
        }
        best.withUnsafeMutableBufferPointer { best in
          codes.withUnsafeMutableBufferPointer { codes in
            matched.withUnsafeBufferPointer { matched in
              open.withUnsafeBufferPointer { open in
                guard let best = best.baseAddress, let codes = codes.baseAddress, let matched = matched.baseAddress,
                  let open = open.baseAddress
                else { return }
                for k in 0...Self.mostSteps {
                  qd_relax(matched + first + pad - k, stepCosts[k], Int32(k), count, best + first, codes + first)
                  guard k > 0 else { continue }
                  let price: Float = abs(Float(k) - steps[c]) < 1.5 ? 0 : 2 + 0.5 * Float(min(k, 8))
                  qd_relax(
                    open + first + pad - k, price, Code.unmatched + Int32(k), count, best + first, codes + first)
                }
              }
            }
          }
        }
      }
      if c > 0 {
        // Jumps from earlier reference frames, in one walk over both rows.
        var previous = windows.row(c - 1)[...], position = previous.first?.first ?? n
        var early = inf, earlyAt = 0, earlyOpen = inf, earlyOpenAt = 0
        for window in row {
          for r in window.first..<window.end {
            while position < r, let from = previous.first {
              if matched[position + pad] < early { (early, earlyAt) = (matched[position + pad], position) }
              if open[position + pad] < earlyOpen { (earlyOpen, earlyOpenAt) = (open[position + pad], position) }
              position += 1
              if position >= from.end {
                previous = previous.dropFirst()
                position = max(position, previous.first?.first ?? n)
              }
            }
            var value = best[r], code = codes[r]
            func take(_ x: Float, _ y: Int32) { if x < value { (value, code) = (x, y) } }
            take(early + prices.jump, Code.jump + 2 * Int32(earlyAt))
            take(earlyOpen + prices.jump - prices.opening, Code.jump + 2 * Int32(earlyOpenAt) + 1)
            take(least + prices.jumpBack, Code.jump + 2 * Int32(leastAt))
            take(leastOpen + prices.jumpBack - prices.opening, Code.jump + 2 * Int32(leastOpenAt) + 1)
            if Float(r) < max(1, steps[c]) { take(before, Code.before) }
            take(beforeInside + prices.opening, Code.beforeInside)
            best[r] = value
            codes[r] = code
          }
        }
      }
      for window in row {
        for r in window.first..<window.end {
          let cell = window.offset + r - window.first
          let fromMatched = matched[r + pad] + (c > 0 ? prices.opening : inf)
          nextOpen[r] = min(open[r + pad], fromMatched) + unmatched[c]
          if keepsWay {
            field.isFromMatched[cell] = fromMatched < open[r + pad]
            field.cameFrom[cell] = codes[r]
          }
          best[r] += costs[cell]
          field.values[cell] = best[r]
        }
      }
      if leastEdge < tail { (tail, field.tail[c]) = (leastEdge, Int32(leastEdgeAt)) }
      tail += outside
      before += outside
      beforeInside += unmatched[c]
      if c > 0 {
        for window in windows.row(c - 1) {
          for r in window.first..<window.end { (matched[r + pad], open[r + pad]) = (inf, inf) }
        }
      }
      for window in row {
        for r in window.first..<window.end { (matched[r + pad], open[r + pad]) = (best[r], min(inf, nextOpen[r])) }
      }
    }
    // The end: matched at r, 2r; unmatched since r, 2r + 1; after the last frame, -1; nothing at all, -2.
    field.cost = min(before, beforeInside)
    field.end = -2
    if tail < field.cost { (field.cost, field.end) = (tail, -1) }
    if m > 0 {
      for window in windows.row(m - 1) {
        for r in window.first..<window.end {
          if matched[r + pad] < field.cost { (field.cost, field.end) = (matched[r + pad], 2 * Int32(r)) }
          if open[r + pad] < field.cost { (field.cost, field.end) = (open[r + pad], 2 * Int32(r) + 1) }
        }
      }
    }
    return field
  }

  /// The way that a field describes.
  func path(_ field: Field) -> Path {
    var frames = [Int?](repeating: nil, count: windows.candidateCount)
    guard field.end > -2 else { return Path(frames: frames, cost: field.cost) }
    var c = windows.candidateCount - 1
    var isMatched = field.end >= 0 && field.end % 2 == 0, r = Int(field.end / 2)
    if field.end == -1 {
      while c >= 0, field.tail[c] < 0 { c -= 1 }
      guard c >= 0 else { return Path(frames: frames, cost: field.cost) }
      (r, isMatched) = (Int(field.tail[c]), true)
      c -= 1
    }
    while c >= 0, let cell = windows.index(c, r) {
      if isMatched {
        frames[c] = r
        let code = field.cameFrom[cell]
        switch code {
        case Code.jump...: (isMatched, r) = (code % 2 == 0, Int(code - Code.jump) / 2)
        case Code.start, Code.before, Code.beforeInside: return Path(frames: frames, cost: field.cost)
        case Code.unmatched...: (isMatched, r) = (false, r - Int(code - Code.unmatched))
        default: r -= Int(code)
        }
      } else if field.isFromMatched[cell] {
        isMatched = true
      }
      c -= 1
    }
    return Path(frames: frames, cost: field.cost)
  }

  /// For each cell, the cost of the cheapest way through it. `forward` is the field of the same costs.
  func throughCosts(_ forward: Field, costs: [Float], unmatched: [Float]) -> [Float] {
    let m = windows.candidateCount
    let backwards = PathSearch(
      prices: prices, windows: windows.reversed, steps: (0..<m).map { steps[$0 == 0 ? 0 : m - $0] },
      hints: (0..<m).map { hints[$0 == 0 ? 0 : m - $0] }, repeats: (0..<m).map { repeats[$0 == 0 ? 0 : m - $0] })
    let field = backwards.field(costs: costs.reversed(), unmatched: unmatched.reversed(), keepsWay: false)
    var result = forward.values
    let last = result.count - 1
    for i in 0..<result.count { result[i] += field.values[last - i] - costs[i] }
    return result
  }
}
