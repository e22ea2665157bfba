import CellGraphics
import Pixels
import Testing

/// An image that rests is exact, and those that move beside it do not pay for that.
@Suite(.timeLimit(.minutes(20))) struct ImageRegionTests {
  private let columns = 60, rows = 20
  private var left: CellRect { CellRect(x: 0, y: 0, width: columns / 2, height: rows) }
  private var right: CellRect { CellRect(x: columns / 2, y: 0, width: columns / 2, height: rows) }

  /// Soft colours with a grain that cannot be seen; another one in each `turn`.
  private func draw(_ cells: CellRect, turn: UInt64, into grid: inout CellGrid) {
    var random = TestRandom(turn + 1)
    let image = PixelImage(size: PixelSize(width: cells.width, height: 2 * cells.height)) { bytes in
      for n in bytes.indices {
        let (x, y) = (n / 3 % cells.width, n / 3 / cells.width)
        bytes[n] = UInt8(90 + x + y + Int.random(in: 0...1, using: &random))
      }
    }
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: cells, imageRect: PixelRect(size: image.size)), into: &grid,
      palette: Palette(depth: .trueColor))
  }

  private func isExact(_ cells: CellRect, _ encoder: DifferenceEncoder, _ grid: CellGrid) -> Bool {
    (cells.y..<cells.maxY).allSatisfy { row in
      (cells.x..<cells.maxX).allSatisfy { encoder.shown[column: $0, row: row].looksLike(grid[column: $0, row: row]) }
    }
  }

  /// Free space around an image is no part of it: it would count as shown exactly.
  @Test func anImageHasTheCellsThatItCovers() {
    let pane = CellRect(x: 10, y: 5, width: 20, height: 8)
    let image = PixelImage(size: PixelSize(width: 1, height: 1)) { _ in }
    func cells(_ rect: PixelRect) -> CellRect { FrameLayer(image: image, cells: pane, imageRect: rect).imageCells(.halfBlocks) }
    #expect(cells(PixelRect(x: 0, y: 3, width: 20, height: 9)) == CellRect(x: 10, y: 6, width: 20, height: 5))
    #expect(cells(PixelRect(x: 4, y: 0, width: 12, height: 16)) == CellRect(x: 14, y: 5, width: 12, height: 8))
    #expect(cells(PixelRect(x: -5, y: -3, width: 40, height: 40)) == pane)
    #expect(cells(PixelRect(x: 30, y: 0, width: 5, height: 16)).isEmpty)
  }

  @Test func whatMovesBesideWhatRestsIsNotExact() {
    let profile = EncoderProfile(colorDepth: .trueColor, repeatsGlyphs: true, erasesCells: true, backColorErase: true)
    func run(
      _ quality: ImageQuality, isExact: Bool
    ) -> (bytes: Int, encoder: DifferenceEncoder, grid: CellGrid, last: EncodeResult) {
      var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
      encoder.quality = quality
      encoder.regions = [ImageRegion(cells: left, isExact: isExact), ImageRegion(cells: right)]
      var grid = CellGrid(columns: columns, rows: rows)
      var (bytes, last) = (0, EncodeResult())
      for turn: UInt64 in 0..<20 {
        draw(left, turn: 0, into: &grid)
        draw(right, turn: turn, into: &grid)
        var output: [UInt8] = []
        last = encoder.encode(grid, imageBudget: nil, into: &output)
        bytes += output.count
      }
      return (bytes, encoder, grid, last)
    }
    let exact = run(.exact, isExact: false)
    let high = run(.high, isExact: false)
    let mixed = run(.high, isExact: true)
    #expect(isExact(left, mixed.encoder, mixed.grid) && !isExact(left, high.encoder, high.grid))
    #expect(mixed.last.cellsLeft == 0 && mixed.last.cellsNear > 0 && mixed.last.cellsNear < high.last.cellsNear)
    #expect(mixed.bytes < exact.bytes * 3 / 4, "\(high.bytes) \(mixed.bytes) \(exact.bytes)")
  }

  /// A pane is paused: what was near becomes exact, alone.
  @Test(arguments: [nil, 700] as [Int?]) func whatComesToRestBecomesExact(budget: Int?) {
    var encoder = DifferenceEncoder(
      columns: columns, rows: rows, profile: EncoderProfile(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
    encoder.quality = .high
    encoder.regions = [ImageRegion(cells: left), ImageRegion(cells: right)]
    var grid = CellGrid(columns: columns, rows: rows)
    for turn: UInt64 in 0..<5 {
      draw(left, turn: turn, into: &grid)
      draw(right, turn: turn + 100, into: &grid)
      var output: [UInt8] = []
      #expect(encoder.encode(grid, imageBudget: nil, into: &output).cellsLeft == 0)
    }
    #expect(!isExact(left, encoder, grid) && !isExact(right, encoder, grid))
    encoder.regions = [ImageRegion(cells: left, isStill: true, isExact: true), ImageRegion(cells: right)]
    for _ in 0..<200 where !isExact(left, encoder, grid) {
      var output: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: budget, into: &output)
      if let budget { #expect(result.imageBytes <= budget) }
    }
    #expect(isExact(left, encoder, grid) && !isExact(right, encoder, grid))
    encoder.quality = .exact
    for _ in 0..<200 where !isExact(right, encoder, grid) {
      var output: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: budget, into: &output)
    }
    #expect(isExact(left, encoder, grid) && isExact(right, encoder, grid))
  }
}
