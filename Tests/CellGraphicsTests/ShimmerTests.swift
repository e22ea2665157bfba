import CellGraphics
import Pixels
import TestSupport
import Testing

/// Parts that do not move do not seem to, however few bytes there are.
@Suite(.timeLimit(.minutes(20))) struct ShimmerTests {
  private let columns = 60, rows = 20

  private func show(_ image: PixelImage, in cells: CellRect, _ grid: inout CellGrid, _ depth: ColorDepth) {
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: cells, imageRect: PixelRect(size: image.size)), into: &grid,
      palette: Palette(depth: depth))
  }

  private func encoder(_ depth: ColorDepth) -> DifferenceEncoder {
    DifferenceEncoder(
      columns: columns, rows: rows,
      profile: EncoderProfile(colorDepth: depth, erasesCells: true, backColorErase: true))
  }

  /// A frame at rest is refined: each cell changes when it is planned, when it is planned finely, once more where that was
  /// not enough, and when it becomes exact; and no update makes the image worse.
  @Test(arguments: ColorDepth.allCases, [200, 700, 2500]) func aFrameAtRestOnlyBecomesBetter(depth: ColorDepth, budget: Int) {
    var random = TestRandom(21)
    var encoder = encoder(depth)
    var grid = CellGrid(columns: columns, rows: rows)
    show(random.softImage(columns, rows, at: 1, grain: 6), in: grid.bounds, &grid, depth)
    var changes = [Int](repeating: 0, count: columns * rows)
    var loss = Int.max
    for update in 0..<1000 {
      let before = encoder.shown
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: budget, into: &bytes)
      #expect(result.loss.squaredError <= loss, "update \(update)")
      loss = result.loss.squaredError
      for n in changes.indices {
        let (x, y) = (n % columns, n / columns)
        if !encoder.shown[column: x, row: y].looksLike(before[column: x, row: y]) { changes[n] += 1 }
      }
      if result.isExact { break }
    }
    #expect(loss == 0)
    #expect(changes.allSatisfy { $0 <= 4 }, "\(changes.max() ?? 0)")
  }

  /// Beside what moves and takes all bytes, what stands still in the same image is drawn anew only to be nearer.
  @Test(arguments: ColorDepth.allCases, Soak.cases([300, 900, 2500], else: [900])) func whatStandsBesideWhatMovesIsLeftAlone(depth: ColorDepth, budget: Int) {
    var random = TestRandom(22)
    var encoder = encoder(depth)
    var grid = CellGrid(columns: columns, rows: rows)
    let still = CellRect(x: 0, y: 0, width: columns / 2, height: rows)
    let moving = CellRect(x: columns / 2, y: 0, width: columns / 2, height: rows)
    show(random.softImage(still.width, rows, at: 1, grain: 6), in: still, &grid, depth)
    var (better, worse) = (0, 0)
    for update in 0..<120 {
      show(random.softImage(moving.width, rows, at: Double(update) / 5, grain: 20), in: moving, &grid, depth)
      let before = encoder.shown
      var bytes: [UInt8] = []
      #expect(encoder.encode(grid, imageBudget: budget, into: &bytes).imageBytes <= budget)
      guard update >= 30 else { continue }
      for y in 0..<rows {
        for x in 0..<still.width {
          let (old, new) = (before[column: x, row: y], encoder.shown[column: x, row: y])
          let wanted = grid[column: x, row: y]
          guard !new.looksLike(old) else { continue }
          if squaredError(new, wanted) < squaredError(old, wanted) { better += 1 } else { worse += 1 }
        }
      }
    }
    let cells = 90 * still.width * rows
    #expect(worse <= cells / 200, "of \(cells): \(better) nearer, \(worse) not")
  }
}
