import CellGraphics
import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct BlitterTests {
  /// The pixel of a layer at a place of the whole grid, in blitter pixels, by the definition.
  func pixel(_ layer: FrameLayer, _ x: Int, _ y: Int) -> CellColor {
    let u = x - layer.cells.x - layer.imageRect.x
    let v = y - 2 * layer.cells.y - layer.imageRect.y
    guard u >= 0, v >= 0, u < layer.imageRect.width, v < layer.imageRect.height else { return layer.backdrop }
    let sx = Int((Double(u) + 0.5) * Double(layer.image.width) / Double(layer.imageRect.width))
    let sy = Int((Double(v) + 0.5) * Double(layer.image.height) / Double(layer.imageRect.height))
    let color = layer.image[sx, sy]
    return .rgb(color.red, color.green, color.blue)
  }

  func randomLayer(_ random: inout TestRandom) -> FrameLayer {
    let image = random.image(.random(in: 1...40, using: &random), .random(in: 1...30, using: &random))
    let isScaled = random.chance(2)
    return FrameLayer(
      image: image,
      cells: CellRect(
        x: .random(in: -5...20, using: &random), y: .random(in: -5...8, using: &random),
        width: .random(in: 0...40, using: &random), height: .random(in: 0...16, using: &random)),
      imageRect: PixelRect(
        x: .random(in: -12...12, using: &random), y: .random(in: -12...12, using: &random),
        width: isScaled ? .random(in: 0...90, using: &random) : image.width,
        height: isScaled ? .random(in: 0...70, using: &random) : image.height),
      backdrop: random.chance(2) ? .rgb(0, 0, 0) : .rgb(10, 200, 30))
  }

  @Test(arguments: ColorDepth.allCases, [Blitter.halfBlocks.name, Blitter.asciiShades.name])
  func everyCellIsAFunctionOfItsPixelsAndPlace(depth: ColorDepth, name: String) throws {
    let blitter = try #require(Blitter.all.first { $0.name == name })
    let palette = Palette(depth: depth)
    var random = TestRandom(1)
    for _ in 0..<40 {
      let layer = randomLayer(&random)
      let old = Cell("~", foreground: .indexed(1))
      var grid = CellGrid(columns: 30, rows: 10, filledWith: old)
      blitter.blit(layer, into: &grid, palette: palette)
      for row in 0..<10 {
        for column in 0..<30 {
          let cell = grid[column: column, row: row]
          guard layer.cells.contains(x: column, y: row) else {
            #expect(cell == old)
            continue
          }
          let top = pixel(layer, column, 2 * row)
          let bottom = pixel(layer, column, 2 * row + 1)
          let wanted: Cell
          if depth == .trueColor, name == Blitter.halfBlocks.name {
            wanted = Cell(
              glyph: top == bottom ? 0x20 : 0x2580, foreground: top == bottom ? .default : top,
              background: bottom, isImage: true)
          } else {
            // The same two pixels alone at the same place.
            let two = PixelImage(size: PixelSize(width: 1, height: 2)) { bytes in
              guard case .rgb(let r, let g, let b) = top.kind, case .rgb(let s, let h, let c) = bottom.kind
              else { return }
              for (n, value) in [r, g, b, s, h, c].enumerated() { bytes[n] = value }
            }
            var single = CellGrid(columns: 30, rows: 10)
            blitter.blit(
              FrameLayer(
                image: two, cells: CellRect(x: column, y: row, width: 1, height: 1),
                imageRect: PixelRect(x: 0, y: 0, width: 1, height: 2)),
              into: &single, palette: palette)
            wanted = single[column: column, row: row]
          }
          if cell != wanted {
            Issue.record("(\(column), \(row)) is \(cell), not \(wanted)")
            return
          }
        }
      }
    }
  }

  @Test(arguments: ColorDepth.allCases)
  func cellsAreWhatTheDepthCanShow(depth: ColorDepth) {
    var random = TestRandom(2)
    let palette = Palette(depth: depth)
    let image = random.image(64, 64)
    // Cells are fitted where there are colours enough.
    for blitter in Blitter.all where blitter.shapes == nil || depth >= .palette256 {
      var grid = CellGrid(columns: 64, rows: 32)
      blitter.blit(
        FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)),
        into: &grid, palette: palette)
      let encoder = DifferenceEncoder(
        columns: 1, rows: 1, profile: .init(colorDepth: depth, glyphSet: blitter.glyphSet))
      for row in 0..<32 {
        for column in 0..<64 {
          let cell = grid[column: column, row: row]
          #expect(cell.isImage && encoder.expressed(cell) == cell)
          for color in [cell.foreground, cell.background] where color != .default {
            switch (depth, color.kind) {
            case (.trueColor, .rgb): break
            case (.palette256, .indexed(let index)): #expect(index >= 16)
            case (.ansi16, .indexed(let index)): #expect(index < 16)
            case (.ansi8, .indexed(let index)): #expect(index < 8)
            default: Issue.record("\(color) at \(depth)")
            }
          }
        }
      }
    }
  }

  @Test func shadesGrowWithBrightness() {
    let palette = Palette(depth: .mono)
    var last = -1
    for value in 0..<256 {
      let image = PixelImage(size: PixelSize(width: 1, height: 2)) { $0.update(repeating: UInt8(value)) }
      var grid = CellGrid(columns: 1, rows: 1)
      Blitter.asciiShades.blit(
        FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)),
        into: &grid, palette: palette)
      let glyph = grid[column: 0, row: 0].glyph
      let rank = Array(" .:-=+*#%@".unicodeScalars).firstIndex { $0.value == glyph } ?? -9
      #expect(rank >= last)
      last = rank
    }
    #expect(last == 9)
  }

  @Test func theTable() {
    #expect(Set(Blitter.all.map(\.name)).count == Blitter.all.count)
    let pixels = Blitter.best(for: .unicode).pixelSize(ofCells: CellSize(width: 7, height: 3))
    #expect(pixels == PixelSize(width: 7, height: 6))
    #expect(Blitter.best(for: .ascii).glyphSet == .ascii)
  }
}
