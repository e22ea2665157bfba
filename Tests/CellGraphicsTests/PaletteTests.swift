import Pixels
import Testing

@testable import CellGraphics

@Suite(.timeLimit(.minutes(20))) struct PaletteTests {
  /// xterm's palette, written down a second time.
  static func rgb(_ index: Int) -> (Int, Int, Int) {
    let first = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
      (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255),
      (0, 255, 255), (255, 255, 255),
    ]
    if index < 16 { return first[index] }
    if index >= 232 { return (8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10) }
    func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }
    return (level((index - 16) / 36), level((index - 16) / 6 % 6), level((index - 16) % 6))
  }

  func components(_ color: CellColor, default fallback: (Int, Int, Int)) -> (Int, Int, Int) {
    switch color.kind {
    case .default: fallback
    case .indexed(let index): PaletteTests.rgb(Int(index))
    case .rgb(let r, let g, let b): (Int(r), Int(g), Int(b))
    }
  }

  /// The mean of what a flat colour becomes on 64×64 pixels.
  func mean(of color: (UInt8, UInt8, UInt8), _ palette: Palette) -> (Double, Double, Double) {
    let image = PixelImage(size: PixelSize(width: 64, height: 64)) { bytes in
      for n in 0..<4096 { (bytes[3 * n], bytes[3 * n + 1], bytes[3 * n + 2]) = color }
    }
    var grid = CellGrid(columns: 64, rows: 32)
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)),
      into: &grid, palette: palette)
    var sum = (0, 0, 0)
    grid.withCells { cells in
      for cell in cells {
        let white = (255, 255, 255)
        let black = (0, 0, 0)
        let fore = components(cell.foreground, default: white)
        let back = components(cell.background, default: black)
        let halves =
          switch cell.glyph {
          case 0x20: (back, back)
          case 0x2580: (fore, back)
          case 0x2584: (back, fore)
          default: (fore, fore)
          }
        sum.0 += halves.0.0 + halves.1.0
        sum.1 += halves.0.1 + halves.1.1
        sum.2 += halves.0.2 + halves.1.2
      }
    }
    return (Double(sum.0) / 4096, Double(sum.1) / 4096, Double(sum.2) / 4096)
  }

  @Test(arguments: ColorDepth.allCases)
  func greysKeepTheirBrightness(depth: ColorDepth) {
    let palette = Palette(depth: depth)
    // White at 8 colours is 229, and shortly before it the mean bends off.
    let brightest = depth == .ansi8 ? 229.0 : 255.0
    // Where colours are few, some of the mean is given for less grain.
    let tolerance = depth == .palette256 ? 3.0 : 9.0
    var last = -1.0
    for value in 0..<256 {
      let mean = mean(of: (UInt8(value), UInt8(value), UInt8(value)), palette)
      let wanted = min(Double(value), brightest)
      for part in [mean.0, mean.1, mean.2] { #expect(abs(part - wanted) < 2 * tolerance) }
      let brightness = (mean.0 + mean.1 + mean.2) / 3
      #expect(abs(brightness - wanted) < tolerance, "\(value) became \(brightness)")
      #expect(brightness >= last - 0.5, "darker than the one before at \(value)")
      last = brightness
    }
  }

  /// Of few colours a mixture has less colour than what is meant, but is nearer to it than any entry alone.
  @Test(arguments: [ColorDepth.ansi8, .ansi16]) func mixturesOfFewColorsAreNearerThanOneEntry(depth: ColorDepth) {
    let palette = Palette(depth: depth)
    var random = TestRandom(4)
    func error(_ mean: (Double, Double, Double), _ color: (UInt8, UInt8, UInt8)) -> Double {
      let (r, g, b) = (mean.0 - Double(color.0), mean.1 - Double(color.1), mean.2 - Double(color.2))
      return 2 * r * r + 4 * g * g + 3 * b * b
    }
    var (mixed, alone) = (0.0, 0.0)
    for _ in 0..<150 {
      let color = (random.byte(), random.byte(), random.byte())
      let nearest = XtermPalette.nearestIndex(red: Int(color.0), green: Int(color.1), blue: Int(color.2), depth: depth)
      let entry = PaletteTests.rgb(Int(nearest))
      mixed += error(mean(of: color, palette), color)
      alone += error((Double(entry.0), Double(entry.1), Double(entry.2)), color)
    }
    #expect(mixed < alone * 0.4, "\(mixed) of \(alone)")
  }

  @Test func mutedColorsKeepTheirMean() {
    let palette = Palette(depth: .palette256)
    var random = TestRandom(4)
    for _ in 0..<150 {
      func part() -> UInt8 { .random(in: 60...190, using: &random) }
      let color = (part(), part(), part())
      let mean = mean(of: color, palette)
      let error = max(
        abs(mean.0 - Double(color.0)), abs(mean.1 - Double(color.1)), abs(mean.2 - Double(color.2)))
      #expect(error < 15, "\(color) became \(mean)")
    }
  }

  /// Without dithering a flat colour is the nearest one everywhere, but for what its key is rounded to.
  @Test(arguments: [ColorDepth.ansi8, .ansi16, .palette256])
  func withoutDitheringAFlatColorStaysFlat(depth: ColorDepth) {
    let palette = Palette(depth: depth, dithering: .off)
    for value in stride(from: 0, to: 256, by: 51) {
      let mean = mean(of: (UInt8(value), 255, UInt8(255 - value)), palette)
      let entries = (0..<256).map(PaletteTests.rgb).map { (Double($0.0), Double($0.1), Double($0.2)) }
      #expect(entries.contains { $0 == mean }, "\(value) became \(mean)")
    }
  }

  /// Two near colours stand for one between them, whose grain is small beside what the nearest alone would lose.
  @Test func fewerGrainsAreMixedThanColorsAreFarApart() {
    var random = TestRandom(6)
    var loss = [Dithering: Double]()
    var grain = [Dithering: Double]()
    for _ in 0..<300 {
      let color = (Int(random.byte()), Int(random.byte()), Int(random.byte()))
      for dithering in Dithering.allCases where dithering != .off {
        let mixture = PaletteMixtures(.palette256, dithering, count: 16).mixture(red: color.0, green: color.1, blue: color.2)
        let (dark, light) = (PaletteTests.rgb(Int(mixture.darker)), PaletteTests.rgb(Int(mixture.lighter)))
        let share = Double(mixture.parts) / 16
        for (wanted, (a, b)) in zip([color.0, color.1, color.2], [(dark.0, light.0), (dark.1, light.1), (dark.2, light.2)]) {
          let mean = Double(a) * (1 - share) + Double(b) * share
          loss[dithering, default: 0] += (mean - Double(wanted)) * (mean - Double(wanted))
          grain[dithering, default: 0] += share * (1 - share) * Double((a - b) * (a - b))
        }
      }
    }
    #expect(grain[.low, default: 0] < 0.8 * grain[.full, default: 0] && loss[.full, default: 0] < loss[.low, default: 0])
  }

  @Test(arguments: [ColorDepth.ansi8, .ansi16, .palette256])
  func theNearestColorIsTheNearest(depth: ColorDepth) {
    let palette = Palette(depth: depth)
    var random = TestRandom(5)
    let indices = depth == .ansi8 ? 0..<8 : depth == .ansi16 ? 0..<16 : 16..<256
    func distance(_ a: (Int, Int, Int), _ b: (Int, Int, Int)) -> Int {
      2 * (a.0 - b.0) * (a.0 - b.0) + 4 * (a.1 - b.1) * (a.1 - b.1) + 3 * (a.2 - b.2) * (a.2 - b.2)
    }
    for n in 0..<3000 {
      let isGrey = n % 3 == 0
      let r = random.byte()
      let g = isGrey ? r : random.byte()
      let b = isGrey ? r : random.byte()
      let wanted = indices.map { distance(PaletteTests.rgb($0), (Int(r), Int(g), Int(b))) }.min()
      guard case .indexed(let index) = palette.nearest(to: .rgb(r, g, b)).kind else {
        Issue.record("not an index")
        return
      }
      #expect(indices.contains(Int(index)))
      #expect(distance(PaletteTests.rgb(Int(index)), (Int(r), Int(g), Int(b))) == wanted)
    }
  }

  @Test func nearestLeavesWhatTheDepthHas() {
    #expect(Palette(depth: .trueColor).nearest(to: .rgb(1, 2, 3)) == .rgb(1, 2, 3))
    #expect(Palette(depth: .palette256).nearest(to: .indexed(3)) == .indexed(3))
    #expect(Palette(depth: .ansi8).nearest(to: .indexed(9)) == .indexed(1))
    #expect(Palette(depth: .ansi8).nearest(to: .indexed(8)) == .indexed(7))
    #expect(Palette(depth: .ansi16).nearest(to: .default) == .default)
    #expect(Palette(depth: .mono).nearest(to: .rgb(1, 2, 3)) == .default)
  }

  @Test func textDoesNotVanishInItsBackground() {
    let encoder = DifferenceEncoder(columns: 1, rows: 1, profile: .init(colorDepth: .ansi8))
    let cell = encoder.expressed(Cell("x", foreground: .rgb(60, 60, 60), background: .rgb(20, 20, 20)))
    #expect(cell.foreground == .indexed(7) && cell.background == .indexed(0))
  }

  @Test func namesOfDepths() {
    #expect(ColorDepth.allCases.map(\.rawValue) == ["mono", "8", "16", "256", "24bit"])
    #expect(ColorDepth.allCases == ColorDepth.allCases.sorted())
  }
}
