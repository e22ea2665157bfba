import Pixels
import Testing

@testable import CellGraphics

/// Mixtures in few colours: slight, of near entries, and of none that have another colour.
@Suite(.timeLimit(.minutes(20))) struct PaletteDitheringTests {
  private struct Mixture {
    let darker: SIMD3<Double>
    let lighter: SIMD3<Double>
    let share: Double

    init(_ color: SIMD3<Int>, _ dithering: Dithering) {
      func rgb(_ index: UInt8) -> SIMD3<Double> {
        let (red, green, blue) = PaletteTests.rgb(Int(index))
        return SIMD3(Double(red), Double(green), Double(blue))
      }
      let mixture = PaletteMixtures(.palette256, dithering, count: 16).mixture(red: color.x, green: color.y, blue: color.z)
      (darker, lighter, share) = (rgb(mixture.darker), rgb(mixture.lighter), Double(mixture.parts) / 16)
    }

    /// The root mean square deviation of the mixture from its mean.
    var grain: Double {
      let difference = lighter - darker
      return (share * (1 - share) * (difference * difference).sum() / 3).squareRoot()
    }

    var isGrey: Bool { [darker, lighter].allSatisfy { $0.x == $0.y && $0.y == $0.z } }
    /// The distance of the two in the component that differs most; 0 if one stands alone.
    var span: Double { share > 0 ? (lighter - darker).max() : 0 }
  }

  @Test(arguments: [ColorDepth.ansi8, .ansi16, .palette256], [Dithering.low, .full])
  func twoEntriesAreMixedAtTheMost(depth: ColorDepth, dithering: Dithering) {
    let palette = Palette(depth: depth, dithering: dithering)
    let count = palette.layout.candidates
    let isOfTwo = palette.candidates.withUnsafeBufferPointer { candidates in
      stride(from: 0, to: candidates.count, by: count).allSatisfy { base in
        let (darker, lighter) = (candidates[base], candidates[base + count - 1])
        return (base..<base + count).allSatisfy { candidates[$0] == darker || candidates[$0] == lighter }
      }
    }
    #expect(isOfTwo)
  }

  /// Greys are mixed of the two next to them, and what is nearly grey of hardly anything else: of a coloured entry there are
  /// two pixels in 16 at the most, which bring the mean nearer, and none in the dark, where they would be specks.
  @Test(arguments: [Dithering.low, .full]) func greysAreMixedOfTheGreysNextToThem(dithering: Dithering) {
    var random = TestRandom(3)
    var isHeld = true
    for value in 3...232 {
      let grey = SIMD3(value, value, value)
      let mixture = Mixture(grey, dithering)
      isHeld = isHeld && mixture.isGrey && mixture.span <= 10
      for _ in 0..<4 {
        let near = Mixture(grey &+ SIMD3<Int>.random(in: -3...3, using: &random), dithering)
        isHeld = isHeld && (near.isGrey || value >= 80 && min(near.share, 1 - near.share) <= 2 / 16 && near.grain < 8)
      }
      #expect(isHeld, "\(value)")
      guard isHeld else { return }
    }
  }

  /// The amplitude of what is mixed is bounded, and more so in the dark.
  @Test(arguments: [Dithering.low, .full]) func grainIsBounded(dithering: Dithering) {
    var random = TestRandom(4)
    var (dark, all): ([Double], [Double]) = ([], [])
    for _ in 0..<3000 {
      dark.append(Mixture(SIMD3<Int>.random(in: 0...60, using: &random), dithering).grain)
      all.append(Mixture(SIMD3<Int>.random(in: 0...255, using: &random), dithering).grain)
    }
    dark.sort()
    all.sort()
    let most = dithering == .full ? (dark: 25.5, all: 36.0) : (dark: 12.0, all: 31.0)
    #expect(dark[dark.count * 95 / 100] < most.dark && all[all.count * 95 / 100] < most.all, "\(dark[2850]) \(all[2850])")
    #expect((dark.last ?? 0) < 32 && (all.last ?? 0) < 42, "\(dark.last ?? 0) \(all.last ?? 0)")
  }

  /// As they are, pixels are best with the nearest colours; to an eye that sees some of them as one the mixtures are.
  @Test(arguments: [0.25, 1.0]) func mixturesAreBestFromFarAway(brightness: Double) {
    var random = TestRandom(5)
    let (columns, rows) = (64, 16)
    let bright = random.softImage(columns, rows, at: 1, grain: 0)
    let image = PixelImage(size: bright.size) { bytes in
      for y in 0..<bright.height {
        for x in 0..<bright.width {
          let color = bright[x, y]
          for (c, value) in [color.red, color.green, color.blue].enumerated() {
            bytes[3 * (y * bright.width + x) + c] = UInt8(Double(value) * brightness)
          }
        }
      }
    }
    let meant = SeenPixels(image)
    var (plain, blurred) = ([Dithering: Double](), [Dithering: Double]())
    for dithering in Dithering.allCases {
      var grid = CellGrid(columns: columns, rows: rows)
      Blitter.halfBlocks.blit(
        FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid,
        palette: Palette(depth: .palette256, dithering: dithering))
      let seen = SeenPixels(grid)
      plain[dithering] = seen.error(from: meant)
      blurred[dithering] = seen.blurred.error(from: meant.blurred)
    }
    func areRising(_ values: [Double?]) -> Bool { zip(values, values.dropFirst()).allSatisfy { ($0 ?? 0) < ($1 ?? 0) } }
    #expect(areRising([plain[.off], plain[.low], plain[.full]]), "\(plain)")
    #expect(areRising([blurred[.full], blurred[.low], blurred[.off]]), "\(blurred)")
    #expect((blurred[.full] ?? 0) < (blurred[.off] ?? 0) * 2 / 3, "\(blurred)")
  }
}
