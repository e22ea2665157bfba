import Pixels
import TestSupport
import Testing

@testable import CellGraphics

/// Cells with other shapes than half blocks.
@Suite(.timeLimit(.minutes(20))) struct ShapeTests {
  @Test func everyShapeHasTheGlyphThatDrawsIt() {
    let table = ShapeTable.shared
    var glyphs: Set<UInt32> = []
    for shape in CellShape.all where shape.index != 0 {
      let glyph = table.glyphs[Int(shape.index)]
      let parts = (0..<24).flatMap { row in (0..<8).map { shape.hasInk(column: $0, row: row) } }
      #expect(ShapeParts.ink(of: glyph) == parts, "shape \(shape.index)")
      #expect(table.shape(of: glyph) == Int(shape.index))
      #expect(glyphs.insert(glyph).inserted)
      let inverse = table.inverses[Int(shape.index)]
      if inverse != 0 { #expect(ShapeParts.ink(of: inverse) == parts.map(!), "inverse of shape \(shape.index)") }
      #expect(GlyphWidth.isCertainlyOne(glyph) && (inverse == 0 || GlyphWidth.isCertainlyOne(inverse)))
    }
    // 7 of quadrants, 12 of eighths, 30 of sextants; octants are 127 less 9 that others draw.
    #expect(glyphs.count == 7 + 12 + 30 + 118)
  }

  @Test func sharesAreCountedPartByPart() {
    var random = TestRandom(3)
    let table = ShapeTable.shared
    for _ in 0..<400 {
      guard let a = CellShape.all.randomElement(using: &random), let b = CellShape.all.randomElement(using: &random)
      else { return }
      let places = (0..<24).flatMap { row in (0..<8).map { ($0, row) } }
      func count(_ inA: Bool, _ inB: Bool) -> Int32 {
        Int32(places.count { a.hasInk(column: $0, row: $1) == inA && b.hasInk(column: $0, row: $1) == inB })
      }
      let shares = table.shares(Int(a.index), Int(b.index))
      #expect(shares == (count(true, true), count(true, false), count(false, true), count(false, false)))
    }
  }

  @Test func fittedImagesAreDrawnAsTheyAreFitted() {
    var random = TestRandom(4)
    let image = random.image(37, 41)
    for (shapes, x, y) in [(CellShapes.blocks, 0, 0), (.all, 3, 5), (.octants, 1, 7), (.sextants, 2, 0)] {
      let blitter = Blitter.fitted(shapes)
      #expect(blitter.shapes == shapes)
      for palette in [Palette(depth: .trueColor), Palette(depth: .palette256)] {
        var (direct, fitted) = (CellGrid(columns: 14, rows: 9), CellGrid(columns: 14, rows: 9))
        let cells = CellRect(x: 1, y: 1, width: 12, height: 7)
        let rect = PixelRect(origin: (x, y), size: image.size)
        blitter.blit(FrameLayer(image: image, cells: cells, imageRect: rect), into: &direct, palette: palette)
        blitter.blit(
          FrameLayer(image: image.fitted(to: shapes, x: x, y: y), cells: cells, imageRect: rect), into: &fitted, palette: palette)
        #expect(direct == fitted)
        #expect(direct[column: 1, row: 1].isImage && !direct[column: 0, row: 1].isImage)
      }
    }
  }

  @Test func grainIsHeld() {
    let palette = Palette(depth: .palette256)
    func layer(_ value: UInt8) -> FrameLayer {
      let image = PixelImage(size: PixelSize(width: 16, height: 16)) { x, _ in x < 6 ? (value, 90, 90) : (200, value, 10) }
      return FrameLayer(
        image: image.fitted(to: .blocks, x: 0, y: 0), cells: CellRect(x: 0, y: 0, width: 4, height: 2),
        imageRect: PixelRect(size: image.size))
    }
    var memory = FittedMemory(columns: 4, rows: 2)
    var grid = CellGrid(columns: 4, rows: 2)
    Blitter.fitted(.blocks).blit(layer(100), into: &grid, palette: palette, memory: &memory, holds: true)
    let first = grid
    Blitter.fitted(.blocks).blit(layer(103), into: &grid, palette: palette, memory: &memory, holds: true)
    #expect(grid == first)
    Blitter.fitted(.blocks).blit(layer(180), into: &grid, palette: palette, memory: &memory, holds: true)
    #expect(grid != first)
  }

  @Test(arguments: [ColorDepth.trueColor, .palette256], [false, true])
  func theTerminalShowsWhatTheEncoderThinks(depth: ColorDepth, repeats: Bool) {
    let profile = EncoderProfile(
      colorDepth: depth, synchronizedUpdates: repeats, repeatsGlyphs: repeats, erasesCells: repeats, backColorErase: repeats,
      hasStandardPalette: repeats)
    for seed in TestSeeds.first(8) {
      var random = TestRandom(seed)
      let columns = Int.random(in: 1...90, using: &random), rows = Int.random(in: 1...7, using: &random)
      var checked = CheckedEncoder(columns: columns, rows: rows, profile: profile)
      var target = random.shapes(columns, rows, depth)
      for step in 0..<16 {
        if random.chance(3) { target = random.shapes(columns, rows, depth) } else { random.nudge(&target) }
        if random.chance(4) { random.change(&target, depth, cells: 12) }
        if random.chance(3) {
          let image = random.image(4 * columns, 8 * rows)
          Blitter.fitted(random.chance(2) ? .blocks : .all).blit(
            FrameLayer(image: image, cells: target.bounds, imageRect: PixelRect(size: image.size)), into: &target,
            palette: Palette(depth: depth))
        }
        random.turn(&checked.encoder, columns, rows)
        let budget: Int? = random.chance(3) ? nil : [0, 1, 60, 300, 900, 3000].randomElement(using: &random)
        if let problem = checked.update(target, budget: budget) {
          Issue.record("seed \(seed) step \(step) \(columns)×\(rows): \(problem)")
          return
        }
      }
    }
  }

  /// A picture with edges in all directions, which moves.
  private func frame(_ number: Int) -> PixelImage {
    PixelImage(size: PixelSize(width: 4 * 60, height: 8 * 18)) { x, y in
      let (u, v) = (Double(x + 3 * number) / 17, Double(y + number) / 11)
      let value = (u * 0.7 + v).truncatingRemainder(dividingBy: 2) < 1 ? 60.0 : 190
      return (UInt8(value), UInt8(value * 0.6 + Double(y) / 3), UInt8(255 - value))
    }
  }

  /// The error of what is shown against the samples of a frame.
  private func loss(_ shown: CellGrid, _ frame: PixelImage) -> Double {
    frame.withBytes { bytes in
      var sum = 0
      for row in 0..<shown.rows {
        for column in 0..<shown.columns {
          let cell = shown[column: column, row: row]
          guard let ink = ShapeParts.ink(of: cell.glyph) else { return .infinity }
          for y in 0..<8 {
            for x in 0..<4 {
              let color = ink[(3 * y + 1) * 8 + 2 * x] ? cell.foreground : cell.background
              guard case .rgb(let red, let green, let blue) = color.kind else { return .infinity }
              let place = 3 * ((8 * row + y) * frame.width + 4 * column + x)
              for (n, value) in [red, green, blue].enumerated() {
                let difference = Int(value) - Int(bytes[place + n])
                sum += difference * difference
              }
            }
          }
        }
      }
      return Double(sum)
    }
  }

  @Test(arguments: [1200, 3000, 100_000]) func shapesShowMoreThanHalvesInTheSameBytes(budget: Int) {
    func total(_ shapes: CellShapes?) -> Double {
      var encoder = DifferenceEncoder(columns: 60, rows: 18, profile: EncoderProfile(colorDepth: .trueColor))
      encoder.quality = .high
      var grid = CellGrid(columns: 60, rows: 18)
      return (0..<6).reduce(0) { sum, number in
        let frame = frame(number)
        let blitter = shapes.map { Blitter.fitted($0) } ?? .halfBlocks
        let size = blitter.pixelSize(ofCells: grid.bounds.size)
        let image = shapes != nil ? frame : PixelImage(size: size) { x, y in
          let all = (0..<16).map { frame[4 * x + $0 % 4, 4 * y + $0 / 4] }
          func mean(_ part: (red: UInt8, green: UInt8, blue: UInt8)) -> [Int] { [Int(part.red), Int(part.green), Int(part.blue)] }
          let sums = all.map(mean).reduce([0, 0, 0]) { zip($0, $1).map(+) }
          return (UInt8(sums[0] / 16), UInt8(sums[1] / 16), UInt8(sums[2] / 16))
        }
        let layer = FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: size))
        blitter.blit(layer, into: &grid, palette: Palette(depth: .trueColor))
        var bytes: [UInt8] = []
        let result = encoder.encode(grid, imageBudget: budget, into: &bytes)
        #expect(result.imageBytes <= budget)
        return sum + loss(encoder.shown, frame)
      }
    }
    let halves = total(nil)
    #expect(total(.blocks) < halves)
    #expect(total(.all) < 0.9 * halves)
  }
}
