import CellGraphics
import Pixels
import Testing

/// Updates within few bytes where there are few colours: what is meant is dithered then.
@Suite(.timeLimit(.minutes(20))) struct EncoderPaletteTests {
  private let columns = 80, rows = 24

  private func show(_ image: PixelImage, _ grid: inout CellGrid, _ palette: Palette) {
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid, palette: palette)
  }

  private func encoder(_ depth: ColorDepth) -> DifferenceEncoder {
    DifferenceEncoder(
      columns: columns, rows: rows, profile: .init(colorDepth: depth, erasesCells: true, backColorErase: true))
  }

  /// Bytes of a whole frame, sent as it is.
  private func wholeBytes(_ grid: CellGrid, _ depth: ColorDepth) -> Int {
    var encoder = encoder(depth)
    var bytes: [UInt8] = []
    return encoder.encode(grid, imageBudget: nil, into: &bytes).bytes
  }

  /// With a fifth of the bytes frames have hardly more grain than if all of them was sent, and to an eye that sees some pixels
  /// as one they are nearly as they are meant.
  @Test(arguments: [ColorDepth.palette256, .ansi16]) func ditheredFramesAreNotTornIntoNoise(depth: ColorDepth) {
    var random = TestRandom(21)
    let palette = Palette(depth: depth)
    var encoder = encoder(depth)
    var grid = CellGrid(columns: columns, rows: rows)
    var (whole, planned) = ((plain: 0.0, blurred: 0.0), (plain: 0.0, blurred: 0.0))
    for n in 0..<9 {
      let image = random.softImage(columns, rows, at: Double(n) * 0.05, grain: 2)
      show(image, &grid, palette)
      var bytes: [UInt8] = []
      let budget = wholeBytes(grid, depth) / 5
      #expect(encoder.encode(grid, imageBudget: budget, into: &bytes).imageBytes <= budget)
      guard n >= 3 else { continue }
      let (meant, sent, seen) = (SeenPixels(image), SeenPixels(grid), SeenPixels(encoder.shown))
      whole.plain += sent.error(from: meant)
      planned.plain += seen.error(from: meant)
      whole.blurred += sent.blurred.error(from: meant.blurred)
      planned.blurred += seen.blurred.error(from: meant.blurred)
    }
    #expect(planned.plain < 1.1 * whole.plain, "\(planned) \(whole)")
    #expect(planned.blurred < 2 * whole.blurred, "\(planned) \(whole)")
  }

  /// Soft colours that are dithered get flat ones where bytes are dear, and their pattern where they are not.
  @Test(arguments: [ColorDepth.palette256, .ansi16, .ansi8]) func flatOrDitheredByWhatBytesAreWorth(depth: ColorDepth) {
    var random = TestRandom(22)
    var grid = CellGrid(columns: columns, rows: rows)
    show(random.softImage(columns, rows, at: 1, grain: 0), &grid, Palette(depth: depth))
    let whole = wholeBytes(grid, depth)
    /// Returns the number of cells that differ from the one on their left.
    func edges(_ grid: CellGrid) -> Int {
      (0..<rows).reduce(0) { sum, row in
        sum + (1..<columns).count { !grid[column: $0, row: row].looksLike(grid[column: $0 - 1, row: row]) }
      }
    }
    let counts = [20, 8, 3, 1].map { part in
      var encoder = encoder(depth)
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: whole / part, into: &bytes)
      return edges(encoder.shown)
    }
    let all = edges(grid)
    #expect(counts == counts.sorted() && counts[0] < all / 8 && counts[3] > all * 9 / 10, "\(counts) of \(all)")
  }

  @Test(arguments: [ColorDepth.palette256, .ansi16, .ansi8]) func aCutRenewsAllOfIt(depth: ColorDepth) {
    var random = TestRandom(2)
    let palette = Palette(depth: depth)
    var encoder = encoder(depth)
    var grid = CellGrid(columns: columns, rows: rows)
    func update(at time: Double) -> SeenPixels {
      let image = random.softImage(columns, rows, at: time, grain: 2)
      show(image, &grid, palette)
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: wholeBytes(grid, depth) / 6, into: &bytes)
      return SeenPixels(image).blurred
    }
    for n in 0..<4 { _ = update(at: 0.02 * Double(n)) }
    let former = SeenPixels(encoder.shown).blurred
    let meant = update(at: 9)
    let seen = SeenPixels(encoder.shown).blurred
    for row in 0..<rows {
      let pixels = 2 * row..<2 * row + 2
      let (before, after) = (former.error(from: meant, rows: pixels), seen.error(from: meant, rows: pixels))
      #expect(after < before * 0.75, "row \(row): \(before) \(after)")
    }
  }
}
