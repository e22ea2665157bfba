@testable import CellGraphics

/// What `RowPlanner` does, told plainly: every segment is tried everywhere, with each of its expressions, and whole pens are
/// carried along. Slow.
struct ReferencePlanner {
  let lambda: Float
  let colors: PlanColors
  let canEraseLine: Bool
  let canEraseCells: Bool
  let repeats: Bool
  let weighsAge: Bool

  /// A way up to a column, with the cells that it plans from the row's beginning.
  private struct Way {
    var cost: Float
    var bytes: Float
    var cells: [Cell] = []
    var keptCells = 0
    var foreground: PlanColor
    var background: PlanColor

    func adding(_ cells: [Cell]) -> Way {
      var way = self
      way.cells += cells
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
    let start = Way(cost: 0, bytes: 0, foreground: first(pen.foreground, 7), background: first(pen.background, 0))
    var kept: [Way] = [start]
    var sent: [Way?] = [nil]
    for end in 1...count {
      let x = end - 1
      // Kept as it is.
      let isAfterSent = (sent[x]?.cost ?? .infinity) < kept[x].cost
      var way = (isAfterSent ? sent[x]! : kept[x]).adding([wanted[x].isImage ? shown[x] : wanted[x]])
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
          var way = entry.adding([wanted[x]])
          (way.foreground, way.background) = (first(.default, 7), first(.default, 0))
          return way
        }
      } else if halves[x] != nil, stale[x] > lambda {
        for length in RowPlanner.lengths where end - length >= 0 {
          let range = (end - length)..<end
          let pixels = halves[range].compactMap { $0 }
          guard pixels.count == length else { break }
          let mean = max(1, (weightSums[end] - weightSums[range.lowerBound]) * (1 / Float(length)))
          send(pixels, isLast: end == count, from: entry(range.lowerBound, kept, sent), meanWeight: mean, take)
        }
      }
      sent.append(best)
    }
    let last = (sent[count]?.cost ?? .infinity) < kept[count].cost ? sent[count]! : kept[count]
    return (last.cells, last.bytes)
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
    let weight = meanWeight * count
    func sum(_ colors: [UInt32]) -> (mean: SIMD4<Float>, sums: SIMD4<Float>) {
      var sums = SIMD4<Int32>()
      for color in colors {
        let (r, g, b) = (Int32(color >> 16 & 0xFF), Int32(color >> 8 & 0xFF), Int32(color & 0xFF))
        sums &+= SIMD4(r, g, b, PlanDistance.square(r, g, b))
      }
      return (SIMD4<Float>(sums) * (1 / count), SIMD4<Float>(sums))
    }
    let top = sum(pixels.map { rgb($0.upper) })
    let bottom = sum(pixels.map { rgb($0.lower) })
    let (upper, lower) = (top.mean, bottom.mean)
    let explained = (PlanDistance.weights * (top.sums * upper + bottom.sums * lower)).sum()
    let base = entry.cost + max(0, top.sums.w + bottom.sums.w - explained) * meanWeight
    let (foreground, background) = (entry.foreground, entry.background)
    func way(_ upper: UInt32, _ lower: UInt32, _ foreground: UInt32, _ background: UInt32) -> Way {
      var way = entry.adding(Array(repeating: cell(upper, lower), count: pixels.count))
      way.foreground = color(foreground)
      way.background = color(background)
      return way
    }
    // One colour.
    let difference = upper - lower
    let middle = (upper + lower) * 0.5
    let flat = base + 0.5 * weight * (difference * difference * PlanDistance.weights).sum()
    let fill = isLast && canEraseLine ? min(count, 3) : canEraseCells ? min(count, 10) : count
    take(flat + 2 * weight * PlanDistance.between(background.components, middle), fill) {
      way(background.raw, background.raw, foreground.raw, background.raw)
    }
    take(flat + 2 * weight * PlanDistance.between(foreground.components, middle), 3 * count) {
      way(foreground.raw, foreground.raw, foreground.raw, background.raw)
    }
    if let new = expression(of: middle, 2 * weight, like: pixels[0].lower) {
      take(flat + new.loss, fill + 2 + new.bytes) { way(new.raw, new.raw, foreground.raw, new.raw) }
    }
    // Two colours; drawn as an upper or as a lower half block, whichever changes less of the pen.
    func halves(_ upper: UInt32, _ lower: UInt32) -> Way {
      if upper == lower { return way(upper, lower, foreground.raw, lower) }
      let isSwapped =
        (upper == background.raw || lower == foreground.raw) && upper != foreground.raw && lower != background.raw
      return isSwapped ? way(upper, lower, lower, upper) : way(upper, lower, upper, lower)
    }
    let glyphs = repeats ? min(3 * count, 8) : 3 * count
    func between(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float { PlanDistance.between(a, b) }
    take(
      base + weight * between(foreground.components, upper) + weight * between(background.components, lower), glyphs
    ) { halves(foreground.raw, background.raw) }
    take(
      base + weight * between(background.components, upper) + weight * between(foreground.components, lower), glyphs
    ) { halves(background.raw, foreground.raw) }
    guard let newUpper = expression(of: upper, weight, like: pixels[0].upper),
      let newLower = expression(of: lower, weight, like: pixels[0].lower)
    else { return }
    let (withUpper, withLower) = (glyphs + 2 + newUpper.bytes, glyphs + 2 + newLower.bytes)
    for pen in [background, foreground] {
      take(base + newUpper.loss + weight * between(pen.components, lower), withUpper) { halves(newUpper.raw, pen.raw) }
    }
    for pen in [foreground, background] {
      take(base + newLower.loss + weight * between(pen.components, upper), withLower) { halves(pen.raw, newLower.raw) }
    }
    take(base + newUpper.loss + newLower.loss, withUpper + newLower.bytes) { halves(newUpper.raw, newLower.raw) }
  }

  // MARK: - Colours

  private var isMono: Bool { if case .mono = colors { true } else { false } }

  private func first(_ color: CellColor, _ mono: UInt8) -> PlanColor {
    self.color(isMono ? CellColor.indexed(mono).rawValue : color.rawValue)
  }

  private func rgb(_ raw: UInt32) -> UInt32 {
    raw >= CellColor.rgbKind ? raw & 0xFFFFFF : XtermPalette.rgb[Int(raw & 0xFF)]
  }

  private func color(_ raw: UInt32) -> PlanColor {
    raw == 0 ? .unknown : PlanColor(raw: raw, components: PlanColor.components(rgb(raw)))
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

  /// How a mean colour is set; nil where none can be.
  private func expression(
    of mean: SIMD4<Float>, _ weight: Float, like: UInt32
  ) -> (loss: Float, bytes: Float, raw: UInt32)? {
    func digits(_ number: UInt32) -> Float { number < 10 ? 1 : number < 100 ? 2 : 3 }
    func entry(_ index: UInt32) -> (loss: Float, bytes: Float, raw: UInt32) {
      let isShort = if case .palette(let depth) = colors { depth < .palette256 } else { false }
      return (
        weight * PlanDistance.between(color(CellColor.indexedKind | index).components, mean),
        isShort ? 3 : 6 + digits(index), CellColor.indexedKind | index
      )
    }
    // To the nearest, ties to even.
    let (r, g, b) = (UInt32(mean.x.rounded(.toNearestOrEven)), UInt32(mean.y.rounded(.toNearestOrEven)),
      UInt32(mean.z.rounded(.toNearestOrEven)))
    let key = NearestEntry.key(r << 16 | g << 8 | b)
    let exact = (loss: Float(0), bytes: 8 + digits(r) + digits(g) + digits(b), raw: CellColor.rgbKind | r << 16 | g << 8 | b)
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
