/// Scores image cells by importance, and chooses those that fit a byte budget.
///
/// A cell's score is four times the binary logarithm of its error (perceptually weighted squared component differences,
/// summed over both halves, times the weight of its image) plus half a point for each update that left it stale. Double the
/// amplitude is worth eight points; a waiting cell gains until it beats any other, so none starves.
enum CellChoice {
  static let scores = 256

  /// Returns the score of an error (see `weightedError`), times a weight, at an age.
  @inline(__always)
  static func score(error: Int32, age: UInt8, factor: Float) -> UInt8 {
    // A factor may be arbitrarily large.
    let value = UInt32(min(4e9, 4 * max(1, Float(error / PlanDistance.sum) * factor)))
    let log = 31 - value.leadingZeroBitCount
    let steps = log * 4 + Int(value >> UInt32(log - 2) & 3) - 8
    return UInt8(truncatingIfNeeded: steps + Int(age >> 1))
  }

  /// Returns the weighted squared difference of two cells (`PlanDistance`).
  @inline(__always)
  static func weightedError(_ a: Cell, _ b: Cell, table: UnsafePointer<UInt32>) -> Int32 {
    if let error = shapeError(a, b, table, by: PlanDistance.between) { return error }
    let (top, bottom) = halves(a, table)
    let (otherTop, otherBottom) = halves(b, table)
    return PlanDistance.between(top, otherTop) &+ PlanDistance.between(bottom, otherBottom)
  }

  /// Returns the squared difference of two cells, with equal weights for all components.
  @inline(__always)
  static func squaredError(_ a: Cell, _ b: Cell, table: UnsafePointer<UInt32>) -> Int {
    if let error = shapeError(a, b, table, by: ColorDistance.squares) { return Int(error) }
    let (top, bottom) = halves(a, table)
    let (otherTop, otherBottom) = halves(b, table)
    return Int(ColorDistance.squares(top, otherTop) &+ ColorDistance.squares(bottom, otherBottom))
  }

  /// Returns the difference of two cells of which one or both have other shapes than halves; nil for others.
  @inline(__always)
  private static func shapeError(
    _ a: Cell, _ b: Cell, _ table: UnsafePointer<UInt32>, by distance: (UInt32, UInt32) -> Int32
  ) -> Int32? {
    if isPlain(a.glyph), isPlain(b.glyph) { return nil }
    return ShapeTable.shared.difference(a, b, colors: (colors(a, table), colors(b, table)), by: distance)
  }

  @inline(__always)
  private static func isPlain(_ glyph: UInt32) -> Bool { glyph == 0x20 || glyph == Cell.upperHalf }

  @inline(__always)
  private static func colors(_ cell: Cell, _ table: UnsafePointer<UInt32>) -> (ink: UInt32, rest: UInt32) {
    (
      XtermPalette.components(cell.foreground, default: XtermPalette.defaultForeground, table: table),
      XtermPalette.components(cell.background, default: XtermPalette.defaultBackground, table: table)
    )
  }

  /// Returns the mean colours of a cell's upper and lower half.
  @inline(__always)
  private static func halves(
    _ cell: Cell, _ table: UnsafePointer<UInt32>
  ) -> (top: UInt32, bottom: UInt32) {
    let foreground = XtermPalette.components(
      cell.foreground, default: XtermPalette.defaultForeground, table: table)
    let background = XtermPalette.components(
      cell.background, default: XtermPalette.defaultBackground, table: table)
    switch cell.glyph {
    case 0x20: return (background, background)
    case Cell.upperHalf: return (foreground, background)
    case Cell.lowerHalf: return (background, foreground)
    case Cell.fullBlock: return (foreground, foreground)
    default:
      let mean = mix(background, foreground, coverage(cell.glyph))
      return (mean, mean)
    }
  }

  /// Returns how much of a cell a glyph covers, 0–256: for shades by their rank, for others a half.
  private static func coverage(_ glyph: UInt32) -> UInt32 {
    for (rank, shade) in Blitter.shades.enumerated() where UInt32(shade) == glyph {
      return UInt32(256 * rank / (Blitter.shades.count - 1))
    }
    return 128
  }

  private static func mix(_ a: UInt32, _ b: UInt32, _ part: UInt32) -> UInt32 {
    var mixed: UInt32 = 0
    for shift: UInt32 in [0, 8, 16] {
      let x = a >> shift & 0xFF
      let y = b >> shift & 0xFF
      mixed |= ((x * (256 - part) + y * part) >> 8) << shift
    }
    return mixed
  }

  /// Estimates the bytes for a cell that is sent after its left neighbour.
  @inline(__always)
  static func cost(_ cell: Cell, after left: Cell?, isLeftSent: Bool, colorBytes: Int) -> UInt8 {
    var bytes = cell.glyph < 0x80 ? 1 : cell.glyph < 0x1_0000 ? 3 : 4
    var colors = 0
    if let left {
      if cell.background != left.background, cell.background != left.foreground { colors += 1 }
      if cell.glyph != 0x20, cell.foreground != left.foreground, cell.foreground != left.background {
        colors += 1
      }
    } else {
      colors = 2
    }
    if colors > 0 { bytes += 3 + colors * colorBytes }
    if !isLeftSent { bytes += 6 }
    return UInt8(truncatingIfNeeded: bytes)
  }
}
