/// Tests whether candidate frames are rather the reference frames that were found for them than others nearby.
///
/// Errors of coding, grading and place are shared by all comparisons of a candidate frame, so they cancel out when two reference
/// frames are compared with it. What counts is the candidate's place between the two, in parts of their distance: 1 at the frame that
/// was found, 0 half-way, −1 at the other. Sums over neighbouring frames tell more than each by itself. Brightness and contrast
/// of each frame are free, because other frames of a fade fit better where a grading is not quite understood.
struct PairedTest {
  /// Reference frames before and after that are tried.
  private static let reach = 12
  private static let width = 2 * reach + 1
  /// Frames that differ by less (mean square of levels) look the same.
  private static let leastVisible: Float = 0.0005
  /// A difference that says little: what rounding makes of levels.
  private static let rounding: Float = 0.01
  /// Errors of up to so many neighbouring frames are alike.
  private static let alike: Float = 4
  /// Levels by which gradings are wrong for all frames.
  private static let systematic: Float = 0.03
  /// Runs of fewer frames are in doubt where they leave an even run, or go back.
  private static let few = 4

  /// Sums over some candidate frames, for one other reference frame each.
  private struct Sums {
    /// By how much less the frame that was found differs from the candidate's.
    var gain: Float = 0
    /// The differences of both reference frames.
    var distance: Float = 0
    /// The variance of `gain` by what is left of the candidate's frames.
    var noise: Float = 0
    var count: Float = 0

    static func + (a: Sums, b: Sums) -> Sums {
      Sums(gain: a.gain + b.gain, distance: a.distance + b.distance, noise: a.noise + b.noise, count: a.count + b.count)
    }

    static func - (a: Sums, b: Sums) -> Sums {
      Sums(gain: a.gain - b.gain, distance: a.distance - b.distance, noise: a.noise - b.noise, count: a.count - b.count)
    }

    /// The lowest and the highest possible place; nil where both reference frames look the same.
    var place: ClosedRange<Float>? {
      guard count > 0, distance > PairedTest.leastVisible * count else { return nil }
      let distance = distance + PairedTest.rounding * count
      let error = (noise * min(count, PairedTest.alike)).squareRoot() / distance
      let bias = PairedTest.systematic / (distance / count).squareRoot()
      let middle = gain / distance
      // Coding moves some frames towards others: only much of that contradicts.
      return middle - error - bias...middle + 3 * (error + bias) + 1
    }
  }

  private let frames: [Int?]
  private let rate: Double
  /// For each candidate frame and each other reference frame nearby.
  private var sums: [Sums]
  /// Candidate frames whose reference frames pass evenly, or stand still.
  private let runs: [Range<Int>]

  /// - Parameter weights: Those of the cells; their sum is 1.
  init(reference: VectorRows, candidate: VectorRows, weights: [Float], frames: [Int?], rate: Double) {
    self.frames = frames
    self.rate = rate
    runs = Self.runs(frames, rate)
    let (a, _, _) = reference.centred(weights), (b, _, variancesB) = candidate.centred(weights)
    // As products, so that equal frames have no distance.
    let variancesA = PairCosts.squares(a)
    let cells = 1 / weights.reduce(0) { $0 + $1 * $1 }
    sums = [Sums](repeating: Sums(), count: frames.count * Self.width)
    for (c, r) in frames.enumerated() {
      guard let r else { continue }
      let near = max(0, r - Self.reach)...min(a.count - 1, r + Self.reach)
      let products = a.products(near, b, c), shared = a.products(near, a, r)
      /// The mean square of a row that a multiple of a reference frame leaves.
      func left(_ variance: Float, _ product: Float, _ r: Int) -> Float {
        max(0, variance - max(0, product) * max(0, product) / max(0.01, variancesA[r]))
      }
      let own = left(variancesB[c], products[r - near.lowerBound], r)
      let contrast = max(0, products[r - near.lowerBound]) / max(0.01, variancesA[r])
      let scale = min(9, max(0.04, contrast * contrast))
      for other in near where other != r {
        let distance = scale * left(variancesA[r], shared[other - near.lowerBound], other)
        sums[c * Self.width + other - r + Self.reach] = Sums(
          gain: left(variancesB[c], products[other - near.lowerBound], other) - own, distance: distance,
          noise: 4 * distance * (own + Self.rounding) / cells, count: 1)
      }
    }
  }

  private static func runs(_ frames: [Int?], _ rate: Double) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var c = 0
    while c < frames.count {
      guard let from = frames[c] else {
        c += 1
        continue
      }
      func end(_ rate: Double, _ slack: Double) -> Int {
        var end = c + 1
        while end < frames.count, let r = frames[end], abs(Double(r - from) - rate * Double(end - c)) < slack { end += 1 }
        return end
      }
      let still = end(0, 0.5)
      let end = max(end(rate, rate == rate.rounded() ? 0.5 : 1.3), still - c < 3 ? 0 : still)
      runs.append(c..<end)
      c = end
    }
    return runs
  }

  /// The confidence that each candidate frame is the one that was found; sure from 0.5.
  ///
  /// - Parameters:
  ///   - margin: How far beyond the middle a frame must lie.
  ///   - still: For frames that nothing tells from others.
  func confidences(margin: Float, still: Float) -> [Float] {
    var result = [Float](repeating: 1, count: frames.count)
    for (i, run) in runs.enumerated() {
      var moves = Set<Int>()
      for k in -Self.reach...Self.reach where k != 0 {
        var total = [Sums()]
        for c in run { total.append(total[total.count - 1] + sums[c * Self.width + k + Self.reach]) }
        let isBefore = i > 0 && continues(from: runs[i - 1].upperBound - 1, to: run.lowerBound, k)
        let isAfter = i + 1 < runs.count && continues(from: runs[i + 1].lowerBound, to: run.upperBound - 1, k)
        for c in run {
          var windows = [c..<c + 1, c - 2..<c + 3]
          // A run may begin or end elsewhere: what lies between decides.
          if isBefore { windows.append(run.lowerBound..<c + 1) }
          if isAfter { windows.append(c..<run.upperBound) }
          if !isBefore, !isAfter { windows += [c - 8..<c + 9, run] }
          var low = -Float.infinity, high = Float.infinity
          for window in windows.map({ $0.clamped(to: run) }) {
            let sums = total[window.upperBound - run.lowerBound] - total[window.lowerBound - run.lowerBound]
            guard let place = sums.place else { continue }
            low = max(low, place.lowerBound)
            high = min(high, place.upperBound)
          }
          guard high < .infinity else { continue }
          moves.insert(c)
          result[c] = min(result[c], max(0, 0.5 + min(low, high) - margin))
        }
      }
      for c in run where !moves.contains(c) { result[c] = min(result[c], still) }
      if isDoubtful(i) { for c in run { result[c] = min(result[c], still) } }
    }
    return result
  }

  /// Returns true if a run, continued from one of its frames to a frame of its neighbour, has the reference frame `k` after that.
  private func continues(from: Int, to c: Int, _ k: Int) -> Bool {
    guard let start = frames[from], let r = frames[c] else { return false }
    return start + Int((rate * Double(c - from)).rounded()) == r + k
  }

  /// Returns true for a few frames between two runs that are one without them, and for a few that go back.
  private func isDoubtful(_ i: Int) -> Bool {
    let run = runs[i]
    guard run.count < Self.few, i > 0, let r = frames[run.lowerBound] else { return false }
    let before = runs[i - 1]
    if let last = frames[before.upperBound - 1], r < last { return true }
    guard i + 1 < runs.count, before.upperBound == run.lowerBound, runs[i + 1].lowerBound == run.upperBound else { return false }
    return continues(from: run.lowerBound - 1, to: run.upperBound, 0)
  }
}
