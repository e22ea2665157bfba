import Pixels

/// Plans what to send of a row: of all ways to divide it into segments, the one with the least loss plus λ per byte.
///
/// A segment is kept as shown, gets one flat colour, or half blocks of two colours. These are its means, in 24 bits or from
/// the palette, or colours that the pen already has. A 24-bit colour that the row sets becomes the mean of everything drawn
/// with it. Dynamic programming from the left: the best path up to each column is found from the best paths up to the
/// columns before. Each path knows its pen, so bytes are counted as the painter spends them. Works on memory of
/// `PlanMemory`, for as long as it is lent.
struct RowPlanner {
  /// The loss per byte saved: weighted squared differences (`PlanDistance`).
  let lambda: Float
  let columns: Int
  /// The sequences that may erase runs of one colour.
  let erasing: Erasing
  let repeats: Bool
  let weighsAge: Bool
  let memory: PlanMemory
  /// `PlanColors.minSGR`.
  private let minSGR: Float
  /// The minimum number of bytes of any run, however long, including one that reaches the end of the row.
  private let minRun: Float
  private let minLastRun: Float
  /// True if colours are set by one parameter.
  private let hasShortCodes: Bool

  /// Sequences that erase cells in the pen's background.
  struct Erasing {
    /// EL, up to the end of the row.
    var line: Bool
    /// ECH, any number of cells.
    var cells: Bool

    init(line: Bool, cells: Bool) {
      self.line = line
      self.cells = cells
    }

    init(_ profile: EncoderProfile) {
      line = profile.backColorErase || profile.colorDepth == .mono
      cells = line && profile.erasesCells
    }
  }

  init(lambda: Float, columns: Int, erasing: Erasing, repeats: Bool, weighsAge: Bool, memory: PlanMemory) {
    self.lambda = lambda
    self.columns = columns
    self.erasing = erasing
    self.repeats = repeats
    self.weighsAge = weighsAge
    self.memory = memory
    minSGR = memory.palette.colors.minSGR
    minRun = repeats ? 8 : 10
    minLastRun = erasing.line ? Self.lineErasure : minRun
    hasShortCodes = minSGR < 9
  }

  /// Segment lengths that are tried. Longer runs consist of several: the pen is carried over.
  static let lengths: [Int] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]

  /// The plan for a row.
  struct Outcome {
    var bytes: Float
    /// The terminal's drawing state afterwards.
    var pen: CellPainter.Pen
  }

  /// Fills `planned` for one row, from the target and what is shown.
  ///
  /// - Parameters:
  ///   - factors: the weight of each cell's loss, 1 or more; nil if all are equal.
  ///   - fitted: the cells as fitted, with what they stand for; nil for what their shapes show.
  ///   - pen: the terminal's drawing state at the start of the row.
  func plan(
    wanted: UnsafePointer<Cell>, shown: UnsafePointer<Cell>, marks: UnsafePointer<CellMark>,
    factors: UnsafePointer<Float>?, fitted: UnsafePointer<FittedCell>? = nil, pen: CellPainter.Pen,
    planned: UnsafeMutablePointer<Cell>
  ) -> Outcome {
    memory.load(
      columns: columns, wanted: wanted, shown: shown, marks: marks, weighsAge: weighsAge, factors: factors, fitted: fitted)
    findWay(from: memory.palette.start(pen))
    let sent = memory.sent[columns]
    let kept = memory.kept[columns]
    let isKept = kept.cost <= sent.cost
    let count = collect(isKept: isKept, wanted: wanted, shown: shown, planned: planned)
    let settled = settleColors(count, from: memory.palette.colors(of: pen))
    for segment in UnsafeBufferPointer(start: memory.segments, count: count) where !segment.isWholeCell {
      let (upper, lower) = (memory.colors[segment.upper].raw, memory.colors[segment.lower].raw)
      if segment.isShaped {
        for x in segment.cells {
          planned[x] = memory.shapes.cell(x, like: wanted[x], bright: upper, dark: lower, memory.palette)
        }
        continue
      }
      let cell = memory.palette.cell(upper: upper, lower: lower)
      for x in segment.cells { planned[x] = cell }
    }
    return Outcome(bytes: (isKept ? kept : sent).bytes + settled.bytes, pen: settled.pen)
  }

  // MARK: - The way

  private func findWay(from start: PlanNode) {
    memory.kept[0] = start
    memory.sent[0] = .unreached
    enter(0)
    for end in 1...columns {
      keep(end)
      // Anything that continues from here can also do so after kept cells, with a movement and two colours.
      var best = Segment(cost: memory.kept[end].cost + lambda * Self.dearestStart)
      switch memory.kinds[end - 1] {
      case PlanPalette.Kind.chrome:
        break
      case PlanPalette.Kind.whole:
        sendWhole(end, &best)
      default:
        // A segment that ends with a cell hardly worth a byte can end before it.
        if memory.stale[end - 1] > lambda { sendSegments(end, &best) }
      }
      memory.sent[end] = best.from < 0 ? .unreached : way(by: best, to: end)
      enter(end)
    }
  }

  /// Bytes of EL, and of ECH with the movement after it.
  private static let lineErasure: Float = 3
  private static let cellErasure: Float = 10
  /// Approximate bytes of a cell sent unchanged: one or two colours and a glyph.
  private static let wholeCellBytes: Float = 24
  /// Bytes of a movement and of two 24-bit colours.
  private static let dearestStart: Float = 41

  /// The best segment that ends at a column, so far.
  private struct Segment {
    /// The cost of the whole path with it.
    var cost: Float
    /// The bytes of the segment alone.
    var bytes: Float = 0
    var from: Int32 = -1
    var upper: UInt32 = 0
    var lower: UInt32 = 0
    var isShaped = false
    var inksDark = false

    init(cost: Float) { self.cost = cost }

    /// Adopts a segment if it is better: with the loss up to its end and its own bytes.
    @inline(__always)
    mutating func take(
      _ start: Int, _ loss: Float, _ own: Float, _ top: UInt32, _ bottom: UInt32, _ lambda: Float, isShaped: Bool = false,
      inksDark: Bool = false
    ) {
      let total = loss + lambda * own
      guard total < cost else { return }
      cost = total
      bytes = own
      from = Int32(truncatingIfNeeded: start)
      upper = top
      lower = bottom
      self.isShaped = isShaped
      self.inksDark = inksDark
    }
  }

  /// Keeps the cell before `end` as it is.
  @inline(__always)
  private func keep(_ end: Int) {
    let before = memory.kept[end - 1]
    let sentBefore = memory.sent[end - 1]
    let isAfterSent = sentBefore.cost < before.cost
    var node = isAfterSent ? sentBefore : before
    node.cost += memory.stale[end - 1]
    node.from = Int32(end - 1)
    node.isAfterSent = isAfterSent
    node.keptCells = isAfterSent || end == 1 ? 1 : before.keptCells + 1
    memory.kept[end] = node
  }

  /// Returns the better way to start a segment at `x`: after a sent cell, or after kept ones, with a movement.
  @inline(__always)
  private func enter(_ x: Int) {
    let kept = memory.kept[x]
    // From the row above, or over a gap.
    let movement: Float = x == 0 ? 3 : kept.keptCells < 10 ? 4 : 5
    let cost = kept.cost + lambda * movement
    let sent = memory.sent[x]
    if sent.cost <= cost {
      memory.entries[x] = sent
      memory.entries[x].isAfterSent = true
      memory.entryCosts[x] = sent.cost
    } else {
      memory.entryCosts[x] = cost
      memory.entries[x] = kept
      memory.entries[x].cost = cost
      memory.entries[x].bytes += movement
      memory.entries[x].isAfterSent = false
    }
  }

  /// Handles a cell that is sent unchanged or not at all.
  private func sendWhole(_ end: Int, _ best: inout Segment) {
    best.take(
      end - 1, memory.entryCosts[end - 1], Self.wholeCellBytes, PlanNode.wholeCell, PlanNode.wholeCell, lambda)
  }

  @inline(__always)
  private func sendSegments(_ end: Int, _ best: inout Segment) {
    let topEnd = memory.top[end]
    let bottomEnd = memory.bottom[end]
    let weightEnd = memory.weights[end]
    let limit = Int(memory.freeFrom[end - 1])
    let weights = PlanDistance.weights
    let isLast = end == columns
    let minRun = isLast ? minLastRun : minRun
    let maxFill: Float = isLast && erasing.line ? Self.lineErasure : erasing.cells ? Self.cellErasure : .infinity
    // The cost of the cheapest remaining path, by length.
    var last = memory.lengths.count - 1
    while end - memory.lengths[last] < limit { last -= 1 }
    var floor = Float.infinity
    for n in stride(from: last, through: 0, by: -1) {
      floor = min(floor, memory.entryCosts[end - memory.lengths[n]])
      memory.floors[n] = floor
    }
    for n in 0...last {
      let length = memory.lengths[n]
      let from = end - length
      let count = Float(length)
      let least = memory.entryCosts[from] + lambda * min(count, minRun)
      guard least < best.cost else { continue }
      let top = SIMD4<Float>(topEnd &- memory.top[from])
      let bottom = SIMD4<Float>(bottomEnd &- memory.bottom[from])
      let inverse = memory.inverses[length]
      let upper = top * inverse
      let lower = bottom * inverse
      let spread = max(0, top.w + bottom.w - (weights * (top * upper + bottom * lower)).sum())
      if memory.shapes.areThere {
        let shaped = memory.shapes.segment(from, end)
        if memory.floors[n] + min(spread, shaped.spread) - 2 * count >= best.cost { break }
        let weight = max(1, (weightEnd - memory.weights[from]) * inverse)
        offer(shaped, memory.entryCosts[from] + shaped.spread * weight, from, weight, &best)
        let base = memory.entryCosts[from] + spread * weight
        guard base + lambda * min(count, minRun) < best.cost else { continue }
        offer(base, from, count, weight * count, min(count, maxFill), upper, lower, &best)
        continue
      }
      // Weights are 1 or more: a longer segment loses no less, apart from rounding.
      if memory.floors[n] + spread - 2 * count >= best.cost { break }
      let weight = max(1, (weightEnd - memory.weights[from]) * inverse)
      let base = memory.entryCosts[from] + spread * weight
      guard base + lambda * min(count, minRun) < best.cost else { continue }
      offer(base, from, count, weight * count, min(count, maxFill), upper, lower, &best)
    }
  }

  /// Compares all expressions of a segment with the best path so far; `weight` is the total weight of its cells, `fill`
  /// their loss in the pen's background.
  /// they take in the pen's background.
  @inline(__always)
  private func offer(
    _ base: Float, _ from: Int, _ count: Float, _ weight: Float, _ fill: Float, _ upper: SIMD4<Float>,
    _ lower: SIMD4<Float>, _ best: inout Segment
  ) {
    let foreground = memory.entries[from].foreground
    let background = memory.entries[from].background
    let (penForeground, penBackground) = (PlanNode.penForeground, PlanNode.penBackground)
    // One colour.
    let difference = upper - lower
    let middle = (upper + lower) * 0.5
    let flat = base + 0.5 * weight * (difference * difference * PlanDistance.weights).sum()
    if flat < best.cost {
      best.take(from, flat + background.loss(middle, 2 * weight), fill, penBackground, penBackground, lambda)
      best.take(from, flat + foreground.loss(middle, 2 * weight), 3 * count, penForeground, penForeground, lambda)
      if flat + lambda * (fill + minSGR) < best.cost {
        let new = expression(of: middle, weight: 2 * weight, like: memory.lowers[from])
        best.take(from, flat + new.loss, fill + 2 + new.bytes, new.raw, new.raw, lambda)
      }
    }
    // Two colours.
    let glyphs = repeats ? min(3 * count, 8) : 3 * count
    let halves = base + lambda * glyphs
    guard halves < best.cost else { return }
    let upperIsForeground = foreground.loss(upper, weight)
    let lowerIsBackground = background.loss(lower, weight)
    let upperIsBackground = background.loss(upper, weight)
    let lowerIsForeground = foreground.loss(lower, weight)
    best.take(from, base + upperIsForeground + lowerIsBackground, glyphs, penForeground, penBackground, lambda)
    best.take(from, base + upperIsBackground + lowerIsForeground, glyphs, penBackground, penForeground, lambda)
    guard halves + lambda * minSGR < best.cost else { return }
    let newUpper = expression(of: upper, weight: weight, like: memory.uppers[from])
    let newLower = expression(of: lower, weight: weight, like: memory.lowers[from])
    let (withUpper, withLower) = (glyphs + 2 + newUpper.bytes, glyphs + 2 + newLower.bytes)
    let (baseUpper, baseLower) = (base + newUpper.loss, base + newLower.loss)
    best.take(from, baseUpper + lowerIsBackground, withUpper, newUpper.raw, penBackground, lambda)
    best.take(from, baseUpper + lowerIsForeground, withUpper, newUpper.raw, penForeground, lambda)
    best.take(from, baseLower + upperIsForeground, withLower, penForeground, newLower.raw, lambda)
    best.take(from, baseLower + upperIsBackground, withLower, penBackground, newLower.raw, lambda)
    best.take(from, baseUpper + newLower.loss, withUpper + newLower.bytes, newUpper.raw, newLower.raw, lambda)
  }

  /// Compares all expressions of a segment whose cells keep their shapes; `weight` is the mean of its cells.
  private func offer(_ shaped: PlanShapes.Segment, _ base: Float, _ from: Int, _ weight: Float, _ best: inout Segment) {
    let least = base + lambda * shaped.bytes
    guard least < best.cost else { return }
    let foreground = memory.entries[from].foreground
    let background = memory.entries[from].background
    let (penForeground, penBackground) = (PlanNode.penForeground, PlanNode.penBackground)
    let (litWeight, dimWeight) = (shaped.brightCount * weight, shaped.darkCount * weight)
    func loss(_ color: PlanColor, _ mean: SIMD4<Float>, _ weight: Float) -> Float { weight > 0 ? color.loss(mean, weight) : 0 }
    let litIsForeground = loss(foreground, shaped.bright, litWeight), dimIsBackground = loss(background, shaped.dark, dimWeight)
    let litIsBackground = loss(background, shaped.bright, litWeight), dimIsForeground = loss(foreground, shaped.dark, dimWeight)
    func take(_ loss: Float, _ own: Float, _ bright: UInt32, _ dark: UInt32, inksDark: Bool = false) {
      best.take(from, loss, own, bright, dark, lambda, isShaped: true, inksDark: inksDark)
    }
    // The pen's foreground is the ink.
    let (inksBright, inksDark) = (shaped.mayInkBright, shaped.mayInkDark)
    if inksBright { take(base + litIsForeground + dimIsBackground, shaped.bytes, penForeground, penBackground) }
    if inksDark { take(base + litIsBackground + dimIsForeground, shaped.bytes, penBackground, penForeground) }
    // If all is of one colour, others offer that.
    guard litWeight > 0, dimWeight > 0, least + lambda * minSGR < best.cost else { return }
    let lit = expression(of: shaped.bright, weight: litWeight, like: memory.shapes.brights[from])
    let dim = expression(of: shaped.dark, weight: dimWeight, like: memory.shapes.darks[from])
    let (withLit, withDim) = (shaped.bytes + 2 + lit.bytes, shaped.bytes + 2 + dim.bytes)
    if inksBright { take(base + lit.loss + dimIsBackground, withLit, lit.raw, penBackground) }
    if inksDark { take(base + lit.loss + dimIsForeground, withLit, lit.raw, penForeground) }
    if inksBright { take(base + dim.loss + litIsForeground, withDim, penForeground, dim.raw) }
    if inksDark { take(base + dim.loss + litIsBackground, withDim, penBackground, dim.raw) }
    if lit.raw != dim.raw, inksBright || inksDark {
      take(base + lit.loss + dim.loss, withLit + dim.bytes, lit.raw, dim.raw, inksDark: shaped.inksDark)
    }
  }

  /// A colour that is set.
  private struct Expression {
    /// The loss with it.
    var loss: Float
    var bytes: Float
    var raw: UInt32
  }

  /// Returns the better one of the 24-bit code and the palette's for a mean colour. Without 24 bits, the better one of the
  /// palette's nearest entry and of `like`, the colour of one of the cells.
  @inline(__always)
  private func expression(of mean: SIMD4<Float>, weight: Float, like: UInt32) -> Expression {
    let rgb = Self.rounded(mean)
    guard memory.palette.isDirect else { return entry(for: mean, rgb, weight: weight, like: like) }
    let bytes = Float(5 + Self.length(rgb))
    let exact = Expression(loss: 0, bytes: bytes, raw: CellColor.rgbKind | rgb)
    guard let nearest = memory.palette.nearest else { return exact }
    let entry = entry(nearest[NearestEntry.key(rgb)], for: mean, weight: weight)
    return entry.loss + lambda * entry.bytes < lambda * bytes ? entry : exact
  }

  private func entry(for mean: SIMD4<Float>, _ rgb: UInt32, weight: Float, like: UInt32) -> Expression {
    // At `mono` no colour can be set.
    guard let nearest = memory.palette.nearest else { return Expression(loss: .infinity, bytes: 0, raw: 0) }
    let one = entry(nearest[NearestEntry.key(rgb)], for: mean, weight: weight)
    let other = entry(UInt8(truncatingIfNeeded: like), for: mean, weight: weight)
    return other.loss + lambda * other.bytes < one.loss + lambda * one.bytes ? other : one
  }

  /// Returns the palette entry for a mean colour.
  @inline(__always)
  private func entry(_ index: UInt8, for mean: SIMD4<Float>, weight: Float) -> Expression {
    Expression(
      loss: weight * PlanDistance.between(memory.palette.entries[Int(index)], mean),
      bytes: hasShortCodes ? 3 : Float(5 + ParameterTable.length(UInt32(index))),
      raw: CellColor.indexedKind | UInt32(index))
  }

  /// Returns the path that a segment makes of the one before it, with the pen that it leaves.
  @inline(__always)
  private func way(by segment: Segment, to end: Int) -> PlanNode {
    let from = Int(segment.from)
    var node = memory.entries[from]
    node.cost = segment.cost
    node.bytes += segment.bytes
    node.from = segment.from
    node.upper = segment.upper
    node.lower = segment.lower
    node.isShaped = segment.isShaped
    node.inksDark = segment.inksDark
    if segment.upper == PlanNode.wholeCell {
      let pen = memory.palette.start(CellPainter.Pen())
      node.foreground = pen.foreground
      node.background = pen.background
      return node
    }
    let count = end - from
    let inverse = memory.inverses[count]
    let weight = max(1, (memory.weights[end] - memory.weights[from]) * inverse) * Float(count)
    var upper = Self.mean(memory.top[end] &- memory.top[from], inverse)
    var lower = Self.mean(memory.bottom[end] &- memory.bottom[from], inverse)
    var (upperWeight, lowerWeight) = (weight, weight)
    if segment.isShaped {
      let parts = memory.shapes.segment(from, end)
      (upper, lower) = (parts.bright, parts.dark)
      (upperWeight, lowerWeight) = (parts.brightCount * weight * inverse, parts.darkCount * weight * inverse)
    }
    if segment.upper == segment.lower {
      let middle = (upper + lower) * 0.5
      switch segment.upper {
      case PlanNode.penForeground: node.foreground.add(middle, 2 * weight)
      case PlanNode.penBackground: node.background.add(middle, 2 * weight)
      default: node.background = set(segment.upper, middle, 2 * weight)
      }
      return node
    }
    let colors = PenColors(upper: segment.upper, lower: segment.lower, inksDark: segment.inksDark)
    let (foregroundMean, backgroundMean) = colors.isSwapped ? (lower, upper) : (upper, lower)
    let (foregroundWeight, backgroundWeight) = colors.isSwapped ? (lowerWeight, upperWeight) : (upperWeight, lowerWeight)
    if colors.foreground == PlanNode.penForeground {
      node.foreground.add(foregroundMean, foregroundWeight)
    } else {
      node.foreground = set(colors.foreground, foregroundMean, foregroundWeight)
    }
    if colors.background == PlanNode.penBackground {
      node.background.add(backgroundMean, backgroundWeight)
    } else {
      node.background = set(colors.background, backgroundMean, backgroundWeight)
    }
    return node
  }

  /// Returns a colour that is set for content of a mean and weight. A palette entry is fixed.
  @inline(__always)
  private func set(_ raw: UInt32, _ mean: SIMD4<Float>, _ weight: Float) -> PlanColor {
    raw >= CellColor.rgbKind ? PlanColor(components: mean, weight: weight) : memory.palette.color(raw)
  }

  @inline(__always)
  private static func mean(_ sums: SIMD4<Int32>, _ inverse: Float) -> SIMD4<Float> {
    var mean = SIMD4<Float>(sums) * inverse
    mean.w = 0
    return mean
  }

  /// Returns the number of characters of three components.
  @inline(__always)
  static func length(_ rgb: UInt32) -> Int {
    ParameterTable.length(rgb >> 16 & 0xFF) + ParameterTable.length(rgb >> 8 & 0xFF) + ParameterTable.length(rgb & 0xFF)
  }

  /// Returns 0xRRGGBB of a mean colour.
  @inline(__always)
  static func rounded(_ mean: SIMD4<Float>) -> UInt32 {
    // Adding 2²³ leaves the rounded number in the low bits.
    let bits = unsafeBitCast(mean + SIMD4(repeating: 8_388_608), to: SIMD4<UInt32>.self)
    return (bits.x & 0xFF) << 16 | (bits.y & 0xFF) << 8 | bits.z & 0xFF
  }
}
