import CellGraphics
import Pixels
import TestSupport
import Testing

/// Grain that is held still where there are few colours.
@Suite(.timeLimit(.minutes(20))) struct PixelMemoryTests {
  private static let size = PixelSize(width: 60, height: 40)
  private static let bounds = CellRect(x: 2, y: 1, width: 60, height: 20)

  /// A gradient in brightness and colour, with grain.
  private static func image(_ grain: Int, _ random: inout TestRandom, shift: Int = 0) -> PixelImage {
    PixelImage(size: size) { out in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let base = [40 + 2 * x + y, 60 + 3 * y, 30 + x + 2 * y]
          for (n, value) in base.enumerated() {
            let noise = grain > 0 ? Int.random(in: -grain...grain, using: &random) : 0
            out[3 * (y * size.width + x) + n] = UInt8(max(0, min(255, value + noise + shift)))
          }
        }
      }
    }
  }

  private static func layer(_ image: PixelImage) -> FrameLayer {
    FrameLayer(image: image, cells: bounds, imageRect: PixelRect(size: size))
  }

  private static func changed(_ a: CellGrid, _ b: CellGrid) -> Int {
    var count = 0
    for y in bounds.y..<bounds.maxY {
      for x in bounds.x..<bounds.maxX where a[column: x, row: y] != b[column: x, row: y] { count += 1 }
    }
    return count
  }

  private static let depths = [ColorDepth.palette256, .ansi16, .ansi8, .mono]

  @Test(arguments: depths, Dithering.allCases) func grainDoesNotFlicker(depth: ColorDepth, dithering: Dithering) {
    var random = TestRandom(3)
    let palette = Palette(depth: depth, dithering: dithering)
    var memory = PixelMemory(columns: 64, rows: 22, blitter: .halfBlocks)
    var held = CellGrid(columns: 64, rows: 22), plain = held
    var (flickers, plainFlickers) = (0, 0)
    for step in 0..<10 {
      let layer = Self.layer(Self.image(1, &random))
      let (heldBefore, plainBefore) = (held, plain)
      Blitter.halfBlocks.blit(layer, into: &held, palette: palette, memory: &memory, holds: true)
      Blitter.halfBlocks.blit(layer, into: &plain, palette: palette)
      // Two samples of grain of one step are within its tolerance, whatever they are.
      if step > 0 { flickers += Self.changed(heldBefore, held) }
      if step > 0 { plainFlickers += Self.changed(plainBefore, plain) }
    }
    #expect(flickers == 0 && plainFlickers > 10, "\(plainFlickers)")
  }

  /// A slow change is followed: nothing is ever drawn as what is further away than may be.
  @Test func nothingDrifts() {
    var random = TestRandom(5)
    let palette = Palette(depth: .trueColor)
    var memory = PixelMemory(columns: 64, rows: 22, blitter: .halfBlocks)
    var held = CellGrid(columns: 64, rows: 22), plain = held
    func color(_ cell: Cell) -> [Int] {
      guard case .rgb(let red, let green, let blue) = cell.background.kind else { return [] }
      return [Int(red), Int(green), Int(blue)]
    }
    for step in 0..<60 {
      let layer = Self.layer(Self.image(1, &random, shift: step))
      Blitter.halfBlocks.blit(layer, into: &held, palette: palette, memory: &memory, holds: true)
      Blitter.halfBlocks.blit(layer, into: &plain, palette: palette)
      for y in Self.bounds.y..<Self.bounds.maxY {
        for x in Self.bounds.x..<Self.bounds.maxX {
          let (a, b) = (color(held[column: x, row: y]), color(plain[column: x, row: y]))
          #expect(a.count == 3 && zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } <= 32)
        }
      }
    }
  }

  @Test(arguments: depths) func whatRestsIsDrawnAsItIs(depth: ColorDepth) {
    var random = TestRandom(7)
    let palette = Palette(depth: depth)
    var memory = PixelMemory(columns: 64, rows: 22, blitter: .halfBlocks)
    var held = CellGrid(columns: 64, rows: 22), plain = held
    for holds in [true, true, false, true, false] {
      let layer = Self.layer(Self.image(2, &random))
      Blitter.halfBlocks.blit(layer, into: &held, palette: palette, memory: &memory, holds: holds)
      Blitter.halfBlocks.blit(layer, into: &plain, palette: palette)
      if !holds { #expect(Self.changed(held, plain) == 0) }
    }
  }

  /// A layer that sticks out of the grid, or a memory of another size, harms nothing.
  @Test func edges() {
    var random = TestRandom(9)
    let palette = Palette(depth: .palette256)
    let layer = Self.layer(Self.image(1, &random))
    for (columns, rows) in [(64, 22), (10, 3), (61, 20), (1, 1), (0, 0)] {
      var memory = PixelMemory(columns: columns, rows: rows, blitter: .halfBlocks)
      var grid = CellGrid(columns: columns, rows: rows), other = CellGrid(columns: 20, rows: 9)
      var plain = grid
      Blitter.halfBlocks.blit(layer, into: &grid, palette: palette, memory: &memory, holds: true)
      Blitter.halfBlocks.blit(layer, into: &plain, palette: palette)
      #expect(grid == plain)
      Blitter.halfBlocks.blit(layer, into: &other, palette: palette, memory: &memory, holds: true)
    }
  }
}
