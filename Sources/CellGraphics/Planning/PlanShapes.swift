import Pixels

/// A row whose cells have shapes other than half blocks, as the planner sees it.
///
/// Any number of cells can share two colours and still have a shape each, at no cost. So a segment may keep the shapes of its
/// cells, and give one colour to the brighter parts of all and another to the darker ones.
struct PlanShapes {
  /// Sums of the brighter parts from the start of the row: components and weighted squares (`PlanDistance`), times the number
  /// of a cell's parts that they cover. Whole numbers, of which differences are exact.
  private let bright: UnsafeMutablePointer<SIMD4<Double>>
  private let dark: UnsafeMutablePointer<SIMD4<Double>>
  /// Sums of the parts that brighter ones cover.
  private let brightAreas: UnsafeMutablePointer<Int32>
  /// Sums of the bytes of glyphs.
  private let glyphBytes: UnsafeMutablePointer<Int32>
  /// Numbers of cells whose ink has to be their brighter or their darker part, since no glyph is the inverse of theirs.
  private let inkedBright: UnsafeMutablePointer<Int32>
  private let inkedDark: UnsafeMutablePointer<Int32>
  /// True if a cell's ink is its darker part.
  private let areInverted: UnsafeMutablePointer<Bool>
  /// The colours of each cell's parts.
  let brights: UnsafeMutablePointer<UInt32>
  let darks: UnsafeMutablePointer<UInt32>
  /// True if any cell of the row has such a shape; otherwise all is as if there were none.
  private let isAny: UnsafeMutablePointer<Bool>
  private let table = ShapeTable.shared

  /// The parts of half a cell, which is the unit of loss.
  private static let half = Float(CellShape.parts / 2)

  init(count: Int) {
    func allocate<T>(_ value: T, _ count: Int) -> UnsafeMutablePointer<T> {
      let pointer = UnsafeMutablePointer<T>.allocate(capacity: count)
      pointer.initialize(repeating: value, count: count)
      return pointer
    }
    (bright, dark) = (allocate(SIMD4(), count), allocate(SIMD4(), count))
    (brightAreas, glyphBytes) = (allocate(0, count), allocate(0, count))
    (inkedBright, inkedDark) = (allocate(0, count), allocate(0, count))
    areInverted = allocate(false, count)
    (brights, darks) = (allocate(0, count), allocate(0, count))
    isAny = allocate(false, 1)
  }

  func deallocate() {
    bright.deallocate()
    dark.deallocate()
    brightAreas.deallocate()
    glyphBytes.deallocate()
    inkedBright.deallocate()
    inkedDark.deallocate()
    areInverted.deallocate()
    brights.deallocate()
    darks.deallocate()
    isAny.deallocate()
  }

  @inline(__always)
  var areThere: Bool { isAny.pointee }

  /// Loads a row.
  func load(_ wanted: UnsafePointer<Cell>, columns: Int, _ palette: PlanPalette) {
    isAny.pointee = (0..<columns).contains {
      wanted[$0].glyph != 0x20 && wanted[$0].glyph != Cell.upperHalf && isShaped(wanted[$0], palette)
    }
    guard areThere else { return }
    var (brightSum, darkSum) = (SIMD4<Double>(), SIMD4<Double>())
    var (area, bytes, bound, boundDark): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    // What flat cells are compared with: the middle of the last two colours.
    var middle: UInt32 = 128
    for x in 0..<columns {
      let cell = wanted[x]
      if palette.kind(of: cell) == PlanPalette.Kind.free, let shape = table.shape(of: cell.glyph) {
        let (ink, rest) = palette.halves(of: cell)
        let (inkRGB, restRGB) = (palette.components(ink), palette.components(rest))
        let (inkLuma, restLuma) = (Palette.luma(inkRGB), Palette.luma(restRGB))
        let inked = Int32(table.areas[shape])
        let isInverted = shape == 0 ? restLuma >= middle : inkLuma < restLuma
        areInverted[x] = isInverted
        (brights[x], darks[x]) = isInverted ? (rest, ink) : (ink, rest)
        let lit = isInverted ? Int32(CellShape.parts) - inked : inked
        brightSum += Self.lanes(isInverted ? restRGB : inkRGB) * Double(lit)
        darkSum += Self.lanes(isInverted ? inkRGB : restRGB) * Double(Int32(CellShape.parts) - lit)
        area += lit
        if shape != 0 { middle = (inkLuma + restLuma) / 2 }
        if shape != 0, table.inverses[shape] == 0 { if isInverted { boundDark += 1 } else { bound += 1 } }
      }
      bytes += cell.glyph < 0x1_0000 ? 3 : 4
      (bright[x + 1], dark[x + 1], brightAreas[x + 1], glyphBytes[x + 1]) = (brightSum, darkSum, area, bytes)
      (inkedBright[x + 1], inkedDark[x + 1]) = (bound, boundDark)
    }
  }

  private func isShaped(_ cell: Cell, _ palette: PlanPalette) -> Bool {
    palette.kind(of: cell) == PlanPalette.Kind.free && table.shape(of: cell.glyph) != nil
  }

  @inline(__always)
  private static func lanes(_ rgb: UInt32) -> SIMD4<Double> { SIMD4<Double>(PlanMemory.lanes(rgb)) }

  /// Returns the mean components and weighted squares of the halves of a cell of another shape; nil for half blocks.
  ///
  /// - Parameter fitted: the cell as fitted, which has the means of the samples' halves; nil if they are not known.
  func halves(of cell: Cell, _ fitted: FittedCell?, _ palette: PlanPalette) -> (upper: SIMD4<Int32>, lower: SIMD4<Int32>)? {
    guard cell.glyph != 0x20, cell.glyph != Cell.upperHalf, let shape = table.shape(of: cell.glyph),
      let upperHalf = table.shape(of: Cell.upperHalf)
    else { return nil }
    let (ink, rest) = palette.halves(of: cell)
    let inkLanes = PlanMemory.lanes(palette.components(ink)), restLanes = PlanMemory.lanes(palette.components(rest))
    let shares = table.shares(shape, upperHalf)
    let all = Int32(CellShape.parts / 2)
    func mean(_ inked: Int32) -> SIMD4<Int32> {
      // The sums of squares are below 2³¹: 30 × 255² × 96.
      (inkLanes &* inked &+ restLanes &* (all - inked) &+ all / 2) / SIMD4(repeating: all)
    }
    var (upper, lower) = (mean(shares.both), mean(shares.first))
    if let fitted {
      let meant = fitted.halves(inked: UInt32(table.areas[Int(fitted.shape.index)]))
      // Two halves cannot be nearer to the samples than the shape is.
      let squares = max(upper.w &+ lower.w, PlanMemory.lanes(meant.upper).w &+ PlanMemory.lanes(meant.lower).w)
      (upper, lower) = (PlanMemory.lanes(meant.upper), PlanMemory.lanes(meant.lower))
      upper.w = squares / 2
      lower.w = squares - upper.w
    }
    return (upper, lower)
  }

  /// A segment whose cells keep their shapes.
  struct Segment {
    /// The least loss with two colours, each cell of weight 1.
    var spread: Float
    /// The means of both parts, and their weights in halves of cells.
    var bright: SIMD4<Float>
    var dark: SIMD4<Float>
    var brightCount: Float
    var darkCount: Float
    var bytes: Float
    /// True if all its cells can be drawn with ink of the one colour, and of the other.
    var mayInkBright: Bool
    var mayInkDark: Bool
    /// True if ink will be the darker colour, if both are set.
    var inksDark: Bool
  }

  @inline(__always)
  func segment(_ from: Int, _ end: Int) -> Segment {
    let lit = SIMD4<Float>(bright[end] - bright[from]), dim = SIMD4<Float>(dark[end] - dark[from])
    let litArea = Float(brightAreas[end] - brightAreas[from])
    let dimArea = Float((end - from) * CellShape.parts) - litArea
    var litMean = lit * (litArea > 0 ? 1 / litArea : 0), dimMean = dim * (dimArea > 0 ? 1 / dimArea : 0)
    let squares = lit.w + dim.w
    (litMean.w, dimMean.w) = (0, 0)
    let explained = (PlanDistance.weights * (lit * litMean + dim * dimMean)).sum()
    return Segment(
      spread: max(0, squares - explained) / Self.half, bright: litMean, dark: dimMean, brightCount: litArea / Self.half,
      darkCount: dimArea / Self.half, bytes: Float(glyphBytes[end] - glyphBytes[from]),
      mayInkBright: inkedDark[end] == inkedDark[from], mayInkDark: inkedBright[end] == inkedBright[from],
      inksDark: inkedDark[end] != inkedDark[from] || inkedBright[end] == inkedBright[from] && areInverted[from])
  }

  /// Returns a cell of the row in the colours planned for its segment: its own shape, or one of the colours alone if that is
  /// nearer.
  func cell(_ x: Int, like wanted: Cell, bright: UInt32, dark: UInt32, _ palette: PlanPalette) -> Cell {
    let (lit, dim) = (CellColor(rawValue: bright), CellColor(rawValue: dark))
    let alone = [Cell(upper: lit, lower: lit), Cell(upper: dim, lower: dim)]
    var best = alone[0]
    var options = [alone[1]]
    if wanted.glyph != 0x20, lit != dim {
      var shaped = wanted
      (shaped.foreground, shaped.background) = areInverted[x] ? (dim, lit) : (lit, dim)
      options.append(shaped)
    }
    var least = CellChoice.weightedError(best, wanted, table: palette.table)
    for option in options {
      let error = CellChoice.weightedError(option, wanted, table: palette.table)
      if error < least { (best, least) = (option, error) }
    }
    return best
  }
}
