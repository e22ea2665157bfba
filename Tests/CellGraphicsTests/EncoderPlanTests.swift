import CellGraphics
import Foundation
import Pixels
import Testing

/// Frames in 24 bits that do not fit into their bytes are approximated.
@Suite(.timeLimit(.minutes(20))) struct EncoderPlanTests {
  let columns = 80, rows = 24

  private func image(at time: Double, grain: Int, _ random: inout TestRandom) -> PixelImage {
    random.softImage(columns, rows, at: time, grain: grain)
  }

  private func show(_ image: PixelImage, _ grid: inout CellGrid) {
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid,
      palette: Palette(depth: .trueColor))
  }

  /// The peak signal-to-noise ratio of what is shown, in dB; 99 where it is exact.
  private func quality(_ shown: CellGrid, _ grid: CellGrid) -> Double {
    var error = 0
    for row in 0..<rows {
      for column in 0..<columns { error += squaredError(shown[column: column, row: row], grid[column: column, row: row]) }
    }
    return error == 0 ? 99 : 10 * log10(65_025 * Double(6 * rows * columns) / Double(error))
  }

  /// The mean quality of 40 frames with so many bytes for each.
  private func meanQuality(bytes budget: Int, grain: Int = 4) -> Double {
    var random = TestRandom(1)
    var encoder = DifferenceEncoder(
      columns: columns, rows: rows, profile: .init(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
    var grid = CellGrid(columns: columns, rows: rows)
    var sum = 0.0
    for n in 0..<43 {
      show(image(at: Double(n) * 0.05, grain: grain, &random), &grid)
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: budget, into: &bytes)
      #expect(result.imageBytes <= budget)
      #expect(abs(min(result.loss.psnr, 99) - quality(encoder.shown, grid)) < 0.001)
      if n >= 3 { sum += quality(encoder.shown, grid) }
    }
    return sum / 40
  }

  /// Short codes of the palette stand for colours only where the terminal has said which colours they are.
  @Test(arguments: [true, false]) func onlyAKnownPaletteStandsForColors(hasStandardPalette: Bool) {
    var random = TestRandom(5)
    var encoder = DifferenceEncoder(
      columns: columns, rows: rows, profile: .init(colorDepth: .trueColor, hasStandardPalette: hasStandardPalette))
    var grid = CellGrid(columns: columns, rows: rows)
    var text = ""
    for n in 0..<10 {
      show(image(at: Double(n) * 0.05, grain: 4, &random), &grid)
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: 1500, into: &bytes)
      text += String(decoding: bytes, as: UTF8.self)
    }
    #expect(text.contains("8;5;") == hasStandardPalette && text.contains("8;2;"))
  }

  @Test func moreBytesShowMore() {
    let qualities = [500, 1000, 2000, 4000, 8000].map { meanQuality(bytes: $0) }
    #expect(qualities == qualities.sorted(), "\(qualities)")
    // Sent cell by cell, 1,000 bytes would renew 25 of 1,920 cells.
    #expect(qualities[1] > 22 && qualities[4] > 30, "\(qualities)")
  }

  /// Two images side by side, a calm one with grain and a wild one; the quality of each.
  private func pairQuality(_ regions: [ImageRegion]) -> (calm: Double, wild: Double) {
    var random = TestRandom(6)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    encoder.regions = regions
    var grid = CellGrid(columns: columns, rows: rows)
    var errors = (calm: 0, wild: 0)
    for n in 0..<40 {
      let calm = image(at: Double(n) * 0.02, grain: 2, &random)
      let wild = image(at: Double(n) * 0.3, grain: 40, &random)
      show(calm, &grid)
      Blitter.halfBlocks.blit(
        FrameLayer(image: wild, cells: halves.1, imageRect: PixelRect(size: wild.size)), into: &grid,
        palette: Palette(depth: .trueColor))
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: 2500, into: &bytes)
      guard n >= 10 else { continue }
      for row in 0..<rows {
        for column in 0..<columns {
          let error = squaredError(encoder.shown[column: column, row: row], grid[column: column, row: row])
          if column < columns / 2 { errors.calm += error } else { errors.wild += error }
        }
      }
    }
    func decibels(_ error: Int) -> Double { 10 * log10(65_025 * 30 * Double(3 * rows * columns) / Double(error)) }
    return (decibels(errors.calm), decibels(errors.wild))
  }

  private var halves: (CellRect, CellRect) {
    (CellRect(x: 0, y: 0, width: columns / 2, height: rows), CellRect(x: columns / 2, y: 0, width: columns / 2, height: rows))
  }

  @Test func aCalmImageKeepsItsPartBesideAWildOne() {
    let alike = pairQuality([])
    let shared = pairQuality([ImageRegion(cells: halves.0), ImageRegion(cells: halves.1)])
    #expect(shared.calm > alike.calm + 1 && shared.wild > alike.wild - 2, "\(alike) \(shared)")
    // One image alone weighs as if nothing had been said.
    #expect(pairQuality([ImageRegion(cells: halves.0)]) == alike)
  }

  @Test func theFocusedImageHasMore() {
    let shared = pairQuality([ImageRegion(cells: halves.0), ImageRegion(cells: halves.1)])
    let calm = pairQuality([ImageRegion(cells: halves.0, emphasis: 2), ImageRegion(cells: halves.1)])
    let wild = pairQuality([ImageRegion(cells: halves.0), ImageRegion(cells: halves.1, emphasis: 2)])
    #expect(calm.calm > shared.calm + 0.3 && wild.wild > shared.wild + 0.1, "\(shared) \(calm) \(wild)")
  }

  /// A pane that was paused becomes exact while the one beside it plays on and takes all bytes that it can get.
  @Test(arguments: [false, true]) func whatRestsBecomesExactBesideWhatMoves(isFocused: Bool) {
    var random = TestRandom(12)
    var encoder = DifferenceEncoder(
      columns: columns, rows: rows, profile: .init(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
    let still = image(at: 2, grain: 20, &random)
    var grid = CellGrid(columns: columns, rows: rows)
    let emphasis: Float = isFocused ? 2 : 1
    var exactAfter: Int?
    var moving: [Double] = []
    for n in 0..<200 {
      show(image(at: Double(n) * 0.2, grain: 40, &random), &grid)
      Blitter.halfBlocks.blit(
        FrameLayer(image: still, cells: halves.0, imageRect: PixelRect(size: still.size)), into: &grid,
        palette: Palette(depth: .trueColor))
      encoder.regions = [
        ImageRegion(cells: halves.0, emphasis: emphasis, isStill: n > 0), ImageRegion(cells: halves.1),
      ]
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: 2500, into: &bytes)
      #expect(result.imageBytes <= 2500)
      var errors = (still: 0, moving: 0)
      for row in 0..<rows {
        for column in 0..<columns {
          let error = squaredError(encoder.shown[column: column, row: row], grid[column: column, row: row])
          if column < columns / 2 { errors.still += error } else { errors.moving += error }
        }
      }
      if exactAfter == nil, errors.still == 0 { exactAfter = n }
      if let exactAfter, n > exactAfter { #expect(errors.still == 0, "update \(n)") }
      if n > 2 { moving.append(10 * log10(65_025 * Double(3 * rows * columns) / Double(errors.moving))) }
    }
    // 960 cells of some 30 bytes.
    #expect(exactAfter.map { $0 <= 32 } ?? false, "\(String(describing: exactAfter))")
    // What moves is rough meanwhile, and there.
    #expect(moving.allSatisfy { $0 > 13 }, "\(moving.min() ?? 0)")
  }

  /// Facts learnt of a terminal after the first update do not clear the screen.
  @Test func aNewProfileOfTheSameColoursSendsNothingAgain() {
    var random = TestRandom(13)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var grid = CellGrid(columns: columns, rows: rows)
    show(image(at: 2, grain: 2, &random), &grid)
    var bytes: [UInt8] = []
    #expect(encoder.encode(grid, imageBudget: nil, into: &bytes).isExact)
    encoder.profile = EncoderProfile(
      colorDepth: .trueColor, synchronizedUpdates: true, erasesCells: true, hasStandardPalette: true)
    bytes = []
    #expect(encoder.encode(grid, imageBudget: nil, into: &bytes).isExact && bytes.isEmpty)
    encoder.profile.colorDepth = .palette256
    #expect(encoder.encode(grid, imageBudget: nil, into: &bytes).isExact && bytes.count > 1000)
  }

  @Test func aCutRenewsAllOfIt() {
    var random = TestRandom(2)
    var encoder = DifferenceEncoder(
      columns: columns, rows: rows, profile: .init(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
    var grid = CellGrid(columns: columns, rows: rows)
    for n in 0..<10 {
      show(image(at: 0.02 * Double(n), grain: 2, &random), &grid)
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: 2000, into: &bytes)
    }
    let former = encoder.shown
    show(image(at: 9, grain: 2, &random), &grid)
    var bytes: [UInt8] = []
    _ = encoder.encode(grid, imageBudget: 2000, into: &bytes)
    #expect(quality(encoder.shown, grid) > 14)
    for row in 0..<rows {
      func error(_ shown: CellGrid) -> Int {
        (0..<columns).reduce(0) { $0 + squaredError(shown[column: $1, row: row], grid[column: $1, row: row]) }
      }
      #expect(error(encoder.shown) < error(former) * 3 / 4, "row \(row)")
    }
  }

  @Test(arguments: [300, 1000, 5000]) func aStillFrameBecomesExactAndThenNothingIsSent(budget: Int) {
    var random = TestRandom(3)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var grid = CellGrid(columns: columns, rows: rows)
    show(image(at: 1, grain: 20, &random), &grid)
    var exact: [UInt8] = []
    var other = encoder
    _ = other.encode(grid, imageBudget: nil, into: &exact)
    var sent = 0
    var last = 0.0
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: budget, into: &bytes)
      sent += bytes.count
      let now = quality(encoder.shown, grid)
      // Refining is not undone.
      #expect(now >= last - 0.5)
      last = max(last, now)
      if result.isExact { break }
    }
    #expect(last == 99)
    // What was shown coarsely first costs something, not much.
    #expect(sent < exact.count * 2, "\(sent) of \(exact.count)")
    var bytes: [UInt8] = []
    let again = encoder.encode(grid, imageBudget: budget, into: &bytes)
    #expect(again.isExact && bytes.isEmpty && again.cellsSent == 0 && again.loss.psnr == .infinity)
  }

  /// At rest a frame looks right after the bytes that this takes, and is exact soon after.
  @Test(arguments: [500, 1500], [0, 3, 6, 12]) func aStillFrameIsFineBeforeItIsExact(budget: Int, grain: Int) {
    var random = TestRandom(8)
    var encoder = DifferenceEncoder(
      columns: columns, rows: rows, profile: .init(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
    var grid = CellGrid(columns: columns, rows: rows)
    func encode() -> (bytes: Int, result: EncodeResult) {
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: budget, into: &bytes)
      return (bytes.count, result)
    }
    for n in 0..<20 {
      show(image(at: Double(n) * 0.2, grain: grain, &random), &grid)
      _ = encode()
    }
    var exact: [UInt8] = []
    var other = encoder
    _ = other.encode(grid, imageBudget: nil, into: &exact)
    var (sent, nearlyAfter, fineAfter) = (0, 0, 0)
    for _ in 0..<1000 {
      let (bytes, result) = encode()
      sent += bytes
      if nearlyAfter == 0, result.loss.psnr >= 38 { nearlyAfter = sent }
      if fineAfter == 0, result.loss.psnr >= 40 { fineAfter = sent }
      if result.isExact { break }
    }
    // Planned so finely at once that it looks right: sending cell for cell would take long to get there.
    #expect(nearlyAfter > 0 && fineAfter - nearlyAfter < exact.count / 20, "\(nearlyAfter), \(fineAfter) of \(exact.count)")
    #expect(fineAfter < exact.count * 7 / 10, "\(fineAfter) of \(exact.count)")
    #expect(sent < exact.count * 16 / 10, "\(sent) of \(exact.count)")
  }

  /// Invisible details are not sent while something moves; all of them are sent in the end.
  @Test func highQualityTakesFewerBytes() {
    var random = TestRandom(9)
    let profile = EncoderProfile(colorDepth: .trueColor, repeatsGlyphs: true, erasesCells: true, backColorErase: true)
    var exact = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
    var high = exact
    high.quality = .high
    var grid = CellGrid(columns: columns, rows: rows)
    var (exactBytes, highBytes) = (0, 0)
    for n in 0..<20 {
      show(image(at: Double(n) * 0.01, grain: 1, &random), &grid)
      var bytes: [UInt8] = []
      exactBytes += exact.encode(grid, imageBudget: nil, into: &bytes).bytes
      let result = high.encode(grid, imageBudget: nil, into: &bytes)
      highBytes += result.bytes
      #expect(result.cellsLeft == 0)
      for row in 0..<rows {
        for column in 0..<columns {
          let error = squaredError(high.shown[column: column, row: row], grid[column: column, row: row])
          #expect(Double(error) <= 6 * 65_025 / 39_811, "frame \(n) (\(column), \(row))")
        }
      }
      #expect(abs(min(result.loss.psnr, 99) - quality(high.shown, grid)) < 0.001)
    }
    #expect(highBytes < exactBytes * 8 / 10, "\(highBytes) of \(exactBytes)")
    high.quality = .exact
    var bytes: [UInt8] = []
    #expect(high.encode(grid, imageBudget: nil, into: &bytes).isExact)
    #expect(high.shown == exact.shown)
  }

  /// Without a limit, and with one that all fits into, every cell is sent as it is.
  @Test func whatFitsIsExact() {
    var random = TestRandom(4)
    var limited = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var unlimited = limited
    var grid = CellGrid(columns: columns, rows: rows)
    for n in 0..<5 {
      show(image(at: Double(n), grain: 9, &random), &grid)
      var (first, second): ([UInt8], [UInt8]) = ([], [])
      #expect(limited.encode(grid, imageBudget: 1 << 20, into: &first).isExact)
      #expect(unlimited.encode(grid, imageBudget: nil, into: &second).isExact)
      #expect(first == second)
    }
  }
}
