/// The colours images may use at one depth, with the tables for dithering to them.
///
/// Immutable and shareable between threads. Creating one for 8, 16 or 256 colours takes some milliseconds and half a
/// megabyte, so create one per depth and keep it.
///
/// Dithering is ordered. For every colour (4 or 5 bits per component), a table lists palette colours whose mean is near
/// that colour, darkest first, and a blue-noise threshold fixed to the screen position picks one. At most two colours are
/// mixed, near ones rather than exact ones (`PaletteMixtures`). Means are of stored component values, not of linear light.
public final class Palette: Sendable {
  public let depth: ColorDepth
  public let dithering: Dithering

  /// The size of the tables at a depth.
  struct Layout {
    /// Bits per component in the table's key. More of them reduce grain for fine palettes.
    let componentBits: Int
    /// Binary logarithm of the number of candidates per key. More of them make the mean more exact for coarse palettes.
    let candidateBits: Int

    var levels: Int { 1 << componentBits }
    var candidates: Int { 1 << candidateBits }

    init(_ depth: ColorDepth) {
      (componentBits, candidateBits) = depth == .palette256 ? (5, 4) : (4, 6)
    }
  }

  let layout: Layout
  /// The indices for each key; empty at `mono` and `trueColor`.
  let candidates: [UInt8]
  /// 16 rows of 256: the level of a component, rounded by one of 16 thresholds to avoid bias.
  let quantized: [UInt8]
  /// `DitherMatrix.thresholds`.
  let thresholds: [UInt16]

  public init(depth: ColorDepth, dithering: Dithering = .full) {
    self.depth = depth
    self.dithering = dithering
    layout = Layout(depth)
    switch depth {
    case .trueColor:
      (candidates, quantized, thresholds) = ([], [], [])
    case .mono:
      // Without dithering, all pixels have the middle threshold.
      let thresholds =
        dithering == .off ? DitherMatrix.thresholds.map { _ in 512 } : DitherMatrix.thresholds
      (candidates, quantized, self.thresholds) = ([], [], thresholds)
    case .ansi8, .ansi16, .palette256:
      candidates = Palette.candidates(depth, layout, dithering)
      quantized = Palette.quantizedRows(layout, dithering)
      thresholds = DitherMatrix.thresholds
    }
  }

  /// Returns the nearest colour that the depth can express; the default colour is returned unchanged.
  public func nearest(to color: CellColor) -> CellColor {
    XtermPalette.nearest(to: color, depth: depth)
  }

  private static func quantizedRows(_ layout: Layout, _ dithering: Dithering) -> [UInt8] {
    var rows = [UInt8]()
    rows.reserveCapacity(16 * 256)
    for step in 0..<16 {
      // Without dithering, a component always has the nearest level.
      let half = dithering == .off ? 16 : 2 * step + 1
      for value in 0..<256 {
        // Thresholds at the middles of 16 steps: their mean is value * (levels - 1) / 255.
        rows.append(UInt8((value * (layout.levels - 1) * 32 + 255 * half) / (255 * 32)))
      }
    }
    return rows
  }

  private static func candidates(_ depth: ColorDepth, _ layout: Layout, _ dithering: Dithering) -> [UInt8] {
    let levels = layout.levels
    let values = (0..<levels).map { ($0 * 255 + (levels - 1) / 2) / (levels - 1) }
    let count = levels * levels * levels * layout.candidates
    let mixtures = PaletteMixtures(depth, dithering, count: layout.candidates)
    return [UInt8](unsafeUninitializedCapacity: count) { table, initialized in
      table.initialize(repeating: 0)
      initialized = count
      var base = 0
      for red in values {
        for green in values {
          for blue in values {
            let range = base..<(base + layout.candidates)
            if dithering == .off {
              let nearest = XtermPalette.nearestIndex(red: red, green: green, blue: blue, depth: depth)
              table[range].update(repeating: nearest)
            } else {
              let mixture = mixtures.mixture(red: red, green: green, blue: blue)
              table[range].update(repeating: mixture.darker)
              table[range.suffix(mixture.parts)].update(repeating: mixture.lighter)
            }
            base += layout.candidates
          }
        }
      }
    }
  }
}
