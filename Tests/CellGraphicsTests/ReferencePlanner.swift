@testable import CellGraphics

/// A plain and slow version of `RowPlanner`: it tries every segment everywhere, with each of its expressions, and carries
/// whole pens along.
struct ReferencePlanner {
  let lambda: Float
  let colors: PlanColors
  let canEraseLine: Bool
  let canEraseCells: Bool
  let repeats: Bool
  let weighsAge: Bool

  /// The colour of a half: one that the pen has, or a new one.
  private enum Choice: Equatable {
    case foreground, background
    case new(UInt32)
  }

  /// A piece of a row.
  private enum Part {
    /// Not sent.
    case kept(Cell)
    /// Sent as it is.
    case whole(Cell)
    /// Cells of the same two colours, as lower half blocks where that changes less of the pen.
    case drawn([Halves], upper: Choice, lower: Choice, meanWeight: Float)
  }

  /// A way to a column, with its parts from the row's beginning.
  private struct Way {
    var cost: Float
    var bytes: Float
    var parts: [Part] = []
    var keptCells = 0
    var foreground: PlanColor
    var background: PlanColor

    func adding(_ part: Part) -> Way {
      var way = self
      way.parts.append(part)
      return way
    }
  }

  private typealias Halves = (upper: UInt32, lower: UInt32)

  func plan(
    wanted: [Cell], shown: [Cell], marks: [CellMark], factors: [Float]?, pen: CellPainter.Pen
  ) -> (cells: [Cell], bytes: Float) {
    let count = wanted.count
    let halves = wanted.map(self.halves)
    var weightSums: [Float] = [0]
    var stale: [Float] = []
    for x in 0..<count {
      let age = weighsAge ? Float(marks[x].age) : 0
      let weight = (1 + age / 16 + age * age / 1024) * (factors?[x] ?? 1)
      weightSums.append(weightSums[x] + weight)
      let isRight = marks[x].need == CellMark.Need.none || !wanted[x].isImage
      let error = XtermPalette.rgb.withUnsafeBufferPointer {
        CellChoice.weightedError(wanted[x], shown[x], table: $0.baseAddress!)
      }
      stale.append(isRight ? 0 : weight * Float(max(1, error)))
    }
    let start = Way(
      cost: 0, bytes: 0, foreground: color(first(pen.foreground, 7)), background: color(first(pen.background, 0)))
    var kept: [Way] = [start]
    var sent: [Way?] = [nil]
    for end in 1...count {
      let x = end - 1
      // Kept as it is.
      let isAfterSent = (sent[x]?.cost ?? .infinity) < kept[x].cost
      var way = (isAfterSent ? sent[x]! : kept[x]).adding(.kept(wanted[x].isImage ? shown[x] : wanted[x]))
      way.cost += stale[x]
      way.keptCells = isAfterSent || end == 1 ? 1 : kept[x].keptCells + 1
      kept.append(way)
      // Sent.
      var best: Way?
      var least = way.cost + lambda * 41
      func take(_ loss: Float, _ bytes: Float, _ make: () -> Way) {
        let cost = loss + lambda * bytes
        guard cost < least else { return }
        least = cost
        best = make()
        best?.cost = cost
        best?.bytes += bytes
      }
      if wanted[x].isImage, halves[x] == nil {
        let entry = entry(x, kept, sent)
        take(entry.cost, 24) {
          var way = entry.adding(.whole(wanted[x]))
          (way.foreground, way.background) = (color(first(.default, 7)), color(first(.default, 0)))
          return way
        }
      } else if halves[x] != nil, stale[x] > lambda {
        for length in RowPlanner.lengths where end - length >= 0 {
          let range = (end - length)..<end
          let pixels = halves[range].compactMap { $0 }
          guard pixels.count == length else { break }
          let mean = (weightSums[end] - weightSums[range.lowerBound]) * (1 / Float(length))
          send(pixels, isLast: end == count, from: entry(range.lowerBound, kept, sent), meanWeight: mean, take)
        }
      }
      sent.append(best)
    }
    let last = (sent[count]?.cost ?? .infinity) < kept[count].cost ? sent[count]! : kept[count]
    return settled(last, pen)
  }

  /// The cells of a way: each colour that it sets is the mean of all that is drawn with it.
  private func settled(_ way: Way, _ pen: CellPainter.Pen) -> (cells: [Cell], bytes: Float) {
    struct SetColor {
      var raw: UInt32
      var mayChange = true
      var sum = SIMD4<Float>()
      var weight: Float = 0
    }
    var colors = [
      SetColor(raw: first(pen.foreground, 7), mayChange: false), SetColor(raw: first(pen.background, 0), mayChange: false),
    ]
    var (foreground, background) = (0, 1)
    func set(_ raw: UInt32) -> Int {
      colors.append(SetColor(raw: raw, mayChange: raw >= CellColor.rgbKind))
      return colors.count - 1
    }
    func use(_ number: Int, _ pixels: [UInt32], _ meanWeight: Float) {
      colors[number].sum += sum(pixels).sums * meanWeight
      colors[number].weight += Float(pixels.count) * meanWeight
    }
    var drawn: [(upper: Int, lower: Int)] = []
    for part in way.parts {
      switch part {
      case .kept: break
      case .whole: (foreground, background) = (set(first(.default, 7)), set(first(.default, 0)))
      case .drawn(let pixels, let upper, let lower, let meanWeight):
        switch (upper, lower) {
        case (.new(let raw), .new(let same)) where raw == same: background = set(raw)
        case (.new(let raw), .foreground): background = set(raw)
        case (.new(let raw), .background): foreground = set(raw)
        case (.foreground, .new(let raw)): background = set(raw)
        case (.background, .new(let raw)): foreground = set(raw)
        case (.new(let one), .new(let other)): (foreground, background) = (set(one), set(other))
        default: break
        }
        let isFlat = upper == lower
        let isSwapped = !isFlat && (upper == .background || lower == .foreground)
        let halves =
          isFlat
          ? upper == .foreground ? (foreground, foreground) : (background, background)
          : isSwapped ? (background, foreground) : (foreground, background)
        use(halves.0, pixels.map(\.upper), meanWeight)
        use(halves.1, pixels.map(\.lower), meanWeight)
        drawn.append((upper: halves.0, lower: halves.1))
      }
    }
    var bytes = way.bytes
    for number in colors.indices where colors[number].mayChange {
      let mean = rounded(colors[number].sum / colors[number].weight)
      bytes += digits(mean) - digits(colors[number].raw & 0xFF_FFFF)
      colors[number].raw = CellColor.rgbKind | mean
    }
    var rest = drawn[...]
    let cells = way.parts.flatMap { part -> [Cell] in
      switch part {
      case .kept(let cell), .whole(let cell): return [cell]
      case .drawn(let pixels, _, _, _):
        let halves = rest.removeFirst()
        return Array(repeating: cell(colors[halves.upper].raw, colors[halves.lower].raw), count: pixels.count)
      }
    }
    return (cells, bytes)
  }

  /// Sums of components and of weighted squares, and their means.
  private func sum(_ colors: [UInt32]) -> (mean: SIMD4<Float>, sums: SIMD4<Float>) {
    var sums = SIMD4<Int32>()
    for color in colors.map(rgb) {
      let (r, g, b) = (Int32(color >> 16 & 0xFF), Int32(color >> 8 & 0xFF), Int32(color & 0xFF))
      sums &+= SIMD4(r, g, b, PlanDistance.square(r, g, b))
    }
    return (SIMD4<Float>(sums) * (1 / Float(colors.count)), SIMD4<Float>(sums))
  }

  /// The better way to begin a segment at a column.
  private func entry(_ x: Int, _ kept: [Way], _ sent: [Way?]) -> Way {
    var way = kept[x]
    let movement: Float = x == 0 ? 3 : way.keptCells < 10 ? 4 : 5
    way.cost += lambda * movement
    way.bytes += movement
    if let sent = sent[x], sent.cost <= way.cost { return sent }
    return way
  }

  /// Offers a segment in all of its expressions.
  private func send(
    _ pixels: [Halves], isLast: Bool, from entry: Way, meanWeight: Float, _ take: (Float, Float, () -> Way) -> Void
  ) {
    let count = Float(pixels.count)
    let mean = max(1, meanWeight)
    let weight = mean * count
    let top = sum(pixels.map(\.upper))
    let bottom = sum(pixels.map(\.lower))
    let (upper, lower) = (top.mean, bottom.mean)
    let explained = (PlanDistance.weights * (top.sums * upper + bottom.sums * lower)).sum()
    let base = entry.cost + max(0, top.sums.w + bottom.sums.w - explained) * mean
    let (foreground, background) = (entry.foreground, entry.background)
    func way(_ upper: Choice, _ lower: Choice, _ foreground: PlanColor, _ background: PlanColor) -> Way {
      var way = entry.adding(.drawn(pixels, upper: upper, lower: lower, meanWeight: meanWeight))
      way.foreground = foreground
      way.background = background
      return way
    }
    // A colour of the pen becomes the mean of what was drawn with it and of what is now; a new one is the mean alone.
    func more(_ color: PlanColor, _ mean: SIMD4<Float>, _ weight: Float) -> PlanColor {
      var color = color
      color.add(only(mean), weight)
      return color
    }
    func new(_ raw: UInt32, _ mean: SIMD4<Float>, _ weight: Float) -> PlanColor {
      raw >= CellColor.rgbKind ? PlanColor(components: only(mean), weight: weight) : color(raw)
    }
    // One colour.
    let difference = upper - lower
    let middle = (upper + lower) * 0.5
    let flat = base + 0.5 * weight * (difference * difference * PlanDistance.weights).sum()
    let fill = isLast && canEraseLine ? min(count, 3) : canEraseCells ? min(count, 10) : count
    take(flat + background.loss(middle, 2 * weight), fill) {
      way(.background, .background, foreground, more(background, middle, 2 * weight))
    }
    take(flat + foreground.loss(middle, 2 * weight), 3 * count) {
      way(.foreground, .foreground, more(foreground, middle, 2 * weight), background)
    }
    if let one = expression(of: middle, 2 * weight, like: pixels[0].lower) {
      take(flat + one.loss, fill + 2 + one.bytes) {
        way(.new(one.raw), .new(one.raw), foreground, new(one.raw, middle, 2 * weight))
      }
    }
    // Two colours.
    let glyphs = repeats ? min(3 * count, 8) : 3 * count
    let upperIsForeground = foreground.loss(upper, weight)
    let lowerIsBackground = background.loss(lower, weight)
    let upperIsBackground = background.loss(upper, weight)
    let lowerIsForeground = foreground.loss(lower, weight)
    take(base + upperIsForeground + lowerIsBackground, glyphs) {
      way(.foreground, .background, more(foreground, upper, weight), more(background, lower, weight))
    }
    take(base + upperIsBackground + lowerIsForeground, glyphs) {
      way(.background, .foreground, more(foreground, lower, weight), more(background, upper, weight))
    }
    guard let newUpper = expression(of: upper, weight, like: pixels[0].upper),
      let newLower = expression(of: lower, weight, like: pixels[0].lower)
    else { return }
    let (one, other) = (new(newUpper.raw, upper, weight), new(newLower.raw, lower, weight))
    let (withUpper, withLower) = (glyphs + 2 + newUpper.bytes, glyphs + 2 + newLower.bytes)
    take(base + newUpper.loss + lowerIsBackground, withUpper) {
      way(.new(newUpper.raw), .background, one, more(background, lower, weight))
    }
    take(base + newUpper.loss + lowerIsForeground, withUpper) {
      way(.new(newUpper.raw), .foreground, more(foreground, lower, weight), one)
    }
    take(base + newLower.loss + upperIsForeground, withLower) {
      way(.foreground, .new(newLower.raw), more(foreground, upper, weight), other)
    }
    take(base + newLower.loss + upperIsBackground, withLower) {
      way(.background, .new(newLower.raw), other, more(background, upper, weight))
    }
    take(base + newUpper.loss + newLower.loss, withUpper + newLower.bytes) {
      newUpper.raw == newLower.raw
        ? way(.new(newUpper.raw), .new(newUpper.raw), foreground, new(newLower.raw, middle, 2 * weight))
        : way(.new(newUpper.raw), .new(newLower.raw), one, other)
    }
  }

  // MARK: - Colours

  private var isMono: Bool { if case .mono = colors { true } else { false } }

  /// The raw value of a colour of the pen; at `mono` the entries 7 and 0 stand for those.
  private func first(_ color: CellColor, _ mono: UInt8) -> UInt32 {
    isMono ? CellColor.indexed(mono).rawValue : color.rawValue
  }

  /// A mean without what stands beside the components.
  private func only(_ mean: SIMD4<Float>) -> SIMD4<Float> { SIMD4(mean.x, mean.y, mean.z, 0) }

  /// To the nearest, ties to even.
  private func rounded(_ mean: SIMD4<Float>) -> UInt32 {
    let whole = mean.rounded(.toNearestOrEven)
    return UInt32(whole.x) << 16 | UInt32(whole.y) << 8 | UInt32(whole.z)
  }

  /// Those of the three components.
  private func digits(_ rgb: UInt32) -> Float {
    [rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF].reduce(0) { $0 + ($1 < 10 ? 1 : $1 < 100 ? 2 : 3) }
  }

  private func rgb(_ raw: UInt32) -> UInt32 {
    raw >= CellColor.rgbKind ? raw & 0xFFFFFF : XtermPalette.rgb[Int(raw & 0xFF)]
  }

  private func color(_ raw: UInt32) -> PlanColor {
    raw == 0 ? .unknown : PlanColor(components: PlanColor.components(rgb(raw)), weight: PlanColor.fixed)
  }

  /// The colours of a cell that may be approximated.
  private func halves(_ cell: Cell) -> Halves? {
    guard cell.isImage, cell.attributes == [] else { return nil }
    let (white, black) = (CellColor.indexed(7).rawValue, CellColor.indexed(0).rawValue)
    if isMono {
      switch cell.glyph {
      case 0x20: return (black, black)
      case 0x2580: return (white, black)
      case 0x2584: return (black, white)
      case 0x2588: return (white, white)
      default: return nil
      }
    }
    guard cell.glyph == 0x20 || cell.glyph == 0x2580 else { return nil }
    let upper = cell.glyph == 0x20 ? cell.background.rawValue : cell.foreground.rawValue
    let lower = cell.background.rawValue
    if cell.glyph == 0x2580, upper == lower { return nil }
    let kind = colors.isDirect ? CellColor.rgbKind : CellColor.indexedKind
    guard upper & ~0xFF_FFFF == kind, lower & ~0xFF_FFFF == kind else { return nil }
    if case .palette(.palette256) = colors, upper & 0xFF < 16 || lower & 0xFF < 16 { return nil }
    return (upper, lower)
  }

  private func cell(_ upper: UInt32, _ lower: UInt32) -> Cell {
    if isMono {
      let white = CellColor.indexed(7).rawValue
      let glyphs: [UInt32] = [0x20, 0x2584, 0x2580, 0x2588]
      return Cell(glyph: glyphs[(upper == white ? 2 : 0) + (lower == white ? 1 : 0)], isImage: true)
    }
    return Cell(
      glyph: upper == lower ? 0x20 : 0x2580, foreground: CellColor(rawValue: upper == lower ? 0 : upper),
      background: CellColor(rawValue: lower), isImage: true)
  }

  /// Returns the expression of a mean colour; nil if there is none.
  private func expression(
    of mean: SIMD4<Float>, _ weight: Float, like: UInt32
  ) -> (loss: Float, bytes: Float, raw: UInt32)? {
    func entry(_ index: UInt32) -> (loss: Float, bytes: Float, raw: UInt32) {
      let isShort = if case .palette(let depth) = colors { depth < .palette256 } else { false }
      return (
        weight * PlanDistance.between(color(CellColor.indexedKind | index).components, mean),
        isShort ? 3 : 6 + (index < 10 ? 1 : index < 100 ? 2 : 3), CellColor.indexedKind | index
      )
    }
    let nearest = rounded(mean)
    let key = NearestEntry.key(nearest)
    let exact = (loss: Float(0), bytes: 8 + digits(nearest), raw: CellColor.rgbKind | nearest)
    let others: (loss: Float, bytes: Float, raw: UInt32)
    switch colors {
    case .mono: return nil
    case .direct: return exact
    case .directAndPalette:
      others = entry(UInt32(colors.nearest[key]))
      return others.loss + lambda * others.bytes < lambda * exact.bytes ? others : exact
    case .palette:
      let one = entry(UInt32(colors.nearest[key]))
      others = entry(like & 0xFF)
      return others.loss + lambda * others.bytes < one.loss + lambda * one.bytes ? others : one
    }
  }
}
