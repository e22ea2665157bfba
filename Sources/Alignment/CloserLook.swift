import Glibc

/// Compares frames that were found to belong together once more, on the fine grid, block by block: a small thing that differs, as
/// a running number, shows in one block, not in the mean.
struct CloserLook {
  private static let columns = 16, rows = 9, size = 4
  private static var blockCount: Int { columns * rows }

  private let reference: Pictures
  private let candidate: Pictures
  private let rect: PictureRect
  private let tone: ToneCurve?
  /// Blocks of cells that both clips show.
  private var blocks: [Int] = []
  private var isUsed: [Bool]
  /// The usual difference, as of logos.
  private var usual: [Float]
  /// The usual mean square in each block.
  private var levels = [Float](repeating: 0, count: blockCount)
  /// The difference of each matched frame: the second largest of its blocks in units of what is usual there; 0 for others.
  private(set) var differences: [Float]
  /// The usual one.
  private(set) var usualDifference: Float = 1
  private var expected: [[Float]] = []
  /// Frames that are alone between two cuts seem to move more than any other.
  private var mostMovement = Float.infinity

  /// Nil for clips without fine signatures, or with too few pairs.
  init?(
    reference: Pictures, candidate: Pictures, rect: PictureRect, mask: [Bool], tone: ToneCurve?,
    frames: [Int?]
  ) {
    guard reference.grid == .fine, candidate.grid == .fine else { return nil }
    let pairs = frames.enumerated().compactMap { c, r in r.map { (c, $0) } }
    guard pairs.count >= 8 else { return nil }
    self.reference = reference
    self.candidate = candidate
    self.rect = rect
    self.tone = tone
    let count = SignatureGrid.fine.count
    usual = [Float](repeating: 0, count: count)
    isUsed = []
    differences = [Float](repeating: 0, count: frames.count)
    let covered = reference.frames([0]).resampled(rect, on: .fine).isCovered
    isUsed = zip(covered, mask).map { $0 && $1 }
    for block in 0..<Self.blockCount where Self.cells(block).allSatisfy({ covered[$0] && mask[$0] }) { blocks.append(block) }
    guard blocks.count >= 16 else { return nil }

    let sample = spread(pairs.count, 60).map { pairs[$0] }
    var columns = [[Float]](repeating: [], count: count)
    for (c, r) in sample {
      let difference = difference(c, r).values
      for p in 0..<count { columns[p].append(difference[p]) }
    }
    for p in 0..<count {
      let middle = median(columns[p])
      if abs(middle) > 3, median(columns[p].map { abs($0 - middle) }) < 0.35 * abs(middle) { usual[p] = middle }
    }

    mostMovement = 4 * quantile(sample.map { mean(allowance($0.0)) }, 0.8)
    expected = (0..<frames.count).map { frames[$0] == nil ? [] : allowance($0) }
    let squares = frames.enumerated().map { c, r in r.map { blockSquares(c, $0) } ?? [] }
    for block in blocks { levels[block] = quantile(squares.compactMap { $0.isEmpty ? nil : $0[block] }, 0.35) }
    for (c, squares) in squares.enumerated() where !squares.isEmpty { differences[c] = ratio(squares, c) }
    usualDifference = max(1, quantile(pairs.map { differences[$0.0] }, 0.35))
  }

  /// The smallest difference of a candidate frame from any reference frame.
  mutating func difference(of c: Int, from r: Int) -> Float {
    if expected[c].isEmpty { expected[c] = allowance(c) }
    return ratio(blockSquares(c, r), c)
  }

  /// The same, and how much darker it is.
  mutating func fade(of c: Int, from r: Int) -> (difference: Float, gain: Float) {
    if expected[c].isEmpty { expected[c] = allowance(c) }
    let (squares, gain) = fitted(c, r)
    return (ratio(squares, c), gain)
  }

  mutating func set(_ c: Int, _ difference: Float) { differences[c] = difference }

  private static func cells(_ block: Int) -> [Int] {
    let x = block % columns * size, y = block / columns * size
    return (0..<size * size).map { (y + $0 / size) * columns * size + x + $0 % size }
  }

  private func picture(_ c: Int) -> ArraySlice<UInt8> {
    let count = SignatureGrid.fine.count
    return candidate.luma[c * count..<(c + 1) * count]
  }

  /// The candidate's picture minus the reference's.
  private func difference(_ c: Int, _ r: Int) -> (values: [Float], gain: Float) {
    var rows = reference.frames([r]).resampled(rect, on: .fine).rows
    if let tone { rows = tone.apply(rows) }
    // A fade is no difference.
    var count: Float = 0, a: Float = 0, b: Float = 0, aa: Float = 0, ab: Float = 0, bb: Float = 0
    let picture = Array(picture(c))
    for p in 0..<picture.count where isUsed[p] {
      let x = rows.values[p], y = Float(picture[p])
      (count, a, b, aa, ab, bb) = (count + 1, a + x, b + y, aa + x * x, ab + x * y, bb + y * y)
    }
    let variance = aa / count - a / count * (a / count), covariance = ab / count - a / count * (b / count)
    var gain: Float = 1, offset = (b - a) / count
    let fitted = min(2, max(0.02, covariance / (variance + 1)))
    let plain = (aa - 2 * ab + bb) / count
    let best = bb / count - b / count * (b / count) - 2 * fitted * covariance + fitted * fitted * variance
    if best < 0.4 * plain { (gain, offset) = (fitted, (b - fitted * a) / count) }
    return (zip(picture, rows.values).map { Float($0) - gain * $1 - offset }, gain)
  }

  /// The mean of a function of cells, for each block.
  private func blockMeans(_ values: [Float]) -> [Float] {
    var sums = [Float](repeating: 0, count: Self.blockCount)
    let width = Self.columns * Self.size
    for y in 0..<Self.rows * Self.size {
      for x in 0..<width { sums[y / Self.size * Self.columns + x / Self.size] += values[y * width + x] }
    }
    for i in 0..<sums.count { sums[i] /= Float(Self.size * Self.size) }
    return sums
  }

  private func blockSquares(_ c: Int, _ r: Int) -> [Float] { fitted(c, r).squares }

  private func fitted(_ c: Int, _ r: Int) -> (squares: [Float], gain: Float) {
    var (values, gain) = difference(c, r)
    for p in 0..<values.count {
      let d = values[p] - usual[p]
      values[p] = d * d
    }
    return (blockMeans(values), gain)
  }

  /// The difference that a frame's movement and detail allow.
  private func allowance(_ c: Int) -> [Float] {
    let here = Array(picture(c))
    let before = c > 0 ? Array(picture(c - 1)) : here
    let after = c + 1 < candidate.count ? Array(picture(c + 1)) : here
    var moving = [Float](repeating: 0, count: here.count), squares = moving, plain = moving, other = moving
    for p in 0..<here.count {
      let x = Float(here[p]), a = x - Float(before[p]), b = x - Float(after[p])
      moving[p] = a * a
      other[p] = b * b
      plain[p] = x
      squares[p] = x * x
    }
    // The smaller one: a cut is no movement.
    let movement = zip(blockMeans(moving), blockMeans(other)).map { min($0, $1, mostMovement) }
    let means = blockMeans(plain), meanSquares = blockMeans(squares)
    return (0..<Self.blockCount).map { 0.4 * movement[$0] + 0.003 * max(0, meanSquares[$0] - means[$0] * means[$0]) + 0.15 }
  }

  private func ratio(_ squares: [Float], _ c: Int) -> Float {
    var first: Float = 0, second: Float = 0
    for block in blocks {
      let value = squares[block] / (levels[block] + expected[c][block])
      if value > first { (first, second) = (value, first) } else if value > second { second = value }
    }
    return second
  }
}
